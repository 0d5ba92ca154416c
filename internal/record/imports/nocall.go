package imports

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
)

// others are requests that clients of models make beside calling one, by path.
var others = []struct {
	re  *regexp.Regexp
	why string
}{
	{regexp.MustCompile(`/embeddings?$|/embed$|:(batch)?[eE]mbedContents?$`), "embeddings"},
	{regexp.MustCompile(`/oauth2?/|/token$`), "an access token"},
	{regexp.MustCompile(`/count_tokens$|:countTokens$|/tokenize$|/count-tokens$`), "a token count"},
	{regexp.MustCompile(`/files?(/|$)|:uploadTo|^/upload/|/fileSearchStores|/vector_stores`), "a file"},
	{regexp.MustCompile(`/threads(/[^/]+)?$|/threads/[^/]+/messages(/[^/]+)?$|/assistants(/[^/]+)?$`), "a thread of messages"},
	{regexp.MustCompile(`/mcp$`), "a tool server"},
	{regexp.MustCompile(`/graphql$`), "an application's own API"},
	{regexp.MustCompile(`/rerank$`), "ranking"},
	{regexp.MustCompile(`/moderations$`), "moderation"},
	{regexp.MustCompile(`/images/|/audio/|/videos?(/|$)|/speech`), "images or sound"},
	{regexp.MustCompile(`/api/(pull|push|tags|show|ps|version|delete|copy|create)$`), "Ollama's own administration"},
	{regexp.MustCompile(`/models(/[^/:]+)?$`), "a list of models"},
	{regexp.MustCompile(`/batches|/cachedContents`), "batches and caches"},
}

// generative paths belong to calls of a model whose dialect is not known here.
var generative = regexp.MustCompile(`(?i)completion|chat|generate|converse|invoke|message|interactions|/agents?/|predict`)

// NoCall says what an exchange is if it is no call of a model; "" if it is one.
// A call in a dialect that is not known is one all the same.
func NoCall(x *Exchange) string { return noCall(x, "") }

// noCall is NoCall where the user may have said which API was called.
func noCall(x *Exchange, api string) string {
	u := x.url()
	path := strings.TrimRight(u.Path, "/")
	for _, o := range others {
		if o.re.MatchString(path) {
			return "no call of a model: " + o.why
		}
	}
	if x.Method != "" && !strings.EqualFold(x.Method, http.MethodPost) && !x.goesOn() {
		return "no call of a model: " + strings.ToUpper(x.Method)
	}
	var rpc struct {
		Version string `json:"jsonrpc"`
	}
	if json.Unmarshal(x.RequestBody, &rpc); rpc.Version != "" {
		return "no call of a model: JSON-RPC"
	}
	if api != "" || x.goesOn() || x.api() != "" || x.URL == "" || generative.MatchString(path) {
		return ""
	}
	return "no call of a model: " + u.Host + u.Path
}

var background = regexp.MustCompile(`/responses/[^/]+$`)

// goesOn reports whether the exchange goes on with the stream of a response that
// is made in the background.
func (x *Exchange) goesOn() bool {
	u := x.url()
	return strings.EqualFold(x.Method, http.MethodGet) && background.MatchString(strings.TrimRight(u.Path, "/")) && u.Query().Get("stream") == "true"
}
