package dialect

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// bedrockNames are canonical parameters under inferenceConfig.
var bedrockNames = map[string]string{"temperature": "temperature", "top_p": "topP", "max_tokens": "maxTokens"}

// buildBedrock builds a Converse request and signs it.
func buildBedrock(r *Request, h *HTTPRequest) error {
	method := "/converse"
	if r.Stream {
		method = "/converse-stream"
		h.Header.Set("Accept", "application/vnd.amazon.eventstream")
	}
	// The model is one segment of the path, even where it is an ARN with slashes.
	id := strings.ReplaceAll(url.PathEscape(r.ModelID), ":", "%3A")
	u, err := endpoint(r.BaseURL, "", "model/"+id+method)
	if err != nil {
		return err
	}
	h.URL = u.String()

	system, turns := splitSystem(r.Messages)
	messages := make([]any, len(turns))
	for i, m := range turns {
		messages[i] = map[string]any{"role": m.Role, "content": []any{map[string]any{"text": m.Content}}}
	}
	body := map[string]any{"messages": messages}
	if system != "" {
		body["system"] = []any{map[string]any{"text": system}}
	}
	p := r.params()
	bedrockConfig(p, body)
	p.into(body)
	if h.Body, err = encode(body); err != nil {
		return err
	}
	return signAWS(r, h, u)
}

// bedrockConfig takes the parameters that Converse keeps in objects of its own.
func bedrockConfig(p params, body map[string]any) {
	config := map[string]any{}
	for from, to := range bedrockNames {
		p.move(from, config, to)
	}
	if stop, ok := p.take("stop"); ok {
		config["stopSequences"] = list(stop)
	}
	if len(config) > 0 {
		body["inferenceConfig"] = config
	}
	more := map[string]any{} // what only some models take
	p.move("top_k", more, "top_k")
	p.move("reasoning_effort", more, "reasoning_effort")
	if len(more) > 0 {
		body["additionalModelRequestFields"] = more
	}
	tools, ok := p["tools"].([]any)
	if !ok {
		return
	}
	delete(p, "tools")
	toolConfig := map[string]any{"tools": eachFunction(tools, func(f map[string]any) any {
		spec := renamed(f, "parameters", "inputSchema")
		if schema, ok := spec["inputSchema"]; ok {
			spec["inputSchema"] = map[string]any{"json": schema}
		}
		return map[string]any{"toolSpec": spec}
	})}
	if choice, ok := p.take("tool_choice"); ok && choice != "none" {
		toolConfig["toolChoice"] = bedrockChoice(choice)
	}
	body["toolConfig"] = toolConfig
}

func bedrockChoice(v any) any {
	switch v {
	case "auto":
		return map[string]any{"auto": map[string]any{}}
	case "required":
		return map[string]any{"any": map[string]any{}}
	}
	if name := functionName(v); name != "" {
		return map[string]any{"tool": map[string]any{"name": name}}
	}
	return v
}

// signAWS signs the request with the key, or with the standard variables of
// the environment. A key without a colon is a Bedrock API key, a bearer token.
func signAWS(r *Request, h *HTTPRequest, u *url.URL) error {
	creds, err := awsCredentials(r.Key)
	if err != nil {
		return err
	}
	if creds == nil {
		h.Header.Set("Authorization", "Bearer "+r.Key)
		return nil
	}
	req, err := http.NewRequest(h.Method, h.URL, bytes.NewReader(h.Body))
	if err != nil {
		return err
	}
	req.Header = h.Header
	sum := sha256.Sum256(h.Body)
	when := r.Time
	if when.IsZero() {
		when = time.Now()
	}
	return v4.NewSigner().SignHTTP(context.Background(), *creds, req, hex.EncodeToString(sum[:]), "bedrock", awsRegion(r, u), when)
}

func awsCredentials(key string) (*aws.Credentials, error) {
	if key == "" {
		id, secret := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
		if id == "" || secret == "" {
			return nil, errors.New("no credentials: key_env names no ACCESS:SECRET[:SESSION], and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set")
		}
		return &aws.Credentials{AccessKeyID: id, SecretAccessKey: secret, SessionToken: os.Getenv("AWS_SESSION_TOKEN")}, nil
	}
	id, rest, ok := strings.Cut(key, ":")
	if !ok {
		return nil, nil
	}
	secret, session, _ := strings.Cut(rest, ":")
	return &aws.Credentials{AccessKeyID: id, SecretAccessKey: secret, SessionToken: session}, nil
}

// awsRegion is the declared region, else that of the host
// (bedrock-runtime.REGION.amazonaws.com), else the environment's.
func awsRegion(r *Request, u *url.URL) string {
	if r.Region != "" {
		return r.Region
	}
	if labels := strings.Split(u.Hostname(), "."); len(labels) >= 4 && strings.HasPrefix(labels[0], "bedrock-runtime") {
		return labels[1]
	}
	return cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), "us-east-1")
}
