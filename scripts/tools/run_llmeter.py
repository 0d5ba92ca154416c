"""Runs LLMeter against the server of argv[1]; its output goes to argv[2]."""
import asyncio
import sys

from llmeter.endpoints.openai import OpenAICompletionStreamEndpoint as Endpoint
from llmeter.runner import Runner

endpoint = Endpoint(model_id="owl", api_key="none", base_url=sys.argv[1] + "/v1")
payload = [Endpoint.create_payload(user_message=f"Tell me about ships {i}", max_tokens=40) for i in range(10)]
asyncio.run(Runner(endpoint, output_path=sys.argv[2]).run(payload=payload, n_requests=20, clients=2, run_name="run"))
