// Uses the makers' own JavaScript SDKs as an application behind `record proxy`
// would: proxied.mjs ADDRESS. What they hear is compared with the fleet's known
// answer; what the proxy recorded is compared by sdk.sh.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const address = process.argv[2];
const text = "The harbour is quiet, and ships come in.";
const prompt = "Say something about the harbour.";
const key = "sk-application-0123456789";
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
let asked = 0;

const openai = new OpenAI({ baseURL: `${address}/chat/v1`, apiKey: key, maxRetries: 1, defaultHeaders: { "X-Session": "js" } });
const anthropic = new Anthropic({ baseURL: `${address}/messages`, apiKey: key, maxRetries: 0, defaultHeaders: { "X-Session": "js" } });
const chat = { model: "owl", messages: [{ role: "user", content: prompt }] };
const message = { model: "owl", max_tokens: 200, messages: [{ role: "user", content: prompt }] };

// Whole answers.
asked++;
assert.equal((await openai.chat.completions.create(chat)).choices[0].message.content, text);
asked++;
assert.equal((await anthropic.messages.create(message)).content.find((c) => c.type === "text").text, text);

// Streams.
let heard = "";
asked++;
for await (const part of await openai.chat.completions.create({ ...chat, stream: true })) heard += part.choices[0]?.delta?.content ?? "";
assert.equal(heard, text);
heard = "";
asked++;
await anthropic.messages.stream(message).on("text", (t) => (heard += t)).finalMessage();
assert.equal(heard, text);

// Tools.
const tool = { name: "weather", description: "Weather in a city." };
asked++;
const called = await openai.chat.completions.create({ ...chat, tools: [{ type: "function", function: { ...tool, parameters: schema } }] });
assert.equal(called.choices[0].message.tool_calls[0].function.name, "weather");
asked++;
const used = await anthropic.messages.stream({ ...message, tools: [{ ...tool, input_schema: schema }] }).finalMessage();
assert.deepEqual(Object.keys(used.content.find((c) => c.type === "tool_use").input), ["city"]);

// Errors, and the SDK's own second try.
asked += 2;
await assert.rejects(openai.chat.completions.create({ ...chat, model: "busy" }), OpenAI.RateLimitError);
asked++;
await assert.rejects(anthropic.messages.create({ ...message, model: "busy" }), Anthropic.RateLimitError);

// A large body.
asked++;
await openai.chat.completions.create({ ...chat, messages: [{ role: "user", content: `${prompt} ${"harbour ".repeat(400000)}` }] });

// A stream that is given up half-way.
asked++;
const stream = await openai.chat.completions.create({ ...chat, model: "slow", stream: true });
for await (const part of stream) if (part) break;
stream.controller.abort();

// Many at once.
asked += 20;
for (const answer of await Promise.all(Array.from({ length: 20 }, () => openai.chat.completions.create(chat)))) assert.equal(answer.choices[0].message.content, text);

// What is no call of a model passes, too, whatever the answer.
await openai.models.list().catch((e) => assert.ok(e instanceof OpenAI.APIError, e));

console.log(`${asked} requests through 2 JavaScript SDKs and the proxy, 0 faults`);
