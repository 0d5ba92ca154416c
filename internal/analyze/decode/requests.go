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

// countInputs counts the texts of the requests whose answers had to be counted.
func (f *files) countInputs(j Job, counted []int64) error {
	if len(counted) == 0 {
		return nil
	}
	count, err := O200k()
	if err != nil {
		return err
	}
	return j.eachRequest(func(r *schema.Request) error {
		if _, ok := slices.BinarySearch(counted, r.RequestID); !ok || r.RequestBody == nil {
			return nil
		}
		n := count.RequestTokens(*r.RequestBody)
		if n == nil {
			return nil
		}
		return f.inputs.write([]input{{r.RequestID, *n}}, smallGroup)
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
