-- _kinds: names for the codes of event kinds, as dialect.Kind numbers them
-- stored: no
CREATE OR REPLACE MACRO _kind_name(code) AS
    ['start', 'text', 'reasoning', 'tool', 'refusal', 'finish', 'usage', 'error', 'done', 'ping', 'comment', 'meta', 'undecoded'][code + 1];
CREATE OR REPLACE MACRO _kind(name) AS
    list_position(['start', 'text', 'reasoning', 'tool', 'refusal', 'finish', 'usage', 'error', 'done', 'ping', 'comment', 'meta', 'undecoded'], name) - 1;
