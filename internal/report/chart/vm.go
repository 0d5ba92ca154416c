package chart

import (
	"context"
	_ "embed"
	"fmt"
	"sync"
	"time"

	"github.com/dop251/goja"
)

//go:embed echarts/echarts.min.js
var echartsJS string

//go:embed runtime.js
var runtimeJS string

//go:embed ssr.js
var ssrJS string

// programs compiles the three scripts once; every machine loads them.
var programs = sync.OnceValues(func() ([]*goja.Program, error) {
	var all []*goja.Program
	for _, script := range []struct{ name, text string }{
		{"ssr.js", ssrJS}, {"echarts.min.js", echartsJS}, {"runtime.js", runtimeJS},
	} {
		p, err := goja.Compile(script.name, script.text, true)
		if err != nil {
			return nil, fmt.Errorf("compile %s: %w", script.name, err)
		}
		all = append(all, p)
	}
	return all, nil
})

// machine is one JavaScript engine with ECharts loaded. It is not safe for
// concurrent use.
type machine struct {
	js   *goja.Runtime
	draw goja.Callable
}

func newMachine() (*machine, error) {
	scripts, err := programs()
	if err != nil {
		return nil, err
	}
	js := goja.New()
	// Neither the clock nor chance may reach a drawing.
	js.SetRandSource(func() float64 { return 0.5 })
	js.SetTimeSource(func() time.Time { return time.Unix(0, 0).UTC() })
	for _, p := range scripts {
		if _, err := js.RunProgram(p); err != nil {
			return nil, fmt.Errorf("load ECharts: %w", err)
		}
	}
	draw, ok := goja.AssertFunction(js.Get("draw"))
	if !ok {
		return nil, fmt.Errorf("load ECharts: no draw function")
	}
	return &machine{js, draw}, nil
}

// svg draws d and returns what ECharts wrote, uncleaned. A cancelled context
// interrupts the machine, which stays usable.
func (m *machine) svg(ctx context.Context, d *drawing) (string, error) {
	stop := context.AfterFunc(ctx, func() { m.js.Interrupt(ctx.Err()) })
	defer m.js.ClearInterrupt()
	defer stop()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	v, err := m.draw(goja.Undefined(), m.js.ToValue(string(d.option)), m.js.ToValue(d.width), m.js.ToValue(d.height))
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", err
	}
	return v.String(), nil
}
