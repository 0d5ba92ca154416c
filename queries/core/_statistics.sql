-- _statistics: macros that state the statistics of the metric views
-- stored: no

-- The q-quantile of ascending values, linearly interpolated between the order
-- statistics around position 1 + (n − 1)q: definition 7 of Hyndman & Fan (1996).
CREATE OR REPLACE MACRO _quantile(ascending, q) AS
    ascending[1 + floor((len(ascending) - 1) * q)::BIGINT]
    + ((len(ascending) - 1) * q - floor((len(ascending) - 1) * q))
        * (ascending[least(len(ascending), 2 + floor((len(ascending) - 1) * q)::BIGINT)] - ascending[1 + floor((len(ascending) - 1) * q)::BIGINT]);

-- The same quantile where `never` further values are larger than any: NULL
-- where it falls among them.
CREATE OR REPLACE MACRO _quantile_with_never(ascending, never, q) AS
    CASE WHEN 1 + ceil((len(ascending) + never - 1) * q) <= len(ascending) THEN
        ascending[1 + floor((len(ascending) + never - 1) * q)::BIGINT]
        + ((len(ascending) + never - 1) * q - floor((len(ascending) + never - 1) * q))
            * (ascending[1 + ceil((len(ascending) + never - 1) * q)::BIGINT] - ascending[1 + floor((len(ascending) + never - 1) * q)::BIGINT])
    END;

-- A number to twelve significant digits: the last bits of a derived rate are no
-- difference between two providers.
CREATE OR REPLACE MACRO _twelve_digits(x) AS
    CASE WHEN x = 0 THEN x ELSE round(x, 11 - floor(log10(abs(x)))::INTEGER) END;

-- Wilson's score interval at 95 % for a share of k in n; NULL for n = 0.
-- Wilson, "Probable inference, the law of succession, and statistical
-- inference", Journal of the American Statistical Association 22 (1927).
CREATE OR REPLACE MACRO _wilson_lo(k, n) AS
    CASE WHEN n > 0 AND k = 0 THEN 0 WHEN n > 0 THEN greatest(0, (k / n + 1.959963984540054 ** 2 / (2 * n)
        - 1.959963984540054 * sqrt(k / n * (1 - k / n) / n + 1.959963984540054 ** 2 / (4 * n * n)))
        / (1 + 1.959963984540054 ** 2 / n)) END;
CREATE OR REPLACE MACRO _wilson_hi(k, n) AS
    CASE WHEN n > 0 AND k = n THEN 1 WHEN n > 0 THEN least(1, (k / n + 1.959963984540054 ** 2 / (2 * n)
        + 1.959963984540054 * sqrt(k / n * (1 - k / n) / n + 1.959963984540054 ** 2 / (4 * n * n)))
        / (1 + 1.959963984540054 ** 2 / n)) END;
