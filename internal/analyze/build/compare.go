package build

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/analyze/inference"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/nearest"
)

// CompareOptions say what of two times is compared.
type CompareOptions struct {
	Metrics []string          // names; none: the first of each family that the data have
	Margins map[string]Margin // by metric, in place of the registry's; "" is for all
}

// Margin is how large a change must be to count; nil leaves the registry's.
type Margin struct {
	Ratio *float64 // share: 0.10 is ten percent
	Abs   *float64 // in the metric's unit
}

// Comparison is what changed from one time to another.
type Comparison struct {
	Before, After  Span
	Changes        []Change     // by metric in order of the registry, then by cell
	Gone, New      []Cell       // cells that only one of the two has
	Withdrawn      []Withdrawal // of those that only before has
	FalseDiscovery float64      // share of decided changes that may be wrong
}

// Withdrawal is a cell that was served before, and of which every request after
// was told that there is no such model.
type Withdrawal struct {
	Cell     `json:"cell"`
	Requests int64 `json:"requests"`
}

// Span is one side of a comparison.
type Span struct {
	Name     string
	Windows  int
	Requests int64
}

// Cell is what is compared with itself.
type Cell struct {
	Provider    string  `json:"provider"`
	Model       string  `json:"model"`
	Scenario    string  `json:"scenario"`
	Concurrency *int32  `json:"concurrency"`
	Vantage     *string `json:"vantage"`
	Params      *string `json:"params"`
}

// What may be claimed of a change.
const (
	Regression  = "regression"
	Improvement = "improvement"
	Unchanged   = "unchanged" // all of its interval lies within the margin
)

// How sure the claim is.
const (
	Supported = "supported"
	Tendency  = "tendency" // beyond the margin, and chance or these windows may be why
	Undecided = "undecided"
)

// Change is one metric of one cell, before and after. Ratio is after ÷ before.
type Change struct {
	Metric      string `json:"metric"`
	Title       string `json:"title"`
	Unit        string `json:"unit"`
	Better      string `json:"better"`
	Cell        `json:"cell"`
	LevelBefore *float64 `json:"level_before"`
	LevelAfter  *float64 `json:"level_after"`
	Ratio       *float64 `json:"ratio"`
	Lo          *float64 `json:"ratio_lo"`
	Hi          *float64 `json:"ratio_hi"`
	P           *float64 `json:"p"`
	Q           *float64 `json:"q"`

	WindowsBefore int     `json:"windows_before"`
	WindowsAfter  int     `json:"windows_after"`
	NBefore       int     `json:"n_before"`
	NAfter        int     `json:"n_after"`
	Evidence      string  `json:"evidence"` // windows, within or none
	MarginRatio   float64 `json:"margin_ratio"`
	MarginAbs     float64 `json:"margin_abs"`
	Claim         string  `json:"claim,omitempty"` // none where undecided
	Verdict       string  `json:"verdict"`
	WhyNot        string  `json:"why_not,omitempty"` // why it is not supported
	clocksApart   float64 // ms by which the clocks of the two times may differ; 0: they are the same
}

// CompareDatasets compares one dataset with an earlier one, cell by cell. Both
// are brought up to date first.
func CompareDatasets(ctx context.Context, before, after Options, o CompareOptions) (*Comparison, error) {
	a, err := openWindows(ctx, before)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	b, err := openWindows(ctx, after)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	x, err := a.whole(ctx, before.Dir)
	if err != nil {
		return nil, err
	}
	y, err := b.whole(ctx, after.Dir)
	if err != nil {
		return nil, err
	}
	metrics, err := o.registry(ctx, b)
	if err != nil {
		return nil, err
	}
	return compareSpans(ctx, metrics, x, y, len(o.Metrics) == 0, after.Threads())
}

// CompareBy compares parts of one dataset: windows, runs or periods, before and
// after by name; empty names take the last part and the one before it.
func CompareBy(ctx context.Context, d Options, by, before, after string, o CompareOptions) (*Comparison, error) {
	r, err := openWindows(ctx, d)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	parts, err := r.parts(ctx, by)
	if err != nil {
		return nil, err
	}
	if len(parts) < 2 {
		return nil, r.tooFew(ctx, by, len(parts))
	}
	x, y, err := pick(parts, by, before, after)
	if err != nil {
		return nil, err
	}
	metrics, err := o.registry(ctx, r)
	if err != nil {
		return nil, err
	}
	return compareSpans(ctx, metrics, x.of(r), y.of(r), len(o.Metrics) == 0, d.Threads())
}

