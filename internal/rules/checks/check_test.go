package checks

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// Each line: a check, an answer's text, whether it passes, part of the evidence.
func TestTextChecks(t *testing.T) {
	for _, c := range []struct {
		check, text string
		pass        bool
		evidence    string
	}{
		{`{"contains":"scatter"}`, "Air scatters blue light.", true, "found: Air scatters blue"},
		{`{"contains":"scatter"}`, "Scattering.", false, "not found in 11 characters: Scattering."},
		{`{"contains":{"text":"scatter","ignore_case":true}}`, "SCATTERING", true, ""},
		{`{"contains":{"text":"STRASSE","ignore_case":true}}`, "Die Straße.", true, ""},
		{`{"contains":"caf\u00e9"}`, "a cafe\u0301 here", true, ""}, // composed and decomposed
		{`{"contains":"x"}`, "", false, "not found in 0 characters"},
		{`{"not_contains":"sorry"}`, "Here it is.", true, ""},
		{`{"not_contains":"sorry"}`, "I am sorry.", false, "found: I am sorry."},
		{`{"equals":"42"}`, " 42\n", true, "is: 42"},
		{`{"equals":"42"}`, "42.", false, "is: 42."},
		{`{"equals":"yes"}`, "Yes", false, ""},
		{`{"equals":{"text":"yes","ignore_case":true}}`, "Yes", true, ""},
		{`{"equals":"x"}`, "  ", false, "no text"},
		{`{"regex":"(?i)^the"}`, "The sky", true, ""},
		{`{"regex":"\\d{3} nm"}`, "about 470 nm", true, "about 470 nm"},
		{`{"regex":"^b$"}`, "a\nb", false, ""}, // lines count only under (?m)
		{`{"min_chars":5}`, "  abcd  ", false, "4 characters"},
		{`{"min_chars":5}`, "\u65e5\u672c\u8a9e\u65e5\u672c", true, "5 characters"}, // characters, not bytes
		{`{"json":true}`, ` {"a": [1, 2.50]} `, true, "a JSON object"},
		{`{"json":true}`, `"x"`, true, "a JSON string"},
		{`{"json":true}`, `{"a": 1} and more`, false, "no JSON"},
		{`{"json":true}`, `{"a": `, false, "no JSON"},
		{`{"json":true}`, "```json\n{\"a\": 1}\n```", false, "JSON inside a code block"},
		{`{"json":true}`, "", false, "no text"},
		{`{"json_schema":{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}}`, `{"a":1}`, true, ""},
		{`{"json_schema":{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}}`, `{"a":"1"}`, false, "at /a: got string, want integer"},
		{`{"json_schema":{"type":"object","required":["a"]}}`, `{}`, false, "missing property 'a'"},
		{`{"json_schema":{"$ref":"#/$defs/n","$defs":{"n":{"type":"number"}}}}`, `3`, true, ""},
		{`{"json_schema":{"enum":[12345678901234567890]}}`, `12345678901234567890`, true, ""},
		{`{"json_schema":{"enum":[12345678901234567890]}}`, `12345678901234567891`, false, ""}, // digits are kept
		{`"json"`, `[]`, true, ""},
	} {
		judge(t, c.check, &Answer{Text: c.text}, c.pass, c.evidence)
	}
}

func TestNumberIsTheLastOne(t *testing.T) {
	for _, c := range []struct {
		check, text string
		pass        bool
		evidence    string
	}{
		{`{"number":36}`, "12 × 3 = 36.", true, "last number is 36"},
		{`{"number":36}`, "36 is 12 × 3", false, "last number is 3"},
		{`{"number":36.0}`, "36", true, ""},
		{`{"number":0.3}`, "It is 0.30", true, ""},
		{`{"number":1234567}`, "about 1,234,567 people", true, "1234567"},
		{`{"number":-4}`, "−4", true, "last number is -4"}, // U+2212
		{`{"number":-4}`, "it is -4 °C", true, ""},
		{`{"number":3}`, "5-3", true, "last number is 3"},
		{`{"number":3}`, "(5)-3", true, ""},
		{`{"number":42}`, `\boxed{42}`, true, ""},
		{`{"number":0.05}`, "costs $.05", true, "last number is .05"},
		{`{"number":1500}`, "1.5e3", true, ""},
		{`{"number":0.00000000012}`, "1.2E-10", true, ""},
		{`{"number":5}`, "five", false, "no number in five"},
		{`{"number":true}`, "about 7", true, ""},
		{`{"number":true}`, "none", false, ""},
		{`{"number":{"equals":0.3,"within":0.1}}`, "0.4", true, ""}, // in binary, 0.4 − 0.3 is more than 0.1
		{`{"number":{"equals":0.3,"within":0.1}}`, "0.41", false, ""},
		{`{"number":{"min":1,"max":9}}`, "9", true, ""},
		{`{"number":{"min":1,"max":9}}`, "10", false, ""},
		{`{"number":{"max":9}}`, "-3", true, ""},
		{`{"number":9007199254740993}`, "9007199254740992", false, ""}, // equal as floats
		{`{"number":7}`, "7 or 1" + strings.Repeat("0", 500), true, "last number is 7"},
		{`{"number":1}`, "1e999999999", false, ""},
	} {
		judge(t, c.check, &Answer{Text: c.text}, c.pass, c.evidence)
	}
}

