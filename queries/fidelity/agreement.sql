-- agreement: one row per model × scenario × provider pair
-- tells: whether two providers of one model answer alike
-- example: SELECT model, provider_a, provider_b, prompts, differing, differing_by_chance, claim, verdict FROM agreement ORDER BY model, provider_a, provider_b
-- needs: _agreement
-- key: model, scenario, provider_a, params_a, provider_b, params_b
--
-- Do two providers of one model answer the same prompts differently, by more
-- than each differs from itself? The verdict rests on one test over all
-- prompts; how many prompts show it one by one is said beside it, with the
-- number that would by chance. Never more than "differs": answers do not say why.
CREATE OR REPLACE VIEW agreement AS
WITH prompts AS (
    SELECT
        model, scenario, provider_a, params_a, provider_b, params_b,
        count(*) AS seen,
        count(p) AS prompts,
        count(*) FILTER (least_p <= 0.05) AS testable,
        count(*) FILTER (p <= 0.05) AS differing,
        arg_max(prompt_hash, distance - greatest(variation_a, variation_b)) AS example_prompt_hash
    FROM _agreement
    WHERE prompt_hash IS NOT NULL
    GROUP BY ALL
)
SELECT
    t.model, t.scenario, t.provider_a, t.params_a, t.provider_b, t.params_b,
    s.prompts, s.testable, s.differing,
    0.05 * s.testable AS differing_by_chance,
    s.differing / nullif(s.testable, 0) AS differing_share,
    t.basis, t.n_a, t.n_b, t.n_windows,
    t.distance, t.variation_a, t.variation_b,
    t.p, t.q, t.evidence,
    CASE WHEN t.q <= 0.05 THEN 'differs' END AS claim,
    CASE
        WHEN t.q <= 0.05 AND t.evidence = 'windows' THEN 'supported'
        WHEN t.q <= 0.05 THEN 'tendency'
        ELSE 'undecided'
    END AS verdict,
    CASE
        WHEN t.q <= 0.05 AND t.evidence = 'windows' THEN NULL
        WHEN t.q <= 0.05 THEN 'too few windows'
        WHEN t.p IS NULL THEN 'not comparable'
        WHEN t.least_p > 0.05 THEN 'too few answers'
        ELSE 'no difference shown'
    END AS why_not,
    s.example_prompt_hash, t.example_a_request_id, t.example_b_request_id,
    nullif(concat_ws('; ',
        CASE WHEN t.params_a IS DISTINCT FROM t.params_b THEN 'asked with different parameters' END,
        CASE WHEN s.prompts < s.seen THEN (s.seen - s.prompts) || ' prompts with a single answer on a side' END,
        CASE WHEN s.prompts = 1 THEN 'one prompt only' END,
        CASE WHEN t.p IS NOT NULL AND t.least_p > 0.05 THEN 'too few answers to show any difference'
            WHEN t.evidence = 'within' THEN 'fewer than 6 common windows' END,
        CASE WHEN least(t.variation_a, t.variation_b) > 0.5 THEN 'answers vary so much by themselves that only large differences show' END), '') AS warning
FROM _agreement t
JOIN prompts s ON s.model = t.model AND s.scenario = t.scenario AND s.provider_a = t.provider_a AND s.provider_b = t.provider_b
    AND s.params_a IS NOT DISTINCT FROM t.params_a AND s.params_b IS NOT DISTINCT FROM t.params_b
WHERE t.prompt_hash IS NULL;

COMMENT ON VIEW agreement IS 'one row per model × scenario × provider pair: whether their answers to the same prompts differ by more than each one''s own do; never more than that they differ';
COMMENT ON COLUMN agreement.model IS 'canonical model';
COMMENT ON COLUMN agreement.scenario IS 'scenario';
COMMENT ON COLUMN agreement.provider_a IS 'the provider whose name sorts first';
COMMENT ON COLUMN agreement.params_a IS 'parameters declared for it (JSON)';
COMMENT ON COLUMN agreement.provider_b IS 'the other';
COMMENT ON COLUMN agreement.params_b IS 'parameters declared for it (JSON)';
COMMENT ON COLUMN agreement.prompts IS 'prompts that both answered twice at least';
COMMENT ON COLUMN agreement.testable IS 'those with enough answers that a difference could show on this prompt alone';
COMMENT ON COLUMN agreement.differing IS 'those on which it does (p at most 0.05): the k of m prompts';
COMMENT ON COLUMN agreement.differing_by_chance IS 'how many would by chance, at most';
COMMENT ON COLUMN agreement.differing_share IS 'differing ÷ testable, 0 to 1';
COMMENT ON COLUMN agreement.basis IS 'what was compared: text, json (in one spelling), number (the one that a check asks for), tool (calls), mixed';
COMMENT ON COLUMN agreement.n_a IS 'answers of the first';
COMMENT ON COLUMN agreement.n_b IS 'answers of the second';
COMMENT ON COLUMN agreement.n_windows IS 'windows in which both answered';
COMMENT ON COLUMN agreement.distance IS 'mean share of words, place by place, in which an answer of one differs from one of the other, 0 to 1, over prompts';
COMMENT ON COLUMN agreement.variation_a IS 'the same between two answers of the first: its own variation';
COMMENT ON COLUMN agreement.variation_b IS 'the same between two answers of the second';
COMMENT ON COLUMN agreement.p IS 'p-value of no difference over all prompts (energy distance; permutation of whole windows from six on, else of answers within windows)';
COMMENT ON COLUMN agreement.q IS 'the same adjusted over all pairs (Benjamini–Hochberg)';
COMMENT ON COLUMN agreement.evidence IS 'windows: over six windows or more; within: within fewer; none: not compared';
COMMENT ON COLUMN agreement.claim IS 'differs where a difference shows, never more; NULL where undecided';
COMMENT ON COLUMN agreement.verdict IS 'that they differ is supported (q at most 0.05, over windows), a tendency (the same within fewer windows), or undecided';
COMMENT ON COLUMN agreement.why_not IS 'why it is not supported. too few windows: fewer than six in common; not comparable: no prompt that both answered twice; too few answers: no result could show a difference; no difference shown';
COMMENT ON COLUMN agreement.example_prompt_hash IS 'the prompt on which they lie farthest apart, beyond their own variation';
COMMENT ON COLUMN agreement.example_a_request_id IS 'a request whose answer differs from';
COMMENT ON COLUMN agreement.example_b_request_id IS 'this one of the other; NULL where no two differ';
COMMENT ON COLUMN agreement.warning IS 'what to know before using the row; NULL where nothing';
