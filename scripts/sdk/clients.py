"""Asks a simulated fleet through the makers' own clients, and compares what
they understood with the fleet's truth: clients.py ADDRESS TRUTH

Each client is asked for a plain answer, for one that ends by length, for a tool
call, whole and streamed, and once where the provider is busy.
"""

import json
import sys
import time
from dataclasses import dataclass, field

import anthropic
import boto3
import botocore.config
import botocore.exceptions
import google.genai
import google.genai.errors
import google.genai.types
import ollama
import openai

PROMPT = "Say something about the harbour."
TEXT = "The harbour is quiet, and ships come in."
SHORT = 16  # output tokens that end an answer by length
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"name": "weather", "description": "Weather in a city."}


@dataclass
class Heard:
    """What a client made of one response. Counts are as the API states them."""

    text: str = ""
    thinking: str = ""
    tool: str | None = None
    arguments: str | dict = ""
    finish: str | None = None
    input: int | None = None
    output: int | None = None  # without thinking where the API counts it beside
    reasoning: int | None = None


class Chat:
    name, beside = "chat", False
    finish = {"stop": "stop", "length": "length", "tool_calls": "tool_calls"}
    busy = openai.RateLimitError

    def __init__(self, address):
        self.client = openai.OpenAI(base_url=f"{address}/chat/v1", api_key="k", max_retries=0)

    def ask(self, model, stream, tool=False, limit=None):
        args = {"model": model, "messages": [{"role": "user", "content": PROMPT}]}
        if limit:
            args["max_tokens"] = limit
        if tool:
            args["tools"] = [{"type": "function", "function": TOOL | {"parameters": SCHEMA}}]
        h = Heard()
        if stream:
            parts = self.client.chat.completions.create(stream=True, stream_options={"include_usage": True}, **args)
        else:
            parts = [self.client.chat.completions.create(**args)]
        for part in parts:
            for choice in part.choices:
                said = choice.delta if stream else choice.message
                h.text += said.content or ""
                h.thinking += getattr(said, "reasoning_content", None) or ""
                for call in said.tool_calls or []:
                    h.tool = call.function.name or h.tool
                    h.arguments += call.function.arguments or ""
                h.finish = choice.finish_reason or h.finish
            if part.usage:
                h.input, h.output = part.usage.prompt_tokens, part.usage.completion_tokens
                h.reasoning = part.usage.completion_tokens_details.reasoning_tokens
        return h


class Responses:
    name, beside = "responses", False
    finish = {"stop": "completed", "length": "incomplete", "tool_calls": "completed"}
    busy = openai.RateLimitError

    def __init__(self, address):
        self.client = openai.OpenAI(base_url=f"{address}/responses/v1", api_key="k", max_retries=0)

    def ask(self, model, stream, tool=False, limit=None):
        args = {"model": model, "input": PROMPT}
        if limit:
            args["max_output_tokens"] = limit
        if tool:
            args["tools"] = [{"type": "function", "strict": False, "parameters": SCHEMA} | TOOL]
        h = Heard()
        if stream:
            streamed = Heard()
            for event in self.client.responses.create(stream=True, **args):
                if event.type == "response.output_text.delta":
                    streamed.text += event.delta
                elif event.type == "response.function_call_arguments.delta":
                    streamed.arguments += event.delta
                elif event.type in ("response.completed", "response.incomplete"):
                    response = event.response
        else:
            response = self.client.responses.create(**args)
        h.text = response.output_text
        for item in response.output:
            if item.type == "function_call":
                h.tool, h.arguments = item.name, item.arguments
            if item.type == "reasoning":
                h.thinking += "".join(s.text for s in item.summary)
        if stream and (streamed.text, streamed.arguments) != (h.text, h.arguments):
            raise AssertionError(f"streamed {streamed}, in the end {h}")
        h.finish = response.status
        h.input, h.output = response.usage.input_tokens, response.usage.output_tokens
        h.reasoning = response.usage.output_tokens_details.reasoning_tokens
        return h


