-- pairs: one row per contest × metric × provider pair
-- tells: is A better than B, by how much, how sure, and if not, why
-- example: SELECT model, metric, provider_a, provider_b, ratio, ratio_lo, ratio_hi, verdict, why_not FROM pairs WHERE metric = 'ttft_net_ms' ORDER BY model, provider_a, provider_b
-- needs: _comparisons, _contests, metrics
-- key: model, scenario, concurrency, vantage, metric, provider_a, provider_b
--
-- Is A better than B, by how much, and how sure is it? ranks, flips and champions
-- rest on the same comparisons.
CREATE OR REPLACE VIEW pairs AS
SELECT
    s.contest_id, s.model, s.scenario, s.concurrency, s.vantage, s.metric, s.provider_a, s.provider_b, s.leader,
    s.level_a, s.level_b, s.ratio, s.lo AS ratio_lo, s.hi AS ratio_hi,
    a.estimate AS answers_a, b.estimate AS answers_b,
    s.n_a, s.n_b, s.n_windows, s.n_effective, s.rho,
    s.p, s.q, s.evidence, s.decided, s.lasting,
    CASE WHEN s.decided THEN 'supported' WHEN s.p <= 0.05 AND s.why_not IS DISTINCT FROM 'within the margin' THEN 'tendency' ELSE 'undecided' END AS verdict,
    s.why_not, s.smallest,
    CASE s.why_not
        WHEN 'too few windows' THEN CASE WHEN s.n_windows < 8 THEN 'eight windows or more that both have' ELSE '24 windows, or a third provider on two models' END
        WHEN 'dependent windows' THEN ceil(4 * s.n_windows / s.n_effective)::BIGINT || ' windows as far apart, or ' || s.n_windows || ' further apart'
        WHEN 'too few values' THEN '72 values a side'
        WHEN 'failures differ' THEN 'fewer failures: answered_share says how they differ'
        WHEN 'unstated' THEN 'answers that state it: visible_tokens_per_s compares speeds where tokens cannot be told'
        WHEN 'units differ' THEN 'visible_tokens_per_s compares all providers of the contest'
        WHEN 'mixes differ' THEN 'the same requests to both: a plan, or traffic shared out at random'
        WHEN 'too little power' THEN CASE
            WHEN s.smallest IS NULL THEN NULL
            WHEN m.unit = 'share' AND abs(s.level_a - s.level_b) > m.margin_abs
                THEN 'about ' || ceil(s.n_windows * (s.smallest / (s.level_a - s.level_b)) ** 2 - 1e-9)::BIGINT || ' windows, if the difference is as seen'
            WHEN m.unit <> 'share' AND abs(ln(s.ratio)) > ln(1 + m.margin_ratio)
                THEN 'about ' || ceil(s.n_windows * (ln(s.smallest) / ln(s.ratio)) ** 2 - 1e-9)::BIGINT || ' windows, if the difference is as seen'
            ELSE 'no number of windows, if the difference is as seen: it lies within the margin' END
    END AS settled_by
FROM _comparisons s
JOIN metrics m ON m.metric = s.metric
LEFT JOIN _contests a ON a.metric = s.metric AND a.contest_id = s.contest_id AND a.provider = s.provider_a
LEFT JOIN _contests b ON b.metric = s.metric AND b.contest_id = s.contest_id AND b.provider = s.provider_b
WHERE s.period IS NULL;

COMMENT ON VIEW pairs IS 'one row per contest (model × scenario × concurrency × vantage) × metric × provider pair: who is better, by how much, how sure it is, and if nothing is decided, why';
COMMENT ON COLUMN pairs.contest_id IS 'number of the contest, see results';
COMMENT ON COLUMN pairs.metric IS 'see metrics';
COMMENT ON COLUMN pairs.provider_a IS 'the provider whose name sorts first';
COMMENT ON COLUMN pairs.provider_b IS 'the other';
COMMENT ON COLUMN pairs.leader IS 'the better one in the windows recorded; NULL where they are equal, not compared, or nothing is known';
COMMENT ON COLUMN pairs.level_a IS 'the level of provider_a that is compared, in the unit of the metric: geometric mean of the medians of the common windows (of their 95th percentiles, for a tail), failed attempts being slower than any answer and outlying windows drawn in; for shares and costs the ratio of sums';
COMMENT ON COLUMN pairs.level_b IS 'the same of provider_b';
COMMENT ON COLUMN pairs.ratio IS 'level_a ÷ level_b, of live traffic the ratio of like_for_like; NULL where one of them is 0';
COMMENT ON COLUMN pairs.ratio_lo IS 'lower end of its interval at 95 %: of conditions like those recorded, from eight common windows on; below, of these windows alone';
COMMENT ON COLUMN pairs.ratio_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN pairs.answers_a IS 'the metric''s statistic over all complete answers of provider_a, failures left out: what latency shows';
COMMENT ON COLUMN pairs.answers_b IS 'the same of provider_b';
COMMENT ON COLUMN pairs.n_a IS 'attempts of provider_a in the common windows, failed ones included; useful results for costs';
COMMENT ON COLUMN pairs.n_b IS 'the same of provider_b';
COMMENT ON COLUMN pairs.n_windows IS 'windows that both have';
COMMENT ON COLUMN pairs.n_effective IS 'how many independent windows they are worth; NULL under eight';
COMMENT ON COLUMN pairs.rho IS 'correlation of neighbouring windows, estimated over all providers and models of the metric; NULL under eight windows';
COMMENT ON COLUMN pairs.p IS 'p-value, two-sided, of a difference of a quarter of the margin at most; NULL where there is no test';
COMMENT ON COLUMN pairs.q IS 'p adjusted over all pairs of the metric (Benjamini–Hochberg)';
COMMENT ON COLUMN pairs.evidence IS 'windows (eight common windows or more), within (fewer, which agree), none';
COMMENT ON COLUMN pairs.decided IS 'supported: q up to 0.05, beyond the margin, evidence windows: it would hold in other windows like these';
COMMENT ON COLUMN pairs.lasting IS 'decided, and each quarter of the day (UTC) was seen on two days or more, so that time of day cannot explain it; NULL where not decided';
COMMENT ON COLUMN pairs.verdict IS 'that the leader is better: supported where decided; tendency: p up to 0.05 by itself; else undecided';
COMMENT ON COLUMN pairs.why_not IS 'why it is not decided. too few windows: fewer than eight in common, or than 24 for a pair with no more than one other to compare; too few values: a tail of fewer than 72; dependent windows: worth fewer than four independent ones; failures differ: nothing came in a tenth of the windows; mixes differ: live traffic asked each for something else, see like_for_like; unstated: over a fifth of a side''s answers have no value; units differ: the tokens of another provider in the contest are not known, and visible_tokens_per_s compares all of them; within the margin: told apart, but too small to matter, or shown to be; too little power: so small a difference is not told from chance';
COMMENT ON COLUMN pairs.smallest IS 'the smallest ratio (shares: difference) that these windows would have decided with a chance of 80 %; NULL where none';
COMMENT ON COLUMN pairs.settled_by IS 'what would settle it, in words; NULL where it is decided or shown to be within the margin';
