package analysis

import (
	"aircheck/dialect"
	"aircheck/internal/columnar"
	"aircheck/schema"
)

// eventColumns are rows of the events table by column: there are as many as
// frames, so that a struct a row would cost more than decoding it.
type eventColumns struct {
	requestID           []int64
	seq, part, readSeq  []int32
	tNs                 []int64
	timed               []int16
	kind, choice        []int32
	bytes, chars, leads []int32
}

func (c *eventColumns) add(e *dialect.Event, lead, part int32, f *schema.Frames, i int) {
	c.requestID = append(c.requestID, f.RequestID[i])
	c.seq = append(c.seq, f.Seq[i])
	c.part = append(c.part, part)
	c.readSeq = append(c.readSeq, f.ReadSeq[i])
	if f.Timed[i] {
		c.tNs, c.timed = append(c.tNs, f.TNs[i]), append(c.timed, 1)
	} else {
		c.timed = append(c.timed, 0)
	}
	c.kind = append(c.kind, int32(e.Kind))
	c.choice = append(c.choice, e.Choice)
	c.bytes = append(c.bytes, e.Bytes)
	c.chars = append(c.chars, e.Chars)
	c.leads = append(c.leads, lead)
}

func (c *eventColumns) reset() {
	c.requestID, c.seq, c.part, c.readSeq = c.requestID[:0], c.seq[:0], c.part[:0], c.readSeq[:0]
	c.tNs, c.timed, c.kind, c.choice = c.tNs[:0], c.timed[:0], c.kind[:0], c.choice[:0]
	c.bytes, c.chars, c.leads = c.bytes[:0], c.chars[:0], c.leads[:0]
}

// write writes the rows as one row group, columns in the order of event.
func (c *eventColumns) write(w *columnar.Writer[event]) error {
	if len(c.requestID) == 0 {
		return nil
	}
	return w.WriteGroup(c.requestID, c.seq, c.part, c.readSeq, columnar.Nullable{Values: c.tNs, Def: c.timed},
		c.kind, c.choice, c.bytes, c.chars, c.leads)
}
