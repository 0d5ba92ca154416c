package chart

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"sync"
	"sync/atomic"
)

// The two widths, in CSS pixels, at which every chart is drawn: the page's
// text column, and a phone's.
const (
	Wide   = 992
	Narrow = 362
)

// Chart is a figure that this package can draw.
type Chart interface {
	// draw gives the options of the chart at a width.
	draw(width int) (*drawing, error)
}

// drawing is one chart at one width, ready for ECharts.
type drawing struct {
	id            string // of the chart
	title, desc   string // what it shows, for readers who cannot see it
	width, height int
	option        []byte
	tips          [][]string // text shown on a mark, by series and datum
}

// Titled is a chart with its finding, and what is plotted: the title and the
// description of its SVG.
type Titled struct {
	Chart
	Title, Desc string
}

func (t Titled) draw(width int) (*drawing, error) {
	d, err := t.Chart.draw(width)
	if err == nil {
		d.title, d.desc = t.Title, t.Desc
	}
	return d, err
}

// Figure is a drawn chart: two SVG elements, of which a page shows one.
type Figure struct {
	Wide, Narrow template.HTML
}

// Renderer draws charts on a few JavaScript machines, kept for the next call.
// It is safe for concurrent use.
type Renderer struct {
	workers int
	mu      sync.Mutex
	idle    []*machine
}

// NewRenderer gives a renderer that draws on up to workers machines at once
// (at least one). A machine costs about 30 MB while it lives.
func NewRenderer(workers int) *Renderer { return &Renderer{workers: max(workers, 1)} }

var chartID = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Draw draws every chart at both widths. The result is in the order of the
// charts and does not depend on the number of workers.
func (r *Renderer) Draw(ctx context.Context, charts []Chart) ([]Figure, error) {
	var drawings []*drawing
	for _, c := range charts {
		for _, width := range []int{Wide, Narrow} {
			d, err := c.draw(width)
			if err != nil {
				return nil, err
			}
			if !chartID.MatchString(d.id) {
				return nil, fmt.Errorf("chart id %q: want lower-case letters, digits and hyphens", d.id)
			}
			drawings = append(drawings, d)
		}
	}
	svgs, err := r.all(ctx, drawings)
	if err != nil {
		return nil, err
	}
	figures := make([]Figure, len(charts))
	for i := range figures {
		figures[i] = Figure{Wide: svgs[2*i], Narrow: svgs[2*i+1]}
	}
	return figures, nil
}

// all draws in parallel and stops at the first error.
func (r *Renderer) all(ctx context.Context, drawings []*drawing) ([]template.HTML, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	svgs := make([]template.HTML, len(drawings))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(r.workers, len(drawings)) {
		wg.Go(func() {
			m, err := r.take()
			if err != nil {
				cancel(err)
				return
			}
			defer r.give(m)
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(drawings) {
					return
				}
				if svgs[i], err = m.figure(ctx, drawings[i]); err != nil {
					cancel(fmt.Errorf("chart %s at width %d: %w", drawings[i].id, drawings[i].width, err))
				}
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	return svgs, ctx.Err()
}

func (m *machine) figure(ctx context.Context, d *drawing) (template.HTML, error) {
	raw, err := m.svg(ctx, d)
	if err != nil {
		return "", err
	}
	return clean(raw, d)
}

func (r *Renderer) take() (*machine, error) {
	r.mu.Lock()
	n := len(r.idle)
	if n == 0 {
		r.mu.Unlock()
		return newMachine()
	}
	defer r.mu.Unlock()
	m := r.idle[n-1]
	r.idle = r.idle[:n-1]
	return m, nil
}

func (r *Renderer) give(m *machine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, m)
}
