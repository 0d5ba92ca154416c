package dialect

// entry is one dialect: how its requests are built and its messages decoded.
type entry struct {
	api    string
	build  builder
	decode func() messages
}

// table lists every dialect. A new one is a file of its own and a line here.
var table = []entry{
	{"openai-chat", buildOpenAIChat, func() messages { return &openAIChat{} }},
	{"openai-completions", nil, func() messages { return &openAICompletions{} }},
	{"openai-responses", buildOpenAIResponses, func() messages { return &openAIResponses{} }},
	{"anthropic-messages", buildAnthropic, func() messages { return &anthropic{} }},
	{"gemini", buildGemini, func() messages { return &gemini{} }},
	{"ollama", buildOllama, func() messages { return &ollama{} }},
	{"bedrock-converse", buildBedrock, func() messages { return &bedrock{} }},
	{"bedrock-invoke", nil, func() messages { return &bedrock{} }}, // not built: each model has a body of its own
	{"bedrock-agent", nil, func() messages { return &bedrockAgent{} }},
	{"cohere", nil, func() messages { return &cohere{} }},
	{"gemini-interactions", nil, func() messages { return &geminiInteractions{} }},
	{"cody", nil, func() messages { return &cody{} }},
	{"tgi", nil, func() messages { return &tgi{} }},
}

func lookup(api string) *entry {
	for i := range table {
		if table[i].api == api {
			return &table[i]
		}
	}
	return nil
}

// Names lists the dialects that New knows by name.
func Names() []string {
	names := make([]string, len(table))
	for i, e := range table {
		names[i] = e.api
	}
	return names
}

// APIs lists the names that Build knows.
func APIs() []string {
	var names []string
	for _, e := range table {
		if e.build != nil {
			names = append(names, e.api)
		}
	}
	return names
}
