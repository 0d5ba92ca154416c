-- title: Whether mixtures of experts are faster than dense models
-- sub: Medians over providers that serve both, by the architecture that plans declare.
-- empty: No provider serves both a mixture of experts and a dense model.
SELECT scenario AS "Scenario", metric AS "Measure", moe_cells AS "MoE cells [n]", dense_cells AS "Dense cells [n]", moe AS "MoE [num]", dense AS "Dense [num]",
       ratio AS "MoE against dense [ratio]", ratio_lo AS "[lo]", ratio_hi AS "[hi]", warning AS "Note"
FROM architectures
ORDER BY ALL
