"""Holds the medians of imported rows (argv[1], CSV of provider, n, p50 in ms) against what each tool reports itself."""
import csv
import glob
import json
import sys

work = sys.argv[2]
ours = {r["provider"]: r for r in csv.DictReader(open(sys.argv[1]))}


def load(pattern):
    return json.load(open(glob.glob(f"{work}/{pattern}", recursive=True)[0]))


def llmeter():
    return load("llmeter/run/stats.json")["time_to_first_token-p50"] * 1e3


def genai_bench():
    return load("genai-bench/**/D*.json")["aggregated_metrics"]["stats"]["ttft"]["p50"] * 1e3


def guidellm():
    return load("guidellm/*.json")["benchmarks"][0]["metrics"]["time_to_first_token_ms"]["successful"]["median"]


def aiperf():
    return load("aiperf/profile_export_aiperf.json")["time_to_first_token"]["p50"]


def inference_perf():
    return load("inference-perf/summary_lifecycle_metrics.json")["successes"]["latency"]["time_to_first_token"]["median"] * 1e3


def evalscope():
    return None  # its own report has means alone


bad = 0
for tool, says in [("llmeter", llmeter), ("genai-bench", genai_bench), ("guidellm", guidellm), ("aiperf", aiperf),
                   ("inference-perf", inference_perf), ("evalscope", evalscope)]:
    if tool not in ours:
        continue
    want, got = says(), float(ours[tool]["p50"])
    # Definitions of a median differ by the place between two values of some twenty.
    off = want is not None and abs(got - want) > max(0.1, 0.05 * want)
    print(f"{tool:<15} {ours[tool]['n']:>4} requests, first token p50 {got:7.2f} ms, the tool says {'nothing' if want is None else f'{want:.2f} ms'}{'  DIFFERS' if off else ''}")
    bad += off
print(f"{'our recording':<15} {ours['ours']['n']:>4} requests, first token p50 {float(ours['ours']['p50']):7.2f} ms")
sys.exit(bad > 0)
