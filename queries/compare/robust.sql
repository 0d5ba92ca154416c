-- robust: one row per supported headline
-- tells: how stubborn each verdict is: under how many other reasonable choices it holds
-- example: SELECT headline, holds, choices, says FROM robust ORDER BY holds / choices, place
-- needs: _robust
-- key: place
--
-- The headlines (who is first, cheapest, most reliable; which pairs flip) are decided
-- again under some forty other choices of margin, percentile, definition and windows,
-- as analyze robust does.
CREATE OR REPLACE VIEW robust AS
SELECT
    place, kind, metric, headline, holds, choices,
    holds / nullif(choices, 0) AS share,
    falls,
    'holds in ' || holds || ' of ' || choices
        || CASE WHEN falls IS NULL THEN '' ELSE '; falls if: ' || falls END AS says
FROM _robust;

COMMENT ON VIEW robust IS 'one row per supported headline: in how many of the other choices that a reasonable analyst could have made it holds, and what makes it fall. It costs no request';
COMMENT ON COLUMN robust.place IS 'order of listing, 1 first';
COMMENT ON COLUMN robust.kind IS 'first, cheapest, most reliable or flip';
COMMENT ON COLUMN robust.metric IS 'see metrics';
COMMENT ON COLUMN robust.headline IS 'what is claimed';
COMMENT ON COLUMN robust.holds IS 'choices under which it is still decided so';
COMMENT ON COLUMN robust.choices IS 'choices that the data can answer';
COMMENT ON COLUMN robust.share IS 'holds ÷ choices';
COMMENT ON COLUMN robust.falls IS 'the choices under which it does not hold; NULL where there is none';
COMMENT ON COLUMN robust.says IS 'the same in words';
