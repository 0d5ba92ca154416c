-- like_for_like: one row per contest × metric × provider pair, of live traffic and of imported rows
-- tells: what providers of live traffic and of imported rows differ by on requests that are alike
-- example: FROM like_for_like ORDER BY ALL LIMIT 10
-- needs: _like_for_like
-- key: model, scenario, concurrency, vantage, metric, provider_a, provider_b
--
-- Before and after: what the traffic shows as it is, and what it shows of
-- requests that are alike. Where the kinds of request do not overlap there is
-- nothing to compare.
CREATE OR REPLACE VIEW like_for_like AS
SELECT
    contest_id, model, scenario, concurrency, vantage, metric, provider_a, provider_b,
    n_a, n_b, raw AS ratio_raw, ratio, lo AS ratio_lo, hi AS ratio_hi,
    days, overlap_a, overlap_b, p, q,
    CASE WHEN decided THEN 'supported' WHEN comparable AND p <= 0.05 THEN 'tendency' ELSE 'undecided' END AS verdict,
    why_not, live
FROM _like_for_like;

COMMENT ON VIEW like_for_like IS 'one row per contest (model × scenario × concurrency × vantage) × metric × provider pair of live traffic and of imported rows: the ratio as the traffic shows it, and the ratio of requests that are alike in input length, output length and hour, with days as clusters';
COMMENT ON COLUMN like_for_like.model IS 'canonical model';
COMMENT ON COLUMN like_for_like.scenario IS 'the declared slice of the traffic, else all';
COMMENT ON COLUMN like_for_like.concurrency IS 'streams kept open; NULL for live traffic';
COMMENT ON COLUMN like_for_like.vantage IS 'where the client stood';
COMMENT ON COLUMN like_for_like.contest_id IS 'number of the contest, see results';
COMMENT ON COLUMN like_for_like.metric IS 'see metrics';
COMMENT ON COLUMN like_for_like.provider_a IS 'the provider whose name sorts first';
COMMENT ON COLUMN like_for_like.provider_b IS 'the other';
COMMENT ON COLUMN like_for_like.n_a IS 'answers of provider_a';
COMMENT ON COLUMN like_for_like.n_b IS 'answers of provider_b';
COMMENT ON COLUMN like_for_like.ratio_raw IS 'geometric mean of provider_a ÷ that of provider_b, whatever was asked of each';
COMMENT ON COLUMN like_for_like.ratio IS 'the same within kinds of request and days that both have, each weighted n_a · n_b ÷ (n_a + n_b); NULL where they have none in common';
COMMENT ON COLUMN like_for_like.ratio_lo IS 'lower end of its interval at 95 %: of days like these';
COMMENT ON COLUMN like_for_like.ratio_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN like_for_like.days IS 'days on which both have a kind in common';
COMMENT ON COLUMN like_for_like.overlap_a IS 'share of provider_a''s answers in kinds and days that both have';
COMMENT ON COLUMN like_for_like.overlap_b IS 'the same of provider_b';
COMMENT ON COLUMN like_for_like.p IS 'p-value, two-sided; NULL where they are not compared';
COMMENT ON COLUMN like_for_like.q IS 'p adjusted over all pairs of the metric (Benjamini–Hochberg)';
COMMENT ON COLUMN like_for_like.verdict IS 'supported: q up to 0.05 and beyond the margin; tendency: p up to 0.05; else undecided';
COMMENT ON COLUMN like_for_like.why_not IS 'why it is not supported. mixes differ: less than half of a side''s answers lie in kinds that both have; too few windows: fewer than five days; within the margin; too little power';
COMMENT ON COLUMN like_for_like.live IS 'live traffic, whose pairs are decided by this ratio; else imported rows, whose pairs are withheld (mixes differ) where the kinds of request matter: where this ratio lies beyond the margin from that of whole days, or less than half of a side''s requests are of kinds that both have';
