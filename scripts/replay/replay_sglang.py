"""sglang's own bench_serving, driven with the suite."""
import types

import suite

suite.stand_ins("sglang", "sglang.srt")
suite.parent("sglang")
from sglang.benchmark import serving

serving.time = suite.Clock()
serving.set_global_args(types.SimpleNamespace(disable_stream=False, disable_ignore_eos=False, header=None, print_requests=False, cache_report=False, tokenizer=None))


async def measure(stream, server):
    asked = serving.RequestFuncInput(prompt="hi", api_url=server.address + suite.PATH, prompt_len=1, output_len=64, model="m-1", lora_name="", image_data=None, extra_request_body={}, routing_key=None)
    o = await serving.async_request_openai_chat_completions(asked)
    if not o.success:
        return {"success": False, "stops": (o.error or "").strip()[-200:]}
    said = {"success": True, "latency_ms": suite.ms(o.latency)}
    said["ttft_ms"] = suite.ms(o.ttft) or None
    said["itl_ms"] = suite.ms(sum(o.itl) / len(o.itl)) if o.itl else None
    return said


suite.say(measure)
