"""evalscope's own perf, driven with the suite."""
import aiohttp
import suite

suite.stand_ins("evalscope")
suite.parent("evalscope")
suite.parent("evalscope.perf")
from evalscope.perf.plugin.api import default_api, openai_api
from evalscope.perf.utils import benchmark_util

default_api.time = suite.Clock()


class Parameters:
    model, tokenizer_path, apply_chat_template = "m-1", None, True

    def __getattr__(self, name):
        return None


plugin = openai_api.OpenaiPlugin(Parameters())


async def measure(stream, server):
    asked = {"model": "m-1", "messages": [{"role": "user", "content": "hi"}], "stream": True}
    async with aiohttp.ClientSession() as session:
        o = await plugin.process_request(session, server.address + suite.PATH, {}, asked)
    if not o.success:
        return {"success": False, "stops": (o.error or "").strip()[-200:]}
    sums = benchmark_util.MetricsAccumulator(concurrency=1, rate=-1)
    try:
        sums.update(o, plugin)
    except Exception:  # no usage, and no tokenizer to count with
        return {"success": True, "latency_ms": suite.ms(o.query_latency), "ttft_ms": suite.ms(o.first_chunk_latency)}
    said = {"success": True, "latency_ms": suite.ms(o.query_latency), "ttft_ms": suite.ms(sums.total_first_chunk_latency)}
    said["itl_ms"] = suite.ms(sums.total_inter_token_latency / sums.n_inter_token_latencies) if sums.n_inter_token_latencies else None
    if o.completion_tokens:
        said["output_tokens"] = o.completion_tokens
        said["tpot_ms"] = suite.ms(o.time_per_output_token) if o.completion_tokens > 1 else None
    return said


suite.say(measure)
