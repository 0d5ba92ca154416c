package words

import "fmt"

// Runs counts the runs of a dataset.
type Runs struct{ All, Simulated, Interrupted int64 }

// Marks are what a reader must know of the runs before any number.
func (r Runs) Marks() []string {
	var out []string
	switch r.Simulated {
	case 0:
	case r.All:
		out = append(out, "simulated providers")
	default:
		out = append(out, fmt.Sprintf("simulated providers in %d of %s", r.Simulated, Count(r.All, "run")))
	}
	switch {
	case r.Interrupted == 0:
	case r.All == 1:
		out = append(out, "interrupted before its plan ended")
	default:
		out = append(out, fmt.Sprintf("%d of %s interrupted", r.Interrupted, Count(r.All, "run")))
	}
	return out
}

// Faults counts what the audit finds; FaultsQuery lists it.
func Faults(n int64) string { return Count(n, "fault") + " of method" }

// FaultsQuery lists the faults that [Faults] counts.
const FaultsQuery = "FROM audit WHERE severity = 'fault'"
