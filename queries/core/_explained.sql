-- _explained: the most tokens that a text of so many o200k tokens can be billed as
-- stored: no

-- Tokenizers differ: by half in English and code, and by several times in the
-- scripts that some of them know badly. A call has a frame of its own.
CREATE OR REPLACE MACRO _explained(o200k, chars, tool_chars) AS
    o200k * CASE WHEN chars >= 2.5 * o200k THEN 2 ELSE 4 END + CASE WHEN tool_chars > 0 THEN 64 ELSE 16 END;
