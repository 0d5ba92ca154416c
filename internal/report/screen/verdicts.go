// Package screen writes the closing screen of a build: what the data say, on
// one screen of a terminal, in the words that the report uses.
package screen

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// Width and Height are the screen's size, in characters and lines.
const (
	Width  = 100
	Height = 40
)

// Screen reads the public views and gives lines of at most [Width] characters
// (but for commands, which are not cut), at most height of them, none where
// nothing was measured. bold marks headings;
// nil leaves them plain.
func Screen(ctx context.Context, e duck.Execer, dir string, height int, bold func(string) string) ([]string, error) {
	if bold == nil {
		bold = func(s string) string { return s }
	}
	s := &screen{dir: dir, bold: bold, height: height}
	if err := s.read(ctx, e); err != nil || s.requests == 0 {
		return nil, err
	}
	if s.answered == 0 || s.metric.Name == "" {
		return s.unanswered(), nil
	}
	return s.lines(), nil
}

// screen is what the views say.
type screen struct {
	dir     string
	height  int
	bold    func(string) string
	metric  words.Metric // that the run is for, else the first that has values
	windows int64        // most windows of a provider in any contest
	rivals  bool         // some contest has two providers

	requests, answered int64 // measured
	runs               words.Runs
	faults             int64 // that the audit finds
	silent             []silent

	contests  []contest
	flips     []words.Flip
	flipsAt   []setting
	supported int64
	tendency  int64
	champion  *words.Champion
	others    []words.Champion // of the first metric of each other family
}

type setting struct {
	scenario    string
	concurrency sql.NullInt64
	vantage     sql.NullString
}

// silent is a target that answered nothing.
type silent struct {
	provider, model  string
	requests         int64
	outcome, example string
}

type contest struct {
	setting
	model      string
	standings  []words.Standing
	windows, n []int64 // of each
}

// lines lays the screen out: the contests and the flips share what the fixed
// parts leave.
func (s *screen) lines() []string {
	main := s.main()
	head := s.bold(s.metric.Heading) + " (" + s.metric.Name + ")"
	if where := s.where(main); where != "" {
		head += ", " + where
	}
	out := []string{"", head}
	tail := s.otherLines()
	if warn := s.warning(); warn != "" {
		tail = append(tail, wrap(warn, "  ", "  ")...)
	}
	tail = append(tail, s.marks()...)
	next := "FROM ranks WHERE metric = '" + s.metric.Name + "'"
	if s.supported > 0 {
		next = "FROM flips WHERE verdict = 'supported'"
	}
	tail = append(tail, "", "next: "+command("report", s.dir, "--to site"), "      "+s.sql(next))
	var answer []string
	if s.champion != nil {
		answer = append([]string{""}, wrap(words.Capital(s.champion.Text())+".", "  ", "  ")...)
	}
	left := s.height - len(out) - len(answer) - len(tail)
	flips := s.flipLines(left / 2)
	contests := s.contestLines(main, left-len(flips))
	out = append(append(append(out, contests...), answer...), flips...)
	return append(out, tail...)
}

// unanswered is the screen of a dataset in which nothing was.
func (s *screen) unanswered() []string {
	out := []string{"", clip(fmt.Sprintf("Of %s none was answered.", words.Count(s.requests, "measured request")))}
	return append(append(out, s.marks()...), "", "next: "+s.sql("FROM errors"))
}

// silentShown is how many targets that answered nothing have a line each.
const silentShown = 4

// marks say what a reader must know of the runs: who answered nothing, and how
// to list what the audit finds.
func (s *screen) marks() []string {
	var out []string
	for i, t := range s.silent {
		if i == silentShown && len(s.silent) > silentShown+1 {
			out = append(out, fmt.Sprintf("  … and %s that gave nothing: %s", words.Count(int64(len(s.silent)-i), "target"), s.sql("FROM errors")))
			break
		}
		text := fmt.Sprintf("  %s · %s gave nothing: %s, %s", t.provider, t.model, words.Count(t.requests, "request"), t.outcome)
		if t.example != "" {
			text += fmt.Sprintf(" (%s)", strings.Join(strings.Fields(t.example), " "))
		}
		out = append(out, clip(text))
	}
	if marks := s.runs.Marks(nil); len(marks) > 0 {
		out = append(out, clip("  Runs: "+strings.Join(marks, "; ")+"."))
	}
	if s.faults > 0 {
		out = append(out, "  "+words.Faults(nil, s.faults)+": "+s.sql(words.FaultsQuery))
	}
	return out
}

func (s *screen) sql(query string) string { return command("analyze sql", s.dir, `"`+query+`"`) }

// command is a line to be copied, so it is never cut. A directory that a shell
// or a terminal would take for something else is left to the reader.
func command(name, dir, rest string) string {
	if strings.ContainsFunc(dir, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+:,=@", r)
	}) {
		dir = "DIR"
	}
	return name + " " + dir + " " + rest
}

