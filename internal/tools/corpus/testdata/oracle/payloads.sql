-- One row per frame that the oracle reads: the JSON document in it, by DuckDB's
-- own functions and without any of the decoders' knowledge.
--
-- What SQL cannot do as the decoders do, so that it is no second decoder:
--   bytes that are no UTF-8 abort a query unless they are replaced first, which
--   may take the quote behind them along;
--   a document that is broken off, or holds half a surrogate pair, aborts it
--   unless TRY makes it NULL, and then nothing of the frame is read;
--   compressed bodies stay closed.
CREATE OR REPLACE TEMP VIEW payloads AS
WITH texts AS (
    SELECT
        c.request_id, c.seq, q.api,
        ltrim(replace(replace(decode(c.raw, 'replace'), chr(13) || chr(10), chr(10)), chr(13), chr(10)), chr(65279)) AS frame
    FROM chunks c
    JOIN requests q ON q.request_id = c.request_id
    WHERE q.content_encoding IS NULL
),
documents AS (
    SELECT
        request_id, seq, api,
        regexp_extract(frame, '(?m)^event: ?(.*)$', 1) AS event,
        CASE
            WHEN regexp_matches(frame, '(?m)^data:') THEN trim(array_to_string(regexp_extract_all(frame, '(?m)^data: ?(.*)$', 1), chr(10)))
            WHEN trim(frame, chr(10)) = '[DONE]' THEN '[DONE]'
            -- a line, a body, or an element of a streamed array
            ELSE regexp_replace(frame, '^[\s,\[]+|[\s,\]]+$', '', 'g')
        END AS document
    FROM texts
)
SELECT request_id, seq, api, event, document,
    CASE WHEN try(json_valid(document)) THEN try(json_extract(document, '$')) END AS j
FROM documents;

-- A string that is not empty, else NULL.
CREATE OR REPLACE TEMP MACRO said(j, path) AS
    CASE WHEN json_type(j, path) = 'VARCHAR' THEN nullif(json_extract_string(j, path), '') END;
-- A count that is known, else NULL.
CREATE OR REPLACE TEMP MACRO counted(j, path) AS
    CASE WHEN try_cast(json_extract_string(j, path) AS BIGINT) >= 0 THEN try_cast(json_extract_string(j, path) AS BIGINT) END;
