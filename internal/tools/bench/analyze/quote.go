package main

import "encoding/json"

// quoted writes bytes that are valid UTF-8 as a JSON string.
func quoted(b []byte) string {
	out, err := json.Marshal(string(b))
	if err != nil {
		return `""`
	}
	return string(out)
}