// where names a setting by what differs between the settings of the data.
func (s *screen) where(at setting) string {
	var scenario, vantage string
	var concurrency int64
	for _, c := range s.contests {
		if c.scenario != at.scenario {
			scenario = at.scenario
		}
		if c.concurrency != at.concurrency {
			concurrency = at.concurrency.Int64
		}
		if c.vantage != at.vantage {
			vantage = at.vantage.String
		}
	}
	return (*words.Language)(nil).Setting(scenario, concurrency, vantage)
}

// contestLines gives a line for each contest in a setting, and says what is
// left out.
func (s *screen) contestLines(main setting, room int) []string {
	var rows []string
	width, alone, elsewhere := 0, 0, 0
	for _, c := range s.contests {
		switch {
		case c.setting != main:
			elsewhere++
		case s.rivals && len(c.standings) == 1:
			alone++
		default:
			width = min(max(width, utf8.RuneCountInString(c.model)), 28)
		}
	}
	for _, c := range s.contests {
		if c.setting == main && !(s.rivals && len(c.standings) == 1) {
			text := words.Contest(s.metric, c.standings)
			rows = append(rows, clip(fmt.Sprintf("  %s  %s", pad(c.model, width), text)))
		}
	}
	var more []string
	if alone+elsewhere > 0 {
		room--
	} else if len(rows) > room {
		room--
	}
	if n := len(rows) - max(room, 1); n > 0 {
		rows = rows[:len(rows)-n]
		more = append(more, words.Count(int64(n), "model"))
	}
	if alone > 0 {
		more = append(more, words.Count(int64(alone), "model")+" on one provider only")
	}
	if elsewhere > 0 {
		more = append(more, words.Count(int64(elsewhere), "contest")+" in other settings")
	}
	if len(more) > 0 {
		rows = append(rows, clip(fmt.Sprintf("  … and %s: see the view ranks", words.List(more))))
	}
	return rows
}

// flipLines gives the strongest flips in full, as many as have room.
func (s *screen) flipLines(room int) []string {
	if s.supported+s.tendency == 0 {
		if s.champion != nil { // else there are no two models to compare
			return []string{"", "  No two providers change places from one model to another."}
		}
		return nil
	}
	head := fmt.Sprintf("%s between models: %s clear, %s leaning", s.bold("Flips"), human.Count(s.supported), human.Count(s.tendency))
	out := []string{"", head}
	for i, f := range s.flips {
		f.Setting = s.where(s.flipsAt[i])
		lines := wrap(f.Text(), "  ", "    ")
		if len(out)+len(lines) > room {
			break
		}
		out = append(out, lines...)
	}
	return out
}

// otherLines answers the champion's question for other metrics.
func (s *screen) otherLines() []string {
	if len(s.others) == 0 {
		return nil
	}
	out := []string{"", s.bold("Other measures")}
	for _, c := range s.others {
		c.Tau = nil
		out = append(out, wrap(words.Capital(c.Text())+".", "  ", "    ")...)
	}
	return out
}

// warning says why nothing, or little, is decided.
func (s *screen) warning() string {
	switch {
	case !s.rivals:
		return ""
	case s.windows < stats.MinWindows:
		return fmt.Sprintf("All of this is from %s: fewer than eight decide nothing, and twelve are what a plan that is to decide takes.", words.Count(s.windows, "window"))
	case s.windows < 12:
		return fmt.Sprintf("There are %s: they find large differences; twelve find most of 30 %%.", words.Count(s.windows, "window"))
	}
	return ""
}

// main is the setting with the most evidence; the report shows the same first.
func (s *screen) main() setting {
	evidence := map[setting]*words.Evidence{}
	var all []setting
	for _, c := range s.contests {
		if evidence[c.setting] == nil {
			evidence[c.setting] = &words.Evidence{}
			all = append(all, c.setting)
		}
		evidence[c.setting].Add(c.windows, c.n)
	}
	if len(all) == 0 {
		return setting{}
	}
	return slices.MinFunc(all, func(a, b setting) int {
		return cmp.Or(evidence[a].Compare(*evidence[b]), cmp.Compare(a.concurrency.Int64, b.concurrency.Int64),
			cmp.Compare(a.scenario, b.scenario), cmp.Compare(a.vantage.String, b.vantage.String))
	})
}

func pad(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		return string([]rune(s)[:width-1]) + "…"
	}
	return s + strings.Repeat(" ", width-n)
}

// clip cuts a line to the screen's width, and keeps names of others from moving
// the cursor.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) <= Width {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:Width-1]), " ") + "…"
}

// wrap breaks text into lines between words.
func wrap(text, first, next string) []string {
	var out []string
	line := first
	empty := true
	for word := range strings.FieldsSeq(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > Width {
			out, line, empty = append(out, line), next, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	out = append(out, line)
	for i := range out {
		out[i] = clip(out[i]) // a name without a space may be any length
	}
	return out
}
