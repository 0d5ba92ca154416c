package words

// Runs counts the runs of a dataset.
type Runs struct{ All, Simulated, Interrupted int64 }

// Marks are what a reader must know of the runs before any number.
func (r Runs) Marks(l *Language) []string {
	var out []string
	switch r.Simulated {
	case 0:
	case r.All:
		out = append(out, l.Say("simulated providers"))
	default:
		out = append(out, l.Say("simulated providers in %d of %s", r.Simulated, l.Count(r.All, "run")))
	}
	switch {
	case r.Interrupted == 0:
	case r.All == 1:
		out = append(out, l.Say("interrupted before its plan ended"))
	default:
		out = append(out, l.Say("%d of %s interrupted", r.Interrupted, l.Count(r.All, "run")))
	}
	return out
}

// Faults counts what the audit finds; FaultsQuery lists it.
func Faults(l *Language, n int64) string { return l.Say("%s of method", l.Count(n, "fault")) }

// FaultsQuery lists the faults that [Faults] counts.
const FaultsQuery = "FROM audit WHERE severity = 'fault'"
