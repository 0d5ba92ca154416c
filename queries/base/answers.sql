-- answers: one row per request that brought text, thinking or tool calls
-- tells: what each response says: text, thinking, tool calls
-- example: SELECT request_id, left(text, 60) AS text, length(reasoning) AS thinking_characters FROM answers ORDER BY request_id LIMIT 5
-- needs: _answers
-- key: request_id
CREATE OR REPLACE VIEW answers AS FROM _answers;

COMMENT ON VIEW answers IS 'one row per request with an answer: what checks, agreement and the tokenizer read';
