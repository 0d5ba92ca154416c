-- _temperature: the temperature that a request asks for
-- stored: no

-- Declared parameters first; where they are silent the body speaks, in the
-- spellings that APIs have for it. NULL where neither says anything.
CREATE OR REPLACE MACRO _temperature(params, body) AS
    try_cast(coalesce(
        try(json_extract_string(params, '$.temperature')),
        list_filter(try(json_extract_string(body, ['$.temperature', '$.generationConfig.temperature', '$.inferenceConfig.temperature', '$.options.temperature'])),
            lambda v: v IS NOT NULL)[1]
    ) AS DOUBLE);
