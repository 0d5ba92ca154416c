package chart

import "math"

type point struct{ x, y float64 }

// box is a rectangle in pixels, y downwards.
type box struct{ left, top, right, bottom float64 }

// distance from the box to p; 0 inside.
func (b box) distance(p point) float64 {
	return math.Hypot(max(b.left-p.x, 0, p.x-b.right), max(b.top-p.y, 0, p.y-b.bottom))
}

func (b box) overlaps(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// label is a text beside a line: its left middle, in pixels.
type label struct {
	text   string
	x, y   float64
	accent Accent
}

// placeLabels finds for each accented line the place along it where its name
// stands freest of the other lines and names. ECharts would hide or shift an
// overlapping label; it does not look for a free side.
func placeLabels(lines []TailLine, x, y Scale, area box) []label {
	const size, height, enough = 12.5, 16.0, 26.0
	paths := make([][]point, len(lines))
	for i, l := range lines {
		paths[i] = trace(l.Points, x, y, area)
	}
	var labels []label
	var taken []box
	for i, l := range lines {
		if l.Accent == Grey || len(paths[i]) == 0 {
			continue
		}
		text := fit(l.Name, size, 150)
		width := textWidth(text, size)
		best, bestScore := box{}, math.Inf(-1)
		for n, p := range paths[i] {
			for _, b := range []box{
				{p.x + 8, p.y - height - 2, p.x + 8 + width, p.y - 2}, // right, above
				{p.x - 8 - width, p.y + 2, p.x - 8, p.y + 2 + height}, // left, below
				{p.x + 8, p.y - height/2, p.x + 8 + width, p.y + height/2},
			} {
				if b.left < area.left+4 || b.right > area.right-2 || b.top < area.top || b.bottom > area.bottom-2 {
					continue
				}
				free := enough
				for j, path := range paths {
					for _, q := range path {
						if d := b.distance(q); j == i {
							free = min(free, 4*d) // its own line may be near, not under it
						} else {
							free = min(free, d)
						}
					}
				}
				for _, t := range taken {
					if b.overlaps(t) {
						free = -enough
					}
				}
				// Of equally free places the one nearer the tail.
				if score := free + 6*float64(n)/float64(len(paths[i])); score > bestScore {
					best, bestScore = b, score
				}
			}
		}
		if math.IsInf(bestScore, -1) {
			continue // no room at all: the tip and the table name the line
		}
		taken = append(taken, best)
		labels = append(labels, label{text, math.Round(best.left), math.Round((best.top + best.bottom) / 2), l.Accent})
	}
	return labels
}

// trace is the line in pixels, with points at most 8 px apart.
func trace(points []TailPoint, x, y Scale, area box) []point {
	var path []point
	for _, p := range points {
		q := point{area.left + x.At(p.Ms)*(area.right-area.left), area.bottom - y.At(p.Share)*(area.bottom-area.top)}
		if n := len(path); n > 0 {
			from := path[n-1]
			steps := math.Ceil(math.Hypot(q.x-from.x, q.y-from.y) / 8)
			for s := 1.0; s < steps; s++ {
				path = append(path, point{from.x + (q.x-from.x)*s/steps, from.y + (q.y-from.y)*s/steps})
			}
		}
		path = append(path, q)
	}
	return path
}