class Messages:
    name, beside = "messages", False
    finish = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}
    busy = anthropic.RateLimitError

    def __init__(self, address):
        self.client = anthropic.Anthropic(base_url=f"{address}/messages", api_key="k", max_retries=0)

    def ask(self, model, stream, tool=False, limit=None):
        args = {"model": model, "max_tokens": limit or 1000, "messages": [{"role": "user", "content": PROMPT}]}
        if tool:
            args["tools"] = [TOOL | {"input_schema": SCHEMA}]
        if stream:
            with self.client.messages.stream(**args) as events:
                message = events.get_final_message()
        else:
            message = self.client.messages.create(**args)
        h = Heard(finish=message.stop_reason, input=message.usage.input_tokens, output=message.usage.output_tokens)
        for block in message.content:
            if block.type == "text":
                h.text += block.text
            elif block.type == "thinking":
                h.thinking += block.thinking
            elif block.type == "tool_use":
                h.tool, h.arguments = block.name, block.input
        return h


class Gemini:
    name, beside = "gemini", True
    finish = {"stop": "STOP", "length": "MAX_TOKENS", "tool_calls": "STOP"}
    busy = google.genai.errors.ClientError

    def __init__(self, address):
        options = google.genai.types.HttpOptions(base_url=f"{address}/gemini", timeout=20_000)
        self.client = google.genai.Client(api_key="k", http_options=options)

    def ask(self, model, stream, tool=False, limit=None):
        config = {"max_output_tokens": limit, "automatic_function_calling": {"disable": True}}
        if tool:
            config["tools"] = [{"function_declarations": [TOOL | {"parameters_json_schema": SCHEMA}]}]
        ask = self.client.models.generate_content_stream if stream else self.client.models.generate_content
        parts = ask(model=model, contents=PROMPT, config=config)
        h = Heard()
        for part in parts if stream else [parts]:
            for candidate in part.candidates or []:
                for piece in (candidate.content and candidate.content.parts) or []:
                    if piece.function_call:
                        h.tool, h.arguments = piece.function_call.name, piece.function_call.args
                    elif piece.thought:
                        h.thinking += piece.text or ""
                    else:
                        h.text += piece.text or ""
                h.finish = candidate.finish_reason.value if candidate.finish_reason else h.finish
            if part.usage_metadata:
                u = part.usage_metadata
                h.input, h.output, h.reasoning = u.prompt_token_count, u.candidates_token_count, u.thoughts_token_count
        return h


class Ollama:
    name, beside = "ollama", False
    finish = {"stop": "stop", "length": "length", "tool_calls": "stop"}
    busy = ollama.ResponseError

    def __init__(self, address):
        self.client = ollama.Client(host=f"{address}/ollama", timeout=20)

    def ask(self, model, stream, tool=False, limit=None):
        args = {"model": model, "messages": [{"role": "user", "content": PROMPT}]}
        if limit:
            args["options"] = {"num_predict": limit}
        if tool:
            args["tools"] = [{"type": "function", "function": TOOL | {"parameters": SCHEMA}}]
        parts = self.client.chat(stream=stream, **args)
        h = Heard()
        for part in parts if stream else [parts]:
            h.text += part.message.content or ""
            h.thinking += part.message.thinking or ""
            for call in part.message.tool_calls or []:
                h.tool, h.arguments = call.function.name, dict(call.function.arguments)
            if part.done:
                h.finish, h.input, h.output = part.done_reason, part.prompt_eval_count, part.eval_count
        return h