// registry is the metrics that are asked for, with their margins.
func (o *CompareOptions) registry(ctx context.Context, e duck.Execer) ([]inference.Metric, error) {
	all, err := inference.Registry(ctx, e)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range all {
		names = append(names, m.Name)
	}
	known := func(name string) error {
		if slices.Contains(names, name) {
			return nil
		}
		err := fmt.Errorf("no metric %q", name)
		if near := nearest.Likely(name, names); near != "" {
			err = fmt.Errorf("no metric %q: did you mean %s?", name, near)
		}
		return settings.Wrap(err)
	}
	for _, name := range o.Metrics {
		if err := known(name); err != nil {
			return nil, err
		}
	}
	for name := range o.Margins {
		if name != "" {
			if err := known(name); err != nil {
				return nil, err
			}
		}
	}
	var out []inference.Metric
	for _, m := range all {
		if len(o.Metrics) > 0 && !slices.Contains(o.Metrics, m.Name) {
			continue
		}
		for _, margin := range []Margin{o.Margins[""], o.Margins[m.Name]} {
			if margin.Ratio != nil && !m.Shares() {
				m.Margin.Ratio = 1 + *margin.Ratio
			}
			if margin.Abs != nil {
				m.Margin.Abs = *margin.Abs
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// compareSpans compares cell by cell. With chiefs set, of each family only the
// first metric that both sides have is compared.
func compareSpans(ctx context.Context, metrics []inference.Metric, before, after spanned, chiefs bool, workers int) (*Comparison, error) {
	c := &Comparison{Before: before.Span, After: after.Span, FalseDiscovery: inference.FalseDiscovery}
	var seen [2]map[inference.CellKey]bool
	seen[0], seen[1] = map[inference.CellKey]bool{}, map[inference.CellKey]bool{}
	families := map[string]bool{}
	for i := range metrics {
		m := &metrics[i]
		if chiefs && families[m.Family] {
			continue
		}
		x, err := before.read(ctx, m.Name)
		if err != nil {
			return nil, err
		}
		y, err := after.read(ctx, m.Name)
		if err != nil {
			return nil, err
		}
		was := map[inference.CellKey][]inference.CellWindow{}
		for _, cell := range inference.Chunked(x, inference.CellOf) {
			was[inference.CellOf(&cell[0])] = cell
			seen[0][inference.CellOf(&cell[0])] = true
		}
		var family []pairOfTimes
		var apart []float64 // by how many milliseconds their clocks may differ
		for _, cell := range inference.Chunked(y, inference.CellOf) {
			key := inference.CellOf(&cell[0])
			seen[1][key] = true
			if was[key] != nil {
				apart = append(apart, before.clocks.Of(was[key]).Apart(after.clocks.Of(cell)))
				family = append(family, pairOfTimes{renamed("before ", was[key]), renamed("after ", cell)})
			}
		}
		if len(family) == 0 {
			continue
		}
		families[m.Family] = true
		c.Changes = append(c.Changes, judge(m, family, apart, workers)...)
	}
	unavailable, err := after.unavailable(ctx)
	if err != nil {
		return nil, err
	}
	for _, k := range only(seen[0], seen[1]) {
		if n := unavailable[k]; n > 0 {
			c.Withdrawn = append(c.Withdrawn, Withdrawal{cellNamed(k), n})
		} else {
			c.Gone = append(c.Gone, cellNamed(k))
		}
	}
	for _, k := range only(seen[1], seen[0]) {
		c.New = append(c.New, cellNamed(k))
	}
	return c, nil
}

// pairOfTimes is the windows of one cell, before and after.
type pairOfTimes [2][]inference.CellWindow

// renamed gives windows names of their own: two data sets may call different
// windows by one.
func renamed(prefix string, windows []inference.CellWindow) []inference.CellWindow {
	out := slices.Clone(windows)
	for i := range out {
		out[i].ID = prefix + out[i].ID
	}
	return out
}

// judge compares the cells of one metric. Those with six windows or more on each
// side are one family of tests; the others, which are tested within their windows
// and can decide nothing, are another.
func judge(m *inference.Metric, family []pairOfTimes, apart []float64, workers int) []Change {
	out := make([]Change, len(family))
	var many [][2][]inference.CellWindow
	var manyAt, few []int
	var p []*float64
	for i, f := range family {
		better := "higher"
		if m.Lower {
			better = "lower"
		}
		out[i] = Change{
			Metric: m.Name, Title: m.Title, Unit: m.Unit, Better: better, Cell: cellNamed(inference.CellOf(&f[1][0])),
			WindowsBefore: len(f[0]), WindowsAfter: len(f[1]), MarginRatio: m.Margin.Ratio - 1, MarginAbs: m.Margin.Abs, Verdict: Undecided, clocksApart: apart[i],
		}
		if min(len(f[0]), len(f[1])) >= stats.MinStep {
			many, manyAt = append(many, f), append(manyAt, i)
			continue
		}
		few = append(few, i)
		out[i].within(m, f)
		p = append(p, out[i].P)
	}
	for k, q := range stats.BenjaminiHochberg(p) {
		out[few[k]].Q = q
	}
	for k, s := range inference.JudgeSteps(m, many, workers) {
		out[manyAt[k]].over(m, &s)
	}
	return out
}

// within is what few windows say of a cell: a tendency at most.
func (c *Change) within(m *inference.Metric, f pairOfTimes) {
	a, b := inference.NewSample(m, f[1]), inference.NewSample(m, f[0])
	s := a.Since(b)
	c.LevelBefore, c.LevelAfter, c.Ratio, c.Lo, c.Hi, c.P = s.LevelB, s.LevelA, s.Ratio, s.Lo, s.Hi, s.P
	c.NBefore, c.NAfter, c.Evidence, c.WhyNot = b.N, a.N, string(s.Evidence), string(stats.WhyWindows)
	if widened := m.Widened(c.clocksApart); widened != m && !s.Beyond(widened.Margin) {
		c.WhyNot = string(stats.WhyClocks)
	} else if s.Beyond(m.Margin) {
		c.Verdict = Tendency
		c.leans(m)
	}
}

// over is what windows say of a cell.
func (c *Change) over(m *inference.Metric, s *stats.Stepped) {
	c.LevelBefore, c.LevelAfter, c.Ratio, c.Lo, c.Hi, c.P, c.Q = s.UnitBefore, s.UnitAfter, s.Ratio, s.Lo, s.Hi, s.P, s.Q
	c.NBefore, c.NAfter, c.Evidence, c.WhyNot = s.NBefore, s.NAfter, string(stats.EvidenceWindows), string(s.Why)
	if s.P == nil {
		c.Evidence = string(stats.EvidenceNone)
	}
	comparison := stats.Comparison{Ratio: s.Ratio, LevelA: s.UnitAfter, LevelB: s.UnitBefore}
	beyond, widened := comparison.Beyond(m.Margin), m.Widened(c.clocksApart)
	switch {
	case widened != m && !comparison.Beyond(widened.Margin):
		c.WhyNot = string(stats.WhyClocks)
	case s.Decided:
		c.Verdict = Supported
		c.leans(m)
	case s.Unchanged:
		c.Claim, c.Verdict, c.WhyNot = Unchanged, Supported, ""
	case beyond && (s.Why != stats.WhyPower || *s.P <= stats.Level):
		c.Verdict = Tendency
		c.leans(m)
	}
}

// leans sets what the estimate claims.
func (c *Change) leans(m *inference.Metric) {
	c.Claim = Regression
	if m.Better(stats.Comparison{Ratio: c.Ratio, LevelA: c.LevelAfter, LevelB: c.LevelBefore}) > 0 {
		c.Claim = Improvement
	}
}

func cellNamed(k inference.CellKey) Cell {
	c := Cell{Provider: k.Provider, Model: k.Model, Scenario: k.Scenario}
	if k.Concurrency.Valid {
		c.Concurrency = &k.Concurrency.Int32
	}
	if k.Vantage.Valid {
		c.Vantage = &k.Vantage.String
	}
	if k.Params.Valid {
		c.Params = &k.Params.String
	}
	return c
}

// only lists the cells that x has and y lacks, by name.
func only(x, y map[inference.CellKey]bool) []inference.CellKey {
	var out []inference.CellKey
	for k := range x {
		if !y[k] {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b inference.CellKey) int { return strings.Compare(cellNamed(a).String(), cellNamed(b).String()) })
	return out
}

// String names a cell on one line.
func (c Cell) String() string {
	parts := []string{c.Provider, c.Model, c.Scenario}
	if c.Concurrency != nil {
		parts = append(parts, fmt.Sprintf("concurrency %d", *c.Concurrency))
	}
	for _, v := range []*string{c.Vantage, c.Params} {
		if v != nil {
			parts = append(parts, *v)
		}
	}
	return strings.Join(parts, " · ")
}
