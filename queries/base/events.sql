-- events: one row per frame × part
-- tells: what each frame says
-- example: SELECT seq, t_ns, kind, text_chars FROM events WHERE request_id = (SELECT min(request_id) FROM answers) ORDER BY seq, part LIMIT 8
-- needs: _events, _details, _kinds
-- key: request_id, seq, part
CREATE OR REPLACE VIEW events AS
SELECT
    e.run_id, e.request_id, e.seq, e.part, e.read_seq, e.t_ns, e.gap_ns,
    _kind_name(e.kind) AS kind, e.choice,
    CASE WHEN e.kind = _kind('text') THEN e.bytes ELSE 0 END AS text_bytes,
    CASE WHEN e.kind = _kind('reasoning') THEN e.bytes ELSE 0 END AS reasoning_bytes,
    CASE WHEN e.kind = _kind('tool') THEN e.bytes ELSE 0 END AS tool_bytes,
    CASE WHEN e.kind = _kind('refusal') THEN e.bytes ELSE 0 END AS refusal_bytes,
    CASE WHEN e.kind = _kind('text') THEN e.chars ELSE 0 END AS text_chars,
    CASE WHEN e.kind = _kind('reasoning') THEN e.chars ELSE 0 END AS reasoning_chars,
    CASE WHEN e.kind = _kind('tool') THEN e.chars ELSE 0 END AS tool_chars,
    CASE WHEN e.kind = _kind('refusal') THEN e.chars ELSE 0 END AS refusal_chars,
    d.* EXCLUDE (run_id, request_id, seq, part, choice)
FROM _events e
LEFT JOIN _details d ON d.request_id = e.request_id AND d.seq = e.seq AND d.part = e.part;

COMMENT ON VIEW events IS 'one row per part of a frame: what the decoder understood of it';
COMMENT ON COLUMN events.kind IS 'start, text, reasoning, tool, refusal, finish, usage, error, done, ping, comment, meta or undecoded';
COMMENT ON COLUMN events.text_bytes IS 'bytes of visible text';
COMMENT ON COLUMN events.text_chars IS 'characters of visible text';
COMMENT ON COLUMN events.reasoning_bytes IS 'bytes of thinking';
COMMENT ON COLUMN events.reasoning_chars IS 'characters of thinking';
COMMENT ON COLUMN events.tool_bytes IS 'bytes of a tool call';
COMMENT ON COLUMN events.tool_chars IS 'characters of a tool call';
COMMENT ON COLUMN events.refusal_bytes IS 'bytes of a refusal in its own field';
COMMENT ON COLUMN events.refusal_chars IS 'characters of a refusal in its own field';
