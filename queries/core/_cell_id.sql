-- _cell_id: the numbers of cells and contests
-- stored: no

-- A number for the columns that name a cell or a contest, so that one equation
-- joins them, NULLs included. It follows from the names alone, and so is the same
-- in every data set: 52 bits of the MD5 of their JSON. Among a hundred thousand
-- cells, the chance that two share a number is one in a million.
CREATE OR REPLACE MACRO _numbered(names) AS
    (md5_number_upper(to_json(names)::VARCHAR) >> 12)::BIGINT;
CREATE OR REPLACE MACRO _cell_id(provider, model, scenario, concurrency, vantage, params) AS
    _numbered([provider, model, scenario, concurrency::VARCHAR, vantage, params]);
CREATE OR REPLACE MACRO _contest_id(model, scenario, concurrency, vantage) AS
    _numbered([model, scenario, concurrency::VARCHAR, vantage]);
