"""vLLM's own `bench serve`, driven with the suite."""
import aiohttp
import suite

suite.stand_ins("vllm")
suite.parent("vllm")
from vllm.benchmarks.lib import endpoint_request_func as client

client.time = suite.Clock()


async def measure(stream, server):
    async with aiohttp.ClientSession() as session:
        asked = client.RequestFuncInput(prompt="hi", api_url=server.address + suite.PATH, prompt_len=1, output_len=64, model="m-1")
        o = await client.async_request_openai_chat_completions(asked, session)
    if not o.success:
        return {"success": False}
    said = {"success": True, "latency_ms": suite.ms(o.latency)}
    said["ttft_ms"] = suite.ms(o.ttft) or None
    said["itl_ms"] = suite.ms(sum(o.itl) / len(o.itl)) if o.itl else None
    if o.output_tokens:
        said["output_tokens"] = o.output_tokens
        said["tpot_ms"] = suite.ms((o.latency - o.ttft) / (o.output_tokens - 1)) if o.output_tokens > 1 else None
    return said


suite.say(measure)