func TestToolCall(t *testing.T) {
	weather := Call{Name: "get_weather", Arguments: `{"city": "Oslo"}`}
	for _, c := range []struct {
		check    string
		calls    []Call
		pass     bool
		evidence string
	}{
		{`{"tool_call":true}`, []Call{weather}, true, "calls get_weather"},
		{`{"tool_call":"get_weather"}`, []Call{weather}, true, ""},
		{`{"tool_call":"get_weather"}`, nil, false, "no tool call"},
		{`{"tool_call":"get_time"}`, []Call{weather}, false, "calls get_weather"},
		{`{"tool_call":"get_time"}`, []Call{weather, {Name: "get_time"}}, true, ""},
		{`{"tool_call":true}`, []Call{{Name: "f", Arguments: ""}}, true, ""},
		{`{"tool_call":true}`, []Call{{Name: "f", Arguments: `{"a":`}}, false, "no JSON object"},
		{`{"tool_call":true}`, []Call{{Name: "f", Arguments: `"text"`}}, false, "no JSON object"},
		{`{"tool_call":true}`, []Call{{Name: "f", Arguments: `{}`, Ambiguous: true}}, false, "cannot be told"},
		{`{"tool_call":{"name":"get_weather","arguments":{"required":["city"]}}}`, []Call{weather}, true, ""},
		{`{"tool_call":{"arguments":{"required":["town"]}}}`, []Call{weather}, false, "missing property 'town'"},
	} {
		judge(t, c.check, &Answer{Calls: c.calls}, c.pass, c.evidence)
	}
}

func judge(t *testing.T, check string, a *Answer, pass bool, evidence string) {
	t.Helper()
	list, err := Parse([]byte("[" + check + "]"))
	if err != nil {
		t.Errorf("%s: %v", check, err)
		return
	}
	v := list[0].Judge(a)
	if v.Pass != pass || !strings.Contains(v.Evidence, evidence) {
		t.Errorf("%s on %+v: got %v, %q; want %v, …%s…", check, a, v.Pass, v.Evidence, pass, evidence)
	}
	if again := list[0].Judge(a); again != v {
		t.Errorf("%s: a second judgement differs: %+v, then %+v", check, v, again)
	}
}

// A faulty check is an error that names the check and what is wrong with it.
func TestFaultyChecks(t *testing.T) {
	for list, want := range map[string]string{
		`{}`:                                    "want a list",
		`[] []`:                                 "want a list",
		`nonsense`:                              "want a list",
		`[{}]`:                                  "check 1: a check is one name with its value",
		`[{"contains":"a","b":1}]`:              "one name with its value",
		`["json", {"contain":"a"}]`:             `check 2: unknown check "contain"; the nearest known one is "contains"`,
		`[{"contains":""}]`:                     "check 1: contains: wants a text that is not empty",
		`[{"contains":null}]`:                   "not empty",
		`[{"contains":7}]`:                      "wants a text, or {text",
		`[{"contains":["a"]}]`:                  "wants a text, or {text",
		`[{"equals":{"txt":"a"}}]`:              "wants a text, or {text",
		`["contains"]`:                          "wants a text, or {text",
		`[{"regex":"("}]`:                       "missing closing )",
		`[{"regex":"(?=a)"}]`:                   "RE2",
		`[{"regex":""}]`:                        "wants a regular expression",
		`[{"min_chars":0}]`:                     "above 0",
		`[{"min_chars":1.5}]`:                   "whole number",
		`[{"json":false}]`:                      "wants true",
		`[{"json":{"type":"object"}}]`:          "json_schema says",
		`[{"json_schema":"file.json"}]`:         "wants a JSON schema",
		`[{"json_schema":{"type":"objekt"}}]`:   "no valid schema",
		`[{"json_schema":{"pattern":"(?=a)"}}]`: "no valid schema",
		`[{"json_schema":{"$ref":"https://example.com/s.json"}}]`: "only references within it",
		`[{"json_schema":{"$ref":"file:///etc/passwd"}}]`:         "only references within it",
		`[{"number":false}]`:                                  "wants true or a number",
		`[{"number":"42"}]`:                                   "wants a number",
		`[{"number":{}}]`:                                     "wants a number",
		`[{"number":{"within":1}}]`:                           "within wants equals",
		`[{"number":{"equals":1,"within":-1}}]`:               "not negative",
		`[{"number":{"min":2,"max":1}}]`:                      "min is above max",
		`[{"number":1e99999}]`:                                "out of range",
		`[{"tool_call":false}]`:                               "wants true or the name",
		`[{"tool_call":""}]`:                                  "empty text",
		`[{"tool_call":{}}]`:                                  "wants the name",
		`[{"tool_call":{"name":"f","arguments":{"type":3}}}]`: "arguments: no valid schema",
	} {
		_, err := Parse([]byte(list))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", list, err, want)
		}
	}
	var e *Error
	if _, err := Parse([]byte(`["json", {"regex":"("}]`)); !errors.As(err, &e) || e.Index != 1 || e.Kind != "regex" {
		t.Errorf("got %+v, want the second check, a regex", e)
	}
}

