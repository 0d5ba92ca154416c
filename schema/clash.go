package schema

import (
	"cmp"
	"fmt"
	"slices"
)

// Span is the least and the greatest request id of a run; ok is false where it
// has no request.
func (d *Dataset) Span(run *Run) (first, last int64, ok bool, err error) {
	groups, err := d.RequestGroupsOf(run)
	for _, g := range groups {
		if g.Rows == 0 {
			continue
		}
		if !ok {
			first, last = g.First, g.Last
		}
		first, last, ok = min(first, g.First), max(last, g.Last), true
	}
	return first, last, ok, err
}

// Spanned is a run with the ids that its requests lie between.
type Spanned struct {
	*Run
	First, Last int64
}

// Clashes finds runs that have a request id of an earlier one: the same requests,
// kept twice. Only runs whose ids lie between each other's are read.
func (d *Dataset) Clashes(runs []Spanned) (map[string]Fault, error) {
	byFirst := slices.Clone(runs)
	slices.SortFunc(byFirst, func(a, b Spanned) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.RunID, b.RunID)) })
	out := map[string]Fault{}
	for len(byFirst) > 0 {
		n, last := 1, byFirst[0].Last
		for n < len(byFirst) && byFirst[n].First <= last {
			last = max(last, byFirst[n].Last)
			n++
		}
		if n > 1 {
			if err := d.clash(byFirst[:n], out); err != nil {
				return nil, err
			}
		}
		byFirst = byFirst[n:]
	}
	return out, nil
}

// clash compares runs whose ids overlap.
func (d *Dataset) clash(runs []Spanned, out map[string]Fault) error {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b Spanned) int { return cmp.Compare(a.RunID, b.RunID) })
	type owned struct {
		id  int64
		run int32
	}
	var all []owned
	for i, run := range runs {
		ids, err := d.requestIDs(run.Run)
		if err != nil {
			return err
		}
		for _, id := range ids {
			all = append(all, owned{id, int32(i)})
		}
	}
	slices.SortFunc(all, func(a, b owned) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.run, b.run)) })
	with := make([]map[int32]int64, len(runs)) // earlier runs, each with an id that both have
	for i := 1; i < len(all); i++ {
		for j := i - 1; j >= 0 && all[j].id == all[i].id; j-- {
			if with[all[i].run] == nil {
				with[all[i].run] = map[int32]int64{}
			}
			if _, ok := with[all[i].run][all[j].run]; !ok {
				with[all[i].run][all[j].run] = all[i].id
			}
		}
	}
	refused := make([]bool, len(runs))
	for i := range runs {
		for j := range int32(i) {
			if id, ok := with[i][j]; ok && !refused[j] && !refused[i] {
				refused[i] = true
				out[runs[i].RunID] = Fault{"runs/" + runs[i].RunID + ".json", fmt.Sprintf("request id %d stands in run %s too: a run that is kept twice counts once", id, runs[j].RunID)}
			}
		}
	}
	return nil
}

// requestIDs reads the ids of a run's requests.
func (d *Dataset) requestIDs(run *Run) (ids []int64, err error) {
	for _, path := range d.RequestFiles(run) {
		r, err := openTable(d, path, Requests)
		if err != nil {
			return nil, err
		}
		for g := range r.NumRowGroups() {
			its, _, err := r.Group(g).Int64("request_id", nil, nil)
			if err != nil {
				r.Close()
				return nil, d.inGroup(path, g, err)
			}
			ids = append(ids, its...)
		}
		r.Close()
	}
	return ids, nil
}
