-- definitions: one row per request × tool × metric: the same stream as other tools would state it
-- tells: what other tools would have measured on the same stream
-- example: SELECT tool, metric, median(value) AS median_value FROM definitions_all() WHERE metric = 'ttft_ms' GROUP BY tool, metric ORDER BY tool
-- needs: definitions_versions
-- stored: no
--
-- FROM definitions tells of all requests, FROM definitions(request_id) of one. A tool
-- has one row, that of its newest version; definitions_versions has the others.
CREATE OR REPLACE MACRO definitions_all() AS TABLE
SELECT request_id, tool, metric, value, note, versions, success FROM definitions_versions WHERE newest;

CREATE OR REPLACE MACRO definitions(request) AS TABLE
SELECT * FROM definitions_all() WHERE request_id = request;

CREATE OR REPLACE VIEW definitions AS SELECT * FROM definitions_all();

COMMENT ON VIEW definitions IS 'one row per request × tool × metric: TTFT, ITL, TPOT, output speed and latency as other tools would state them of the same stream; of one request, definitions(request_id)';
COMMENT ON COLUMN definitions.tool IS 'whose definition';
COMMENT ON COLUMN definitions.metric IS 'ttft_ms, itl_ms, tpot_ms, tokens_per_s, latency_ms or output_tokens';
COMMENT ON COLUMN definitions.value IS 'what the tool would state, in the unit that the metric''s name ends in; NULL where it would state nothing';
COMMENT ON COLUMN definitions.note IS 'how the tool arrives at it, and whether it counts the request as failed';
COMMENT ON COLUMN definitions.versions IS 'of the tool, for which the row was held against its code';
COMMENT ON COLUMN definitions.success IS 'whether the tool counts the request as a success';
COMMENT ON MACRO TABLE definitions_all IS 'one row per request × tool × metric: TTFT, ITL, TPOT, output speed and latency as other tools would state them of the same stream';
COMMENT ON MACRO TABLE definitions IS 'the rows of definitions_all of one request';
