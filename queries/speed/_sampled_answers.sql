-- _sampled_answers: one row per answer whose tokens are counted with o200k
-- needs: results, requests, answers
-- key: request_id
-- stored: no
--
-- Counting every answer would take longer than all else. Some of each cell,
-- spread over the recording, tell how many o200k tokens its text takes a
-- character; all answers to probes are counted.
CREATE OR REPLACE VIEW _sampled_answers AS
WITH candidates AS (
    SELECT
        r.request_id, r.phase,
        row_number() OVER cell AS place,
        count(*) OVER (PARTITION BY r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params, r.phase = 'probe') AS n
    FROM results r
    JOIN answers a ON a.request_id = r.request_id
    WHERE (r.measured AND r.complete OR r.phase = 'probe' AND r.answered AND r.excluded IS NULL)
        AND (a.text IS NOT NULL OR a.reasoning IS NOT NULL)
    WINDOW cell AS (PARTITION BY r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params, r.phase = 'probe' ORDER BY r.request_id)
),
chosen AS (
    SELECT request_id, phase
    FROM candidates, (SELECT greatest(2, least(20, 4000 // greatest(1, count(*) FILTER (place = 1)))) AS most FROM candidates)
    WHERE phase = 'probe' OR place * most // n > (place - 1) * most // n
)
SELECT
    c.request_id,
    -- Half a page tells how dense the text is; of probes the whole count is wanted.
    CASE WHEN c.phase = 'probe' THEN a.text ELSE a.text[:4000] END AS text,
    CASE WHEN c.phase = 'probe' THEN a.reasoning ELSE a.reasoning[:4000] END AS reasoning,
    c.phase = 'probe' OR length(coalesce(a.text, '')) <= 4000 AND length(coalesce(a.reasoning, '')) <= 4000 AS whole,
    CASE WHEN c.phase = 'probe' AND length(q.request_body) <= 16000 THEN q.request_body END AS request_body
FROM chosen c
JOIN answers a ON a.request_id = c.request_id
JOIN requests q ON q.request_id = c.request_id;
