"""inference-perf's own client and report, driven with the suite."""
import aiohttp
import suite

suite.stand_ins("inference_perf")
from inference_perf.apis import streaming_parser
from inference_perf.apis.chat import ChatCompletionAPIData, ChatMessage
from inference_perf.config import APIConfig, APIType
from inference_perf.reportgen import base as report

streaming_parser.time = suite.Clock()


class Words:
    def count_tokens(self, text, add_special_tokens=True):
        return len(text.split())


class Metric:
    start_time, error = 0.0, None


async def measure(stream, server):
    asked = ChatCompletionAPIData(messages=[ChatMessage(role="user", content="hi")], max_tokens=64)
    async with aiohttp.ClientSession() as session, session.post(server.address + suite.PATH, json={}) as response:
        if response.status != 200:
            return {"success": False}
        info = await asked.process_response(response, APIConfig(type=APIType.Chat, streaming=True), Words())
    m = Metric()
    m.info, m.end_time = info, suite.now
    report.correct_streamed_response_metrics(m, Words())
    said = report.compute_request_latency_metrics(m, False)
    return {"success": True, "ttft_ms": suite.ms(said["time_to_first_token"]), "itl_ms": suite.ms(said["inter_token_latency"]),
        "tpot_ms": suite.ms(said["time_per_output_token"]), "latency_ms": suite.ms(said["request_latency"])}


suite.say(measure)
