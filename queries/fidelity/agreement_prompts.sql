-- agreement_prompts: one row per model × scenario × provider pair × prompt
-- tells: the same for each prompt, with two answers to read
-- example: SELECT model, provider_a, provider_b, prompt_hash, distance, p, differs FROM agreement_prompts WHERE differs ORDER BY p, model LIMIT 10
-- needs: _agreement
-- key: model, scenario, provider_a, params_a, provider_b, params_b, prompt_hash
-- stored: no
CREATE OR REPLACE VIEW agreement_prompts AS
SELECT
    model, scenario, provider_a, params_a, provider_b, params_b, prompt_hash,
    basis, n_windows, n_a, n_b, distance, variation_a, variation_b,
    p, least_p, p <= 0.05 AS differs, evidence, example_a_request_id, example_b_request_id
FROM _agreement
WHERE prompt_hash IS NOT NULL;

COMMENT ON VIEW agreement_prompts IS 'one row per model × scenario × provider pair × prompt: whether their answers to it differ by more than each one''s own do';
COMMENT ON COLUMN agreement_prompts.model IS 'canonical model';
COMMENT ON COLUMN agreement_prompts.scenario IS 'scenario';
COMMENT ON COLUMN agreement_prompts.provider_a IS 'the provider whose name sorts first';
COMMENT ON COLUMN agreement_prompts.params_a IS 'parameters declared for it (JSON)';
COMMENT ON COLUMN agreement_prompts.provider_b IS 'the other';
COMMENT ON COLUMN agreement_prompts.params_b IS 'parameters declared for it (JSON)';
COMMENT ON COLUMN agreement_prompts.prompt_hash IS 'the prompt';
COMMENT ON COLUMN agreement_prompts.basis IS 'what was compared: text, json (in one spelling), number (the one that a check asks for), tool (calls), mixed';
COMMENT ON COLUMN agreement_prompts.n_windows IS 'windows in which both answered it';
COMMENT ON COLUMN agreement_prompts.n_a IS 'answers compared, 64 at most';
COMMENT ON COLUMN agreement_prompts.n_b IS 'answers compared, 64 at most';
COMMENT ON COLUMN agreement_prompts.distance IS 'mean share of words, place by place, in which an answer of one differs from one of the other, 0 to 1; NULL where a side has a single answer';
COMMENT ON COLUMN agreement_prompts.variation_a IS 'the same between two answers of the first';
COMMENT ON COLUMN agreement_prompts.variation_b IS 'the same between two answers of the second';
COMMENT ON COLUMN agreement_prompts.p IS 'p-value of no difference (permutation of answers within windows; of windows from six on)';
COMMENT ON COLUMN agreement_prompts.least_p IS 'smallest p-value that so many answers can reach';
COMMENT ON COLUMN agreement_prompts.differs IS 'p at most 0.05; by chance one prompt in twenty does';
COMMENT ON COLUMN agreement_prompts.evidence IS 'windows: over six windows or more; within: within fewer; none: not compared';
COMMENT ON COLUMN agreement_prompts.example_a_request_id IS 'request whose answer lies farthest from';
COMMENT ON COLUMN agreement_prompts.example_b_request_id IS 'this one of the other';