func TestEvidenceIsOneShortLine(t *testing.T) {
	list, err := Parse([]byte(`[{"contains":"x"}, {"regex":"(?s)a.*z"}, {"equals":"x"}, "json"]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a\n\n" + strings.Repeat("é\t", 5000) + "z", strings.Repeat("\xff", 3000), "a" + strings.Repeat("💡", 2000) + "z"} {
		for _, c := range list {
			v := c.Judge(&Answer{Text: text})
			if n := utf8.RuneCountInString(v.Evidence); n > longest || strings.ContainsAny(v.Evidence, "\n\t\r") || !utf8.ValidString(v.Evidence) {
				t.Errorf("%s: evidence of %d characters: %q", c.Definition, n, v.Evidence)
			}
		}
	}
}

func TestDefinitionIsCompactJSON(t *testing.T) {
	list, err := Parse([]byte("[ \"json\",\n {\"contains\" : \"a b\"} ]"))
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0].Definition + list[1].Definition; got != `{"json":true}{"contains":"a b"}` {
		t.Errorf("got %s", got)
	}
}

// Whatever an answer says, judging it ends, and says the same twice.
func FuzzJudge(f *testing.F) {
	list, err := Parse([]byte(`[{"contains":"a"}, {"not_contains":{"text":"ß","ignore_case":true}}, {"equals":"x"}, {"regex":"(a|b)*c"},
		"json", {"json_schema":{"type":"object","additionalProperties":{"type":"integer"}}}, {"number":{"min":-1,"max":1}}, {"min_chars":3}, "tool_call"]`))
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", "a", "-1e999999999", "1,000,000.5", "```json\n{}\n```", `{"a":1e400}`, "\xff\xfe", strings.Repeat("[", 20000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := &Answer{Text: s, Calls: []Call{{Name: s, Arguments: s}}}
		for _, c := range list {
			v := c.Judge(a)
			if !utf8.ValidString(v.Evidence) || utf8.RuneCountInString(v.Evidence) > longest {
				t.Errorf("%s: evidence %q", c.Kind, v.Evidence)
			}
			if v != c.Judge(a) {
				t.Errorf("%s: two judgements differ", c.Kind)
			}
		}
	})
}

// What Parse accepts, it accepts again from the definitions that it gives.
func FuzzParse(f *testing.F) {
	f.Add(`["json",{"number":{"equals":1,"within":0.5}}]`)
	f.Add(`[{"json_schema":{"$ref":"#"}}]`)
	f.Fuzz(func(t *testing.T, s string) {
		list, err := Parse([]byte(s))
		if err != nil {
			return
		}
		var again []json.RawMessage
		for _, c := range list {
			again = append(again, json.RawMessage(c.Definition))
			c.Judge(&Answer{Text: s})
		}
		data, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(data); err != nil && len(again) > 0 {
			t.Errorf("%s was read, %s is not: %v", s, data, err)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	list, err := Parse([]byte(`[{"contains":"scatter"}, {"regex":"\\.$"}, {"number":42}, {"min_chars":20}]`))
	if err != nil {
		b.Fatal(err)
	}
	a := &Answer{Text: strings.Repeat("The slow river follows the old bridge. ", 40) + "So it is 42."}
	for b.Loop() {
		for i := range list {
			list[i].Judge(a)
		}
	}
}
