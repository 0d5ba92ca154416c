package decode

import (
	"slices"

	"aircheck/schema"
)

// reported adds the answers that an imported source states.
func (f *files) reported(j Job) error {
	if !j.Run.targets.reported {
		return nil
	}
	return j.eachRequest(func(r *schema.Request) error {
		if r.Detail != "requests" || r.ReportedText == nil {
			return nil
		}
		if err := f.answers.write([]answer{{RequestID: r.RequestID, Text: r.ReportedText}}, smallGroup); err != nil {
			return err
		}
		if r.ReportedOutputTokens != nil {
			return nil
		}
		count, err := O200k()
		if err != nil {
			return err
		}
		st := stream{RequestID: r.RequestID, AnswerO200k: new(count.Count(*r.ReportedText)), AnswerBlank: *r.ReportedText == ""}
		return f.streams.write([]stream{st}, smallGroup)
	}, "request_id", "detail", "reported_text", "reported_output_tokens")
}

// readRequests reads what the requests say whose responses leave their tokens in
// doubt.
func (f *files) readRequests(j Job, asked []int64) error {
	if len(asked) == 0 {
		return nil
	}
	count, err := O200k()
	if err != nil {
		return err
	}
	return j.eachRequest(func(r *schema.Request) error {
		if _, ok := slices.BinarySearch(asked, r.RequestID); !ok || r.RequestBody == nil {
			return nil
		}
		in := input{r.RequestID, count.RequestTokens(*r.RequestBody), MostOutput(*r.RequestBody)}
		if in.InputO200k == nil && in.MaxTokens == nil {
			return nil
		}
		return f.inputs.write([]input{in}, smallGroup)
	}, "request_id", "request_body")
}

// eachRequest visits the requests of the job's range.
func (j Job) eachRequest(f func(*schema.Request) error, columns ...string) error {
	groups, err := j.Run.Dataset.RequestGroupsOf(j.Run.Run)
	if err != nil {
		return err
	}
	return schema.EachRequestIn(j.Range.of(groups), func(r *schema.Request) error {
		if !j.Range.Has(r.RequestID) {
			return nil
		}
		return f(r)
	}, columns...)
}
