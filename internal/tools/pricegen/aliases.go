package main

// aliases are other names under which plans and recordings know a provider of
// the table. Case, spaces, dots, dashes and underscores make no difference.
var aliases = map[string][]string{
	"anthropic":  {"claude"},
	"aws":        {"bedrock", "aws-bedrock", "amazon", "amazon-bedrock", "bedrock-converse"},
	"azure":      {"azure-openai", "azure-ai", "azure-ai-foundry", "azure-foundry", "azure-openai-service", "microsoft", "microsoft-azure"},
	"cerebras":   {"cerebras-ai", "cerebras-cloud"},
	"cohere":     {"cohere-ai", "cohere-chat"},
	"deepseek":   {"deepseek-ai", "deep-seek"},
	"doubleword": {"doubleword-ai"},
	"fireworks":  {"fireworks-ai"},
	"google": {"gemini", "google-ai", "google-gemini", "google-ai-studio", "google-genai", "google-gla", "google-vertex",
		"google-vertex-ai", "vertex", "vertex-ai", "vertexai"},
	"groq":       {"groq-cloud", "groqcloud"},
	"minimax":    {"minimax-ai"},
	"mistral":    {"mistral-ai", "mistralai", "la-plateforme"},
	"modal":      {"modal-labs"},
	"moonshotai": {"moonshot", "moonshot-ai", "kimi"},
	"novita":     {"novita-ai"},
	"openai":     {"open-ai", "openai-chat", "openai-responses"},
	"openrouter": {"open-router"},
	"ovhcloud":   {"ovh", "ovh-cloud"},
	"perplexity": {"perplexity-ai", "pplx"},
	"together":   {"together-ai", "togetherai"},
	"x-ai":       {"xai", "grok"},
	"zai":        {"z-ai"},
	"zhipuai":    {"zhipu", "zhipu-ai", "bigmodel"},
}
