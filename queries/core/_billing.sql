-- _billing: whether a request is paid for, as far as its ending tells
-- stored: no

-- billed: it was answered, or its provider counted its tokens. free: nothing
-- was sent, or the status says no. unknown: it failed while it was being
-- answered, and whether that is charged, and for how much, no recording shows.
CREATE OR REPLACE MACRO _billing(answered, outcome, token_source, http_status, end_reason, sent_ms) AS
    CASE
        WHEN answered OR token_source = 'usage' THEN 'billed'
        WHEN http_status >= 400 OR outcome IN ('rejected', 'account', 'rate_limited', 'unavailable', 'server_error') THEN 'free'
        WHEN end_reason IN ('dns', 'refused', 'tls', 'timeout_connect') OR end_reason IS NOT NULL AND http_status IS NULL AND sent_ms IS NULL THEN 'free'
        ELSE 'unknown'
    END;
