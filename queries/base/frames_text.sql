-- frames_text: one row per frame
-- tells: the frames of an answer, to be read
-- example: SELECT seq, byte_offset, gap_ms, text FROM frames_text WHERE request_id = (SELECT min(request_id) FROM results WHERE outcome = 'ok') ORDER BY seq LIMIT 12
-- needs: chunks
-- key: request_id, seq
-- stored: no
CREATE OR REPLACE VIEW frames_text AS
SELECT
    run_id, request_id, seq, read_seq,
    (sum(octet_length(raw)) OVER frames - octet_length(raw))::BIGINT AS byte_offset,
    octet_length(raw) AS bytes,
    t_ns / 1e6 AS t_ms,
    (t_ns - lag(t_ns) OVER frames) / 1e6 AS gap_ms,
    complete,
    coalesce(TRY(decode(raw)), raw::VARCHAR) AS text,
    TRY(decode(raw)) IS NOT NULL AS valid_utf8
FROM chunks
WINDOW frames AS (PARTITION BY request_id ORDER BY seq);

COMMENT ON VIEW frames_text IS 'one row per frame, as text. Ask for one request_id: the view reads the frames of that request alone then';
COMMENT ON COLUMN frames_text.byte_offset IS 'bytes of the body before this frame';
COMMENT ON COLUMN frames_text.bytes IS 'length of the frame in bytes';
COMMENT ON COLUMN frames_text.t_ms IS 'ms from the start of the request until the last byte of the frame arrived; NULL where the source has no times';
COMMENT ON COLUMN frames_text.gap_ms IS 'ms since the frame before it; 0 for frames of one read, whose spacing nobody saw; NULL for the first';
COMMENT ON COLUMN frames_text.text IS 'the bytes as UTF-8 where they are that; else ASCII, with every other byte as \xHH';
COMMENT ON COLUMN frames_text.valid_utf8 IS 'whether text is the bytes as they came, rather than escaped';
