package chart

import (
	"fmt"
	"math"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		scale       Scale
		length, gap float64
		want        string
	}{
		{Scale{90, 6000}, 800, 60, "[100 200 500 1000 2000 5000]"},
		{Scale{90, 6000}, 250, 44, "[100 300 1000 3000]"},
		{Scale{90, 6000}, 150, 60, "[100 1000]"},
		{Scale{18, 100}, 250, 44, "[20 30 50 70 100]"},
		{Scale{210, 390}, 800, 60, "[250 300]"},
		{Scale{0.05, 3}, 800, 60, "[0.05 0.1 0.2 0.5 1 2]"},
		{Scale{1, 1e6}, 120, 60, "[1 1000 1e+06]"},
	} {
		if got := fmt.Sprint(c.scale.Ticks(c.length, c.gap)); got != c.want {
			t.Errorf("%v over %v px: %s, want %s", c.scale, c.length, got, c.want)
		}
	}
}

func TestLogScale(t *testing.T) {
	s := LogScale([]float64{300, 100, 1000})
	if s.Lo >= 100 || s.Hi <= 1000 || s.Lo < 80 || s.Hi > 1250 {
		t.Errorf("scale %v", s)
	}
	if at := (Scale{10, 1000}).At(100); math.Abs(at-0.5) > 1e-9 {
		t.Errorf("100 stands at %v of 10..1000, want the middle", at)
	}
	if at := (Scale{10, 1000}).At(5); at != 0 {
		t.Errorf("a value below the scale stands at %v", at)
	}
	one := LogScale([]float64{240})
	if !(one.Lo < 240 && 240 < one.Hi) {
		t.Errorf("scale of one value: %v", one)
	}
}

func TestText(t *testing.T) {
	if got := fit("Kestrel", 12, 200); got != "Kestrel" {
		t.Errorf("fit: %q", got)
	}
	if got := fit("a-very-long-provider-name", 12, 80); textWidth(got, 12) > 80 || got[:6] != "a-very" {
		t.Errorf("fit: %q is %v px", got, textWidth(got, 12))
	}
	for in, want := range map[string]string{"qilin-235b": "qilin-\n235b", "tern": "tern", "a b c": "a b c"} {
		if got := wrap(in, 11, 45); got != want {
			t.Errorf("wrap(%q) = %q, want %q", in, got, want)
		}
	}
}

// Neighbours of one class are one mark when there are many slots, and each
// slot its own when they can be counted.
func TestRuns(t *testing.T) {
	many := make([]Cell, 100)
	for i := range many {
		many[i] = Cell{10, 10}
	}
	many[40], many[41] = Cell{10, 2}, Cell{10, 1}
	many[42] = Cell{}
	got := runs(many)
	want := []run{{0, 40, 0, Cell{400, 400}}, {40, 42, 4, Cell{20, 3}}, {42, 43, notMeasured, Cell{}}, {43, 100, 0, Cell{570, 570}}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("runs %v, want %v", got, want)
	}
	if n := len(runs(many[:10])); n != 10 {
		t.Errorf("%d marks for 10 slots", n)
	}
}

func TestClasses(t *testing.T) {
	for c, want := range map[Cell]int{{0, 0}: notMeasured, {5, 5}: 0, {1000, 999}: 1, {100, 99}: 1, {20, 19}: 1, {5, 4}: 2, {5, 3}: 3, {5, 0}: 4, {1, 0}: 1} {
		if got := c.class(); got != want {
			t.Errorf("class of %v: %d, want %d", c, got, want)
		}
	}
}

// Names of lines stand inside the plot, off each other, and off all lines.
func TestPlaceLabels(t *testing.T) {
	lines := samples()["tail"].(Tail).Lines
	area := box{48, 12, 328, 300}
	x, y := Scale{60, 5000}, Scale{0.01, 1}
	labels := placeLabels(lines, x, y, area)
	if len(labels) != 2 {
		t.Fatalf("%d labels for two accented lines", len(labels))
	}
	var boxes []box
	for _, l := range labels {
		b := box{l.x, l.y - 8, l.x + textWidth(l.text, 12.5), l.y + 8}
		if b.left < area.left || b.right > area.right || b.top < area.top || b.bottom > area.bottom {
			t.Errorf("%s stands outside: %v", l.text, b)
		}
		for _, line := range lines {
			for _, p := range trace(line.Points, x, y, area) {
				if b.distance(p) == 0 {
					t.Errorf("%s stands on the line of %s", l.text, line.Name)
					break
				}
			}
		}
		for _, other := range boxes {
			if b.overlaps(other) {
				t.Errorf("%s stands on another name", l.text)
			}
		}
		boxes = append(boxes, b)
	}
}

func TestStrips(t *testing.T) {
	ms := func(v float64) *float64 { return &v }
	s := Scale{90, 6000}
	golden(t, "strips.svg.txt", string(RangeAxis(s)+RangeStrip(s, ms(120), ms(240), ms(990))+RangeStrip(s, ms(120), ms(240), nil)+
		RangeStrip(s, nil, nil, nil)+BarStrip(4, 1, new(0.5), new(2.0))+BarStrip(0, 0, nil, nil)+UptimeStrip([]Cell{{5, 5}, {5, 4}, {}, {5, 0}})))
}
