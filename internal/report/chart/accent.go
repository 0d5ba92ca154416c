package chart

// Accent picks out a line among grey ones. Its number is that of the page's
// colour tokens: --s1 for marks, --t1 for text. Colours stay apart for the
// common kinds of colour blindness in this order over grey.
type Accent int

// Never more than these in one chart.
const (
	Grey   Accent = 0
	Blue   Accent = 1
	Brick  Accent = 2
	Ochre  Accent = 5
	Purple Accent = 4
)

// Accents in the order in which a chart gives them out.
var Accents = []Accent{Blue, Brick, Ochre, Purple}
