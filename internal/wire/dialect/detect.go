package dialect

import (
	"bytes"
	"strings"
)

// detect tells by its shape which dialect a message speaks, "" if it does not
// show: an error body, say, looks alike in all of them.
func detect(event string, obj []byte) string {
	switch {
	case strings.HasPrefix(event, "response."):
		return "openai-responses"
	case strings.HasPrefix(event, "interaction."), strings.HasPrefix(event, "step."):
		return "gemini-interactions"
	}
	switch event {
	case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop":
		return "bedrock-converse"
	case "chunk": // agents answer in plain text
		if data := get(obj, "bytes"); bytes.HasPrefix(data, []byte(`"ey`)) { // {" in base64
			return "bedrock-converse"
		} else if data != nil {
			return "bedrock-agent"
		}
	case "trace", "output", "citation", "retrieveAndGenerateOutput":
		return "bedrock-agent"
	}
	var kind, object, choices, message []byte
	var seen struct{ created, done, response, output, session, completion, stop bool }
	for m := membersOf(obj, nil); m.next(); {
		switch string(m.key) {
		case "type", "event_type":
			kind = bytes.Trim(m.val, `"`)
		case "object":
			object = bytes.Trim(m.val, `"`)
		case "choices":
			choices = m.val
		case "message":
			message = m.val
		case "candidates", "usageMetadata", "promptFeedback":
			return "gemini"
		case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop":
			return "bedrock-converse"
		case "generations", "generation_id":
			return "cohere"
		case "deltaText":
			return "cody"
		case "value":
			if kindOf(m.val) == '"' && event == "" {
				return "openai-completions"
			}
		case "stopReason":
			if event == "completion" {
				return "cody"
			}
			return "bedrock-converse"
		case "token":
			if kindOf(m.val) == '{' && get(m.val, "text") != nil {
				return "tgi"
			}
		case "generated_text":
			return "tgi"
		case "completion":
			seen.completion = kindOf(m.val) == '"'
		case "stop_reason", "stop":
			seen.stop = true
		case "output":
			seen.output = kindOf(m.val) == '{'
		case "sessionId":
			seen.session = true
		case "created_at":
			seen.created = true
		case "done":
			seen.done = true
		case "response":
			seen.response = kindOf(m.val) == '"'
		}
	}
	switch k := string(kind); {
	case strings.HasPrefix(k, "interaction."), strings.HasPrefix(k, "step."):
		return "gemini-interactions"
	case strings.HasPrefix(k, "response."):
		return "openai-responses"
	case k == "message_start", k == "message_delta", k == "message_stop", strings.HasPrefix(k, "content_block_"),
		k == "message", k == "completion":
		return "anthropic-messages"
	case k == "message-start", k == "message-end", strings.HasPrefix(k, "content-"), strings.HasPrefix(k, "tool-"),
		k == "stream-start", k == "text-generation", k == "stream-end":
		return "cohere"
	}
	if seen.created && (seen.done || kindOf(message) == '{' || seen.response) {
		return "ollama"
	}
	if seen.output && seen.session { // retrieve-and-generate
		return "bedrock-agent"
	}
	if string(object) == "response" {
		return "openai-responses"
	}
	if kindOf(choices) == '[' {
		return detectChoices(string(object), choices)
	}
	switch {
	case seen.completion && seen.stop: // text completions, as Bedrock carries them
		return "anthropic-messages"
	case isModelBody(obj):
		return "bedrock-invoke"
	}
	return ""
}

// detectChoices tells OpenAI's two forms of choices apart. The name in object
// is a hint only: what the choices hold decides.
func detectChoices(object string, choices []byte) string {
	text := strings.HasPrefix(object, "text_completion")
	for e := elementsOf(choices, nil); e.next(); {
		if get(e.val, "delta") != nil || get(e.val, "message") != nil {
			return "openai-chat"
		}
		text = text || get(e.val, "text") != nil
	}
	switch {
	case text:
		return "openai-completions"
	case strings.HasPrefix(object, "chat.completion"):
		return "openai-chat"
	}
	return ""
}
