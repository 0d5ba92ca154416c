"""LLMeter's own code, driven with the reads of the suite in argv[1]; its clock is set to their times."""
import asyncio
import base64
import glob
import json
import logging
import sys
import time

import httpx
from llmeter.endpoints import base, openai as endpoint
from llmeter import runner

logging.disable(logging.CRITICAL)
now = 0.0  # seconds since the start of the request


class Clock:
    perf_counter = staticmethod(lambda: now)

    def __getattr__(self, name):
        return getattr(time, name)


for module in (base, endpoint):
    if hasattr(module, "time"):
        module.time = Clock()


class Reads(httpx.SyncByteStream):
    def __init__(self, stream):
        self.stream = stream

    def __iter__(self):
        global now
        for read in self.stream["chunks"]:
            now = read["t_ms"] / 1e3
            yield base64.b64decode(read["b64"]) if "b64" in read else read["text"].encode()
        now = self.stream["end_ms"] / 1e3
        if "end_reason" in self.stream:
            raise httpx.RemoteProtocolError("peer closed connection without sending complete message body (incomplete chunked read)")


class Server(httpx.BaseTransport):
    stream = None

    def handle_request(self, request):
        answer = self.stream["response"]
        return httpx.Response(answer["status"], headers={**answer["headers"], "retry-after": "0.01"}, stream=Reads(self.stream))


class Words:
    def encode(self, text):
        return (text or "").split()

    def decode(self, tokens):
        return " ".join(tokens)


out = {}
for path in sorted(glob.glob(sys.argv[1] + "/*.json")):
    with open(path) as f:
        stream = json.load(f)
    if not stream["request"]["url"].endswith("/chat/completions"):
        continue
    Server.stream, now = stream, 0.0
    client = endpoint.OpenAICompletionStreamEndpoint("m-1", api_key="none", base_url="http://127.0.0.1/v1", http_client=httpx.Client(transport=Server()))
    try:
        r = client.invoke(client.create_payload("hello", max_tokens=64))
        if not r.error:
            asyncio.run(runner._Run._update_token_counts(Words(), r))
            asyncio.run(runner._Run._compute_time_per_output_token(r))
    except Exception as fault:  # the tool stops: no success
        out[stream["name"]] = {"success": False, "stops": repr(fault)[:200]}
        continue
    ms = lambda s: None if s is None else round(s * 1e3, 6)
    out[stream["name"]] = {"success": not r.error}
    if not r.error:
        out[stream["name"]] |= {"ttft_ms": ms(r.time_to_first_token), "latency_ms": ms(r.time_to_last_token)}
json.dump(out, sys.stdout)
