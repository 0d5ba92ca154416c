package words

// Move is a provider whose places on two models have none in common: better at
// From than at To.
type Move struct {
	Provider       string
	From, To       string
	FromLo, FromHi int
	ToLo, ToHi     int
}

// Moves is the finding of a chart of places over models, the furthest move first.
func Moves(l *Language, models int, moves []Move) string {
	if len(moves) == 0 {
		return l.Say("No provider is shown to change places between the %d models", models)
	}
	m := moves[0]
	from, to := l.Place(m.FromLo, m.FromHi), l.Place(m.ToLo, m.ToHi)
	switch n := len(moves) - 1; n {
	case 0:
		return l.Say("%s falls from %s on %s to %s on %s", l.Name(m.Provider), from, l.Name(m.From), to, l.Name(m.To))
	case 1:
		return l.Say("%s falls from %s on %s to %s on %s; 1 other moves beyond the ranges, too", l.Name(m.Provider), from, l.Name(m.From), to, l.Name(m.To))
	default:
		return l.Say("%s falls from %s on %s to %s on %s; %d others move beyond the ranges, too", l.Name(m.Provider), from, l.Name(m.From), to, l.Name(m.To), n)
	}
}

// Place writes a range of places: "place 1", "places 2–4".
func (l *Language) Place(lo, hi int) string {
	if lo == hi {
		return l.Say("place %d", lo)
	}
	return l.Say("places %d–%d", lo, hi)
}
