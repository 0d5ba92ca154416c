-- _spend: what a request adds to the spend of its cell, in nano-dollars
-- stored: no

-- A request that was refused or never sent is free, whatever the price table
-- says of its tokens. NULL where it may cost something and its price is not known.
CREATE OR REPLACE MACRO _spend(billing, cost_nanousd) AS
    CASE WHEN billing = 'free' THEN 0 ELSE cost_nanousd END;
