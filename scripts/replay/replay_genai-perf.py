"""genai-perf's own parser of profiles, given the suite's reads as Perf Analyzer writes them."""
import json
import os
import re
import tempfile

import suite

suite.stand_ins("genai_perf")
from genai_perf.profile_data_parser import llm_profile_data_parser as parser


class Words:
    def __call__(self, texts, **_):
        return {"input_ids": [["!"] + t[1:].split() for t in texts]}

    def encode(self, text, **_):
        return text.split()


async def measure(stream, server):
    if stream["response"]["status"] != 200 or suite.breaks(stream):
        return {"success": False}
    # It stops at a message without a choice: IndexError at the usage that comes last.
    reads = [(suite.now, b"\n\n".join(m for m in data.split(b"\n\n") if not re.search(rb'"choices": ?\[\]', m))) for data in suite.reads(stream)]
    reads = [(t, data) for t, data in reads if data.strip()]
    profile = {"service_kind": "openai", "endpoint": "v1/chat/completions", "experiments": [{
        "experiment": {"mode": "concurrency", "value": 1}, "window_boundaries": [], "requests": [{
            "timestamp": 0, "request_inputs": {"payload": json.dumps({"messages": [{"role": "user", "content": "hi"}]})},
            "response_timestamps": [round(t * 1e9) for t, _ in reads], "response_outputs": [{"response": data.decode(errors="replace")} for _, data in reads]}]}]}
    kept = []
    made = parser.LLMMetrics

    def keep(*args, **named):
        kept.append(made(*args, **named))
        return kept[-1]

    parser.LLMMetrics = keep
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as f:
        json.dump(profile, f)
    try:
        parser.LLMProfileDataParser(f.name, Words())
    except Exception:
        if not kept:
            raise
    finally:
        parser.LLMMetrics = made
        os.unlink(f.name)
    m = kept[0]
    first = lambda values: round(values[0] / 1e6, 6) if values else None
    return {"success": bool(m.request_latencies), "ttft_ms": first(m.time_to_first_tokens), "latency_ms": first(m.request_latencies)}


suite.say(measure)
