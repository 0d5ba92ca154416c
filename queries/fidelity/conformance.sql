-- conformance: one row per target × probe
-- tells: whether parameters are honoured and usage is reported rightly
-- example: SELECT provider, model, probe, claim, verdict, k, n, finding FROM conformance ORDER BY provider, model, probe
-- needs: _probed, _probe_tests, _targets, _usage_ratios
-- key: provider, model, model_id, api, region, probe
--
-- Unverifiable is what holds unless the rows show otherwise. honoured: each answer
-- is as the parameter would have it, three at least, and without it they are not
-- (Fisher's test at 5 %). ignored: at least two answers plainly are not. rejected:
-- no request with the parameter was accepted, three at least were rejected, and
-- none without it.
CREATE OR REPLACE VIEW conformance AS
WITH probed AS (
    SELECT p.*, t.p,
        CASE
            WHEN p.rejected >= 3 AND p.n + p.unclear = 0 AND p.control_rejected = 0 AND p.control_n > 0 THEN 'rejected'
            WHEN p.alike AND p.probe <> 'usage' THEN 'unverifiable'
            WHEN p.n - p.k >= 2 THEN 'ignored'
            WHEN p.k >= 3 AND p.k = p.n AND p.rejected = 0 AND (p.probe = 'usage' OR t.p <= 0.05) THEN 'honoured'
            ELSE 'unverifiable'
        END AS claim
    FROM _probed p
    LEFT JOIN _probe_tests t ON t.provider = p.provider AND t.model = p.model AND t.probe = p.probe
        AND t.model_id IS NOT DISTINCT FROM p.model_id AND t.api IS NOT DISTINCT FROM p.api AND t.region IS NOT DISTINCT FROM p.region
),
said AS (
    SELECT *,
        CASE
            WHEN claim = 'rejected' THEN rejecting_finding
            WHEN claim = 'ignored' THEN concat_ws('; ', ignoring_finding, CASE WHEN k > 0 THEN 'mixed: honoured in ' || k || ' of ' || n END)
            WHEN claim = 'honoured' THEN honouring_finding
            WHEN alike AND probe <> 'usage' THEN 'the API has no way to ask for it: both arms were sent alike'
            WHEN rejected > 0 AND control_rejected > 0 THEN 'rejected without it, too'
            WHEN rejected > 0 THEN 'mixed: rejected in ' || rejected || ' of ' || treatments
            WHEN n = 0 THEN coalesce(unclear_finding, 'no answer')
            WHEN k < n THEN 'mixed: honoured in ' || k || ' of ' || n
            WHEN k < 3 THEN 'too few answers'
            WHEN control_n = 0 THEN 'no control to hold it against'
            ELSE 'answers without it are the same: ' || coalesce(control_finding, '')
        END AS finding
    FROM probed
),
-- Providers of one model, each against the median of the others.
peers AS (
    SELECT
        u.provider, u.model, u.model_id, u.api, u.region, u.answers, u.output_ratio, u.input_ratio, u.enough, u.evidence,
        count(DISTINCT o.provider) AS others,
        quantile_cont(o.output_ratio, 0.5) AS others_ratio
    FROM _usage_ratios u
    LEFT JOIN _usage_ratios o ON o.model = u.model AND o.provider <> u.provider AND o.enough
    GROUP BY ALL
),
told AS (
    SELECT
        provider, model, model_id, api, region, probe, claim, k, n, treatments, rejected, controls, control_k, control_n, p,
        NULL::DOUBLE AS output_ratio, NULL::DOUBLE AS input_ratio, NULL::DOUBLE AS peers_ratio,
        NULL::VARCHAR AS declared, NULL::VARCHAR AS stated,
        finding,
        (CASE claim WHEN 'rejected' THEN rejecting WHEN 'ignored' THEN ignoring WHEN 'honoured' THEN honouring ELSE treated END)[:10] AS evidence,
        nullif(concat_ws('; ',
            CASE WHEN treatments < 5 THEN 'fewer than five repeats' END,
            CASE WHEN unclear > 0 THEN unclear || ' answers cannot tell' END), '') AS warning
    FROM said
    UNION ALL
    SELECT
        provider, model, model_id, api, region, 'usage_count',
        CASE
            WHEN NOT enough OR others < 2 OR output_ratio IS NULL THEN 'unverifiable'
            WHEN output_ratio BETWEEN 0.9 * others_ratio AND 1.1 * others_ratio THEN 'honoured'
            WHEN output_ratio < 0.8 * others_ratio OR output_ratio > 1.25 * others_ratio THEN 'ignored'
            ELSE 'unverifiable'
        END,
        NULL, answers, NULL, NULL, NULL, NULL, NULL, NULL,
        output_ratio, input_ratio, CASE WHEN others > 0 THEN others_ratio END,
        NULL, NULL,
        round(output_ratio, 2) || ' tokens reported for each o200k token shown'
            || CASE WHEN others > 0 THEN '; other providers of the model report ' || round(others_ratio, 2) ELSE '' END,
        evidence,
        nullif(concat_ws('; ',
            CASE WHEN NOT enough THEN 'fewer than five answers or 200 tokens' END,
            CASE WHEN others < 2 THEN 'fewer than two other providers of the model: each model has tokens of its own' END), '')
    FROM peers
    UNION ALL
    SELECT
        provider, model, model_id, api, region, 'service_tier',
        CASE
            WHEN service_tier LIKE '% and %' OR lower(service_tier) = 'auto' THEN 'unverifiable'
            WHEN tier_n - tier_k >= 2 THEN 'ignored'
            WHEN tier_n >= 3 AND tier_k = tier_n THEN 'honoured'
            ELSE 'unverifiable'
        END,
        tier_k, tier_n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        service_tier, served_tier,
        coalesce('declared ' || service_tier, 'undeclared') || '; ' || coalesce('responses state ' || served_tier, 'responses state none'),
        tier_others, NULL
    FROM _targets
    UNION ALL
    SELECT
        provider, model, model_id, api, region, 'precision', 'unverifiable',
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        "precision", NULL,
        coalesce('declared ' || "precision" || '; no response can prove it', 'undisclosed'),
        NULL, NULL
    FROM _targets
    UNION ALL
    SELECT
        provider, model, model_id, api, region, 'residency', 'unverifiable',
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        residency, NULL,
        coalesce('declared ' || residency || '; no response can prove it', 'undisclosed'),
        NULL, NULL
    FROM _targets
)
SELECT
    provider, model, model_id, api, region, probe, claim,
    CASE claim WHEN 'unverifiable' THEN 'undecided' ELSE 'supported' END AS verdict,
    CASE claim WHEN 'unverifiable' THEN coalesce(warning, finding) END AS why_not,
    * EXCLUDE (provider, model, model_id, api, region, probe, claim)
FROM told;

COMMENT ON VIEW conformance IS 'one row per target × probe: whether a parameter does what it says, by requests with and without it; and what is declared and cannot be tried: usage counts, service tier, precision, residency';
COMMENT ON COLUMN conformance.provider IS 'who serves the model';
COMMENT ON COLUMN conformance.model IS 'canonical model';
COMMENT ON COLUMN conformance.model_id IS 'model name as sent';
COMMENT ON COLUMN conformance.api IS 'dialect spoken';
COMMENT ON COLUMN conformance.region IS 'region of the endpoint, as declared';
COMMENT ON COLUMN conformance.probe IS 'reasoning_off, max_tokens, stop, json_mode, usage, tools, n, logprobs: parameters; usage_count: usage as reported against o200k and against other providers of the model; service_tier, precision, residency: as declared';
COMMENT ON COLUMN conformance.claim IS 'honoured, ignored, rejected, or unverifiable: what holds unless the rows show otherwise';
COMMENT ON COLUMN conformance.verdict IS 'supported, or undecided where the claim is unverifiable';
COMMENT ON COLUMN conformance.why_not IS 'why it cannot be verified; NULL where it is';
COMMENT ON COLUMN conformance.k IS 'answers with the parameter that are as it would have them; responses that state the declared tier';
COMMENT ON COLUMN conformance.n IS 'answers with the parameter that can tell; of usage_count, answers that were counted';
COMMENT ON COLUMN conformance.treatments IS 'requests with the parameter';
COMMENT ON COLUMN conformance.rejected IS 'of these, rejected';
COMMENT ON COLUMN conformance.controls IS 'requests without the parameter';
COMMENT ON COLUMN conformance.control_k IS 'answers without the parameter that are as it would have them all the same';
COMMENT ON COLUMN conformance.control_n IS 'answers without the parameter that can tell';
COMMENT ON COLUMN conformance.p IS 'Fisher''s exact test, two-sided, that the parameter makes no difference';
COMMENT ON COLUMN conformance.output_ratio IS 'output tokens as reported ÷ o200k tokens of what was shown; 1 would be o200k''s own count';
COMMENT ON COLUMN conformance.input_ratio IS 'input tokens as reported ÷ o200k tokens of the prompt''s texts, without what a template adds';
COMMENT ON COLUMN conformance.peers_ratio IS 'median output_ratio of other providers of the model';
COMMENT ON COLUMN conformance.declared IS 'what the plan or headers declare';
COMMENT ON COLUMN conformance.stated IS 'what responses state';
COMMENT ON COLUMN conformance.finding IS 'what was seen, in a few words: most frequent of the rows that decide';
COMMENT ON COLUMN conformance.evidence IS 'requests that decide, ten at most; see probes';
COMMENT ON COLUMN conformance.warning IS 'what to mind; NULL where nothing';
