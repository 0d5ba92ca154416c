// Package checks decides whether an answer is useful: whether it says what the
// plan's checks ask for. docs/checks.md is its manual.
//
// A check is a name with a value; a list of them is a JSON array of objects
// with one key each, as the column checks of the requests holds it, and a rules
// file ([ReadRules]) gives lists to recordings that were made without them.
//
//	contains: scatter             the answer holds the text; {text: …, ignore_case: true}
//	not_contains: sorry           and does not hold this one
//	equals: "42"                  is this text, white space around it aside
//	regex: '\d+ nm'               matches (RE2 syntax, anywhere unless anchored)
//	json: true                    is one JSON value and nothing else
//	json_schema: {type: object}   is one that the schema admits (drafts 4 to 2020-12)
//	number: 42                    its last number is that; {equals: 0.3, within: 0.01}, {min: 1, max: 9}
//	min_chars: 20                 is at least so many characters long
//	tool_call: get_weather        calls the tool, with arguments that are a JSON object;
//	                              {name: …, arguments: SCHEMA}, or true for any tool
//
// A faulty check is an error when it is read ([Parse]), never a check that
// passes or fails.
package checks
