-- chunks: one row per frame received
-- tells: every frame as it arrived, with its bytes
-- example: SELECT seq, t_ns, complete, raw FROM chunks WHERE request_id = (SELECT min(request_id) FROM chunks) ORDER BY seq LIMIT 5
-- needs: _chunks
-- key: request_id, seq
CREATE OR REPLACE VIEW chunks AS FROM _chunks;

COMMENT ON VIEW chunks IS 'one row per frame received, as recorded; raw in order of seq is the response body, byte for byte';