class Converse:
    name, beside = "converse", False
    finish = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}
    busy = botocore.exceptions.ClientError

    def __init__(self, address):
        config = botocore.config.Config(retries={"total_max_attempts": 1}, read_timeout=20)
        self.client = boto3.client(
            "bedrock-runtime", endpoint_url=f"{address}/converse", region_name="xx-test-1",
            aws_access_key_id="AKIDTEST", aws_secret_access_key="secret", config=config,
        )  # fmt: skip

    def ask(self, model, stream, tool=False, limit=None):
        args = {"modelId": model, "messages": [{"role": "user", "content": [{"text": PROMPT}]}]}
        if limit:
            args["inferenceConfig"] = {"maxTokens": limit}
        if tool:
            args["toolConfig"] = {"tools": [{"toolSpec": TOOL | {"inputSchema": {"json": SCHEMA}}}]}
        h = Heard()
        if not stream:
            response = self.client.converse(**args)
            for block in response["output"]["message"]["content"]:
                h.text += block.get("text", "")
                h.thinking += block.get("reasoningContent", {}).get("reasoningText", {}).get("text", "")
                if use := block.get("toolUse"):
                    h.tool, h.arguments = use["name"], use["input"]
            h.finish, usage = response["stopReason"], response["usage"]
        else:
            for event in self.client.converse_stream(**args)["stream"]:
                if start := event.get("contentBlockStart"):
                    h.tool = start["start"].get("toolUse", {}).get("name", h.tool)
                delta = event.get("contentBlockDelta", {}).get("delta", {})
                h.text += delta.get("text", "")
                h.thinking += delta.get("reasoningContent", {}).get("text", "")
                h.arguments += delta.get("toolUse", {}).get("input", "")
                h.finish = event.get("messageStop", {}).get("stopReason", h.finish)
                usage = event.get("metadata", {}).get("usage")
        h.input, h.output = usage["inputTokens"], usage["outputTokens"]
        return h


@dataclass
class Check:
    """Everything that was asked, in order, to be held against the truth."""

    asked: list = field(default_factory=list)
    faults: list = field(default_factory=list)

    def run(self, api):
        for stream in False, True:
            for case, args in ("plain", {}), ("short", {"limit": SHORT}), ("tool", {"tool": True}):
                self.asked.append((api, case, stream, api.ask("owl", stream, **args)))
            try:
                api.ask("busy", stream)
                self.faults.append(f"{api.name}: no error where the provider is busy")
            except api.busy as e:
                if "429" not in str(e) and "Throttling" not in str(e):
                    self.faults.append(f"{api.name}: busy, and the client says {e}")
            self.asked.append((api, "busy", stream, None))

    def compare(self, truths):
        if len(truths) != len(self.asked):
            self.faults.append(f"{len(self.asked)} requests were made, the fleet counts {len(truths)}")
        for (api, case, stream, h), truth in zip(self.asked, truths):
            where = f"{api.name}, {case}{', streamed' if stream else ''}"
            self.same(where, "stream", truth["stream"], stream)
            if h is None:
                self.same(where, "outcome", truth["outcome"], "rate_limited")
                continue
            tokens = truth["tokens"]
            output = tokens["answer"] + (0 if api.beside else tokens["thinking"])
            self.same(where, "input tokens", h.input, tokens["input"])
            self.same(where, "output tokens", h.output, output)
            if h.reasoning is not None:
                self.same(where, "reasoning tokens", h.reasoning, tokens["thinking"])
            self.same(where, "finish", h.finish, api.finish[truth["finish"]])
            self.same(where, "finish, in truth,", truth["finish"], {"plain": "stop", "short": "length", "tool": "tool_calls"}[case])
            self.same(where, "thought", bool(h.thinking), tokens["thinking"] > 0)
            if case == "plain":
                self.same(where, "text", h.text, TEXT)
            elif case == "short":
                self.same(where, "text is cut", h.text != TEXT and TEXT.startswith(h.text.strip()), True)
            else:
                arguments = h.arguments if isinstance(h.arguments, dict) else json.loads(h.arguments)
                self.same(where, "tool", (h.tool, list(arguments)), ("weather", ["city"]))

    def same(self, where, what, have, want):
        if have != want:
            self.faults.append(f"{where}: {what} is {have!r}, not {want!r}")


def truths(path, n):
    """The fleet writes a truth when a response has ended, maybe after we read it."""
    for _ in range(100):
        with open(path) as f:
            lines = [json.loads(line) for line in f if line.endswith("\n")]
        if len(lines) >= n:
            break
        time.sleep(0.05)
    return sorted(lines, key=lambda t: t["id"])


def main():
    address, truth = sys.argv[1:]
    check = Check()
    for api in Chat, Responses, Messages, Gemini, Ollama, Converse:
        check.run(api(address))
    check.compare(truths(truth, len(check.asked)))
    for fault in check.faults:
        print(fault)
    print(f"{len(check.asked)} requests through 5 clients over 6 APIs, {len(check.faults)} faults")
    sys.exit(1 if check.faults else 0)


main()
