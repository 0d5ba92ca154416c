"""LLMeter's own endpoint and runner, driven with the suite."""
import httpx
import suite

suite.stand_ins("llmeter")
from llmeter import runner
from llmeter.endpoints import base, openai as endpoint

for module in (base, endpoint):
    if hasattr(module, "time"):
        module.time = suite.Clock()


class Reads(httpx.SyncByteStream):
    def __init__(self, stream):
        self.stream = stream

    def __iter__(self):
        yield from suite.reads(self.stream)
        if suite.breaks(self.stream):
            raise httpx.RemoteProtocolError("peer closed connection without sending complete message body (incomplete chunked read)")


class Server(httpx.BaseTransport):
    stream = None

    def handle_request(self, request):
        answer = self.stream["response"]
        return httpx.Response(answer["status"], headers={**answer["headers"], "retry-after": "0.01"}, stream=Reads(self.stream))


async def measure(stream, server):
    Server.stream = stream
    client = endpoint.OpenAICompletionStreamEndpoint("m-1", api_key="none", base_url="http://127.0.0.1/v1", http_client=httpx.Client(transport=Server()))
    r = client.invoke(client.create_payload("hello", max_tokens=64))
    if r.error:
        return {"success": False}
    await runner._Run._update_token_counts(suite.Words(), r)
    await runner._Run._compute_time_per_output_token(r)
    return {"success": True, "ttft_ms": suite.ms(r.time_to_first_token), "latency_ms": suite.ms(r.time_to_last_token)}


suite.say(measure)
