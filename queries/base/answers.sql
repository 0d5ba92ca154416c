-- answers: one row per request that brought text, thinking or tool calls
-- needs: _answers
-- key: request_id
CREATE OR REPLACE VIEW answers AS FROM _answers;

COMMENT ON VIEW answers IS 'one row per request with an answer: what checks, agreement and the tokenizer read';
