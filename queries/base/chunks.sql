-- chunks: one row per frame received
-- needs: _chunks
-- key: request_id, seq
CREATE OR REPLACE VIEW chunks AS FROM _chunks;

COMMENT ON VIEW chunks IS 'one row per frame received, as recorded; raw in order of seq is the response body, byte for byte';
