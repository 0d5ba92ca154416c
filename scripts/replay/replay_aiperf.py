"""aiperf's own client, parser and metrics, driven with the suite."""
import suite

suite.stand_ins("aiperf")
import aiperf.transports.aiohttp_client as client
import aiperf.transports.sse_utils as sse
from aiperf.common.models.record_models import ParsedResponseRecord, TokenCounts
from aiperf.endpoints.openai_chat import ChatEndpoint
from aiperf.metrics.metric_dicts import MetricRecordDict
from aiperf.metrics.types.inter_token_latency_metric import InterTokenLatencyMetric
from aiperf.metrics.types.output_sequence_length_metric import OutputSequenceLengthMetric
from aiperf.metrics.types.request_latency_metric import RequestLatencyMetric
from aiperf.metrics.types.ttft_metric import TTFTMetric

client.time = sse.time = suite.Clock()
ChatEndpoint.is_enabled_for = lambda *a, **k: False
ChatEndpoint.is_debug_enabled = ChatEndpoint.is_trace_enabled = False
ChatEndpoint.debug = ChatEndpoint.trace = lambda *a, **k: None
endpoint = ChatEndpoint.__new__(ChatEndpoint)


async def measure(stream, server):
    http = client.AioHttpClient(timeout=60.0)
    record = await http.post_request(server.address + suite.PATH, b'{"stream":true}', {"Content-Type": "application/json", "Accept": "text/event-stream"})
    answers = [] if record.error else [p for p in map(endpoint.parse_response, record.responses) if p]
    field = lambda name: "".join(getattr(p.data, name, None) or "" for p in answers if p.data)
    counts = TokenCounts(input=1, output=len((field("text") or field("content")).split()), reasoning=len(field("reasoning").split()))
    parsed = ParsedResponseRecord(request=record, responses=answers, token_counts=counts)
    parsed.create_error_from_invalid()
    if parsed.request.error:
        return {"success": False, "stops": str(parsed.request.error)[:200]}
    values, done = {}, MetricRecordDict()
    for metric in (TTFTMetric, RequestLatencyMetric, OutputSequenceLengthMetric, InterTokenLatencyMetric):
        try:
            values[metric.tag] = done[metric.tag] = metric()._parse_record(parsed, done)
        except Exception:  # no value
            values[metric.tag] = None
    ms = lambda ns: None if ns is None else round(ns / 1e6, 6)
    said = {"success": True, "ttft_ms": ms(values["time_to_first_token"]), "latency_ms": ms(values["request_latency"])}
    usage = next((p.usage for p in reversed(answers) if p.usage), None) or {}
    if values["output_sequence_length"] == usage.get("completion_tokens"):  # its tokenizer's count, for which definitions takes the usage
        said["itl_ms"] = said["tpot_ms"] = ms(values["inter_token_latency"])
        said["output_tokens"] = values["output_sequence_length"]
    return said


suite.say(measure)
