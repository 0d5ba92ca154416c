// Command scorecard says which of the facts that are planted in a simulated
// market the public views find, and what they claim that is not so.
package main

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/simulate"
)

// Entry says how a fact shows; see card.yaml.
type Entry struct {
	Fact   string   `yaml:"fact"`
	View   string   `yaml:"view"`
	Claims string   `yaml:"claims"`
	Also   []string `yaml:"also"`
	Found  string   `yaml:"found"`
	Alarms string   `yaml:"alarms"`
}

//go:embed card.yaml
var card []byte

// Entries reads the card.
func Entries() ([]Entry, error) {
	var out []Entry
	err := yamlx.Decode(card, "card.yaml", &out)
	return out, err
}

// Line is what became of one fact, or of one decoy.
type Line struct {
	Fact     simulate.Fact
	View     string
	Findings []string // that find it; the first is the clearest
	Alarms   []string // claims of its kind that are not so
}

// Found says whether the fact is found.
func (l *Line) Found() bool { return len(l.Findings) > 0 }

// Querier is a connection to the public views on which tables can be made.
type Querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Score holds the views against the facts of a fleet, in the fleet's order.
func Score(ctx context.Context, db Querier, fleet *simulate.Fleet) ([]Line, error) {
	entries, err := Entries()
	if err != nil {
		return nil, err
	}
	if err := plantedTable(ctx, db, fleet); err != nil {
		return nil, err
	}
	var out []Line
	for _, f := range fleet.Facts {
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Fact == f.Name })
		if i < 0 {
			return nil, fmt.Errorf("card.yaml does not say how the fact %q shows", f.Name)
		}
		l, err := score(ctx, db, &entries[i])
		if err != nil {
			return nil, fmt.Errorf("card.yaml, %s: %w", f.Name, err)
		}
		l.Fact = f
		out = append(out, *l)
	}
	return out, nil
}

func plantedTable(ctx context.Context, db Querier, fleet *simulate.Fleet) error {
	if _, err := db.ExecContext(ctx, "CREATE OR REPLACE TEMP TABLE planted(fact VARCHAR, provider VARCHAR, model VARCHAR)"); err != nil {
		return err
	}
	for _, f := range fleet.Facts {
		for _, at := range f.At {
			if _, err := db.ExecContext(ctx, "INSERT INTO planted VALUES (?, ?, ?)", f.Name, at.Provider, at.Model); err != nil {
				return err
			}
		}
	}
	return nil
}

func score(ctx context.Context, db Querier, e *Entry) (l *Line, err error) {
	l = &Line{View: e.View}
	ask := func(query string, args ...any) []string {
		if err != nil || query == "" {
			return nil
		}
		var out []string
		out, err = column(ctx, db, query, args...)
		return out
	}
	l.Findings, l.Alarms = ask(e.Found), ask(e.Alarms)
	if e.Claims != "" {
		const on = "(SELECT provider, model FROM planted WHERE list_contains(?, fact))"
		claims := "WITH claims(provider, model, finding) AS (" + e.Claims + ") SELECT finding FROM claims WHERE (provider, model) "
		l.Findings = ask(claims+"IN "+on+" ORDER BY finding", []string{e.Fact})
		l.Alarms = ask(claims+"NOT IN "+on+" ORDER BY finding", append([]string{e.Fact}, e.Also...))
	}
	return l, err
}

func column(ctx context.Context, db Querier, query string, args ...any) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s sql.NullString
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s.String)
	}
	return out, rows.Err()
}

// Sums counts facts, those found, and false alarms by fact and decoy.
type Sums struct{ Facts, Found, Decoys, Alarms, DecoyAlarms int }

// Sum adds a scorecard up.
func Sum(lines []Line) (s Sums) {
	for i := range lines {
		l := &lines[i]
		s.Alarms += len(l.Alarms)
		if l.Fact.Decoy {
			s.Decoys++
			s.DecoyAlarms += len(l.Alarms)
			continue
		}
		s.Facts++
		if l.Found() {
			s.Found++
		}
	}
	return s
}

// Markdown is the scorecard as a table, with the false alarms below it.
func Markdown(lines []Line) string {
	var b strings.Builder
	s := Sum(lines)
	fmt.Fprintf(&b, "%d of %d facts found, %d false alarms, %d of them on %d decoys.\n\n", s.Found, s.Facts, s.Alarms, s.DecoyAlarms, s.Decoys)
	b.WriteString("| fact | planted | found in | by |\n|---|---|---|---|\n")
	for i := range lines {
		l := &lines[i]
		view, by := "`"+l.View+"`", "**missed**"
		switch {
		case l.Fact.Decoy && len(l.Alarms) == 0:
			by = "no claim, as it should be"
		case l.Fact.Decoy:
			by = "**false alarm**: " + l.Alarms[0]
		case l.Found():
			by = l.Findings[0]
			if more := len(l.Findings) - 1; more > 0 {
				by += fmt.Sprintf(" (and %d more)", more)
			}
		}
		name := l.Fact.Name
		if l.Fact.Decoy {
			name += " (decoy)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, l.Fact.Says, view, strings.NewReplacer("|", "\\|", "\n", " ").Replace(by))
	}
	for i := range lines {
		l := &lines[i]
		if len(l.Alarms) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\nFalse alarms of the kind of %s:\n\n", l.Fact.Name)
		for _, a := range l.Alarms {
			fmt.Fprintf(&b, "- %s\n", strings.ReplaceAll(a, "\n", " "))
		}
	}
	return b.String()
}
