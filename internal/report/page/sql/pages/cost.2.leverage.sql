-- title: Whether the model or the provider decides the bill
-- sub: The median ratio between the prices of two providers of one model, against that between two models of one provider, over pairs that both have.
-- empty: Too few prices overlap to compare both ways.
SELECT provider_ratio AS "Changing the provider [ratio]", provider_ratio_lo AS "[lo]", provider_ratio_hi AS "[hi]", provider_pairs AS "Pairs [n]",
       model_ratio AS "Changing the model [ratio]", model_ratio_lo AS "[lo]", model_ratio_hi AS "[hi]", model_pairs AS "Pairs of models [n]",
       leverage AS "Model against provider [ratio]", leverage_lo AS "[lo]", leverage_hi AS "[hi]",
       passing_leverage AS "Among models that pass the same checks [ratio]", warning AS "Note"
FROM cost_leverage
WHERE provider_ratio IS NOT NULL OR model_ratio IS NOT NULL
