"""GuideLLM's own backend and statistics, driven with the suite."""
import httpx
import suite

suite.stand_ins("guidellm")
import guidellm.backends.openai.http as backend
import guidellm.schemas.base as base
from guidellm.backends.openai.request_handlers import OpenAIRequestHandlerFactory
from guidellm.schemas.base import request_stats

backend.time = suite.Clock()


class Reads(httpx.AsyncByteStream):
    def __init__(self, stream):
        self.stream = stream

    async def __aiter__(self):
        for data in suite.reads(self.stream):
            yield data
        if suite.breaks(self.stream):
            raise httpx.RemoteProtocolError("peer closed connection")


class Transport(httpx.AsyncBaseTransport):
    stream = None

    async def handle_async_request(self, request):
        answer = self.stream["response"]
        return httpx.Response(answer["status"], headers=answer["headers"], stream=Reads(self.stream), request=request)


class Arguments:
    stream = True


async def measure(stream, server):
    Transport.stream = stream
    b = backend.OpenAIHTTPBackend.__new__(backend.OpenAIHTTPBackend)
    b._async_client, b._args = httpx.AsyncClient(transport=Transport()), Arguments()
    b._check_tool_call_expectations = lambda *a, **k: None
    info, response = base.RequestInfo(), None
    handler = OpenAIRequestHandlerFactory.create(suite.PATH)
    async for r, info in b._resolve_streaming(base.GenerationRequest(), info, handler, base.GenerationRequestArguments(), dict(method="POST", url="http://127.0.0.1" + suite.PATH, json={})):
        response = r or response
    info.timings.resolve_end = suite.now
    s = request_stats.GenerativeRequestStats(request_id="x", info=info, input_metrics=response.input_metrics, output_metrics=response.output_metrics)
    return {"success": True, "ttft_ms": s.time_to_first_token_ms, "itl_ms": s.inter_token_latency_ms, "tpot_ms": s.time_per_output_token_ms,
        "latency_ms": suite.ms(s.request_latency), "output_tokens": s.output_tokens}


suite.say(measure)
