package decode

import (
	"aircheck/internal/wire/dialect"
	"aircheck/schema"
)

// What is known of a response without looking into what it says.

// count adds up the events of the response at hand, and sets the gaps between
// its reads with content. A stamp that lies before an earlier one leaves a gap of 0.
func (a *assembler) count(st *stream) {
	c := &a.events
	undecoded, last := int32(-1), int64(0)
	timed := a.at.times
	longest := int64(-1)
	led := false
	for row := a.at.first; row < c.n; row++ {
		c.gapped[row] = 0
		var t int64
		if c.timed[row] == 1 {
			t = c.tNs[timed]
			timed++
		}
		kind := c.kind(row)
		switch chars := int64(c.chars(row)); kind {
		case dialect.KindText:
			st.TextChars += chars
		case dialect.KindReasoning:
			st.ReasoningChars += chars
		case dialect.KindTool:
			st.ToolChars += chars
		case dialect.KindRefusal:
			st.RefusalChars += chars
		case dialect.KindDone:
			if st.DoneSeq == nil {
				st.DoneSeq = new(c.seq(row))
			}
			continue
		case dialect.KindError:
			if st.ErrorSeq == nil {
				st.ErrorSeq = new(c.seq(row))
			}
			continue
		case dialect.KindUndecoded:
			if seq := c.seq(row); seq != undecoded {
				undecoded = seq
				st.Undecoded++
			}
			continue
		}
		lead := c.lead(row)
		if lead >= 2 {
			st.ContentFrames++
		}
		if lead < 3 {
			continue
		}
		st.ContentReads++
		if kind != dialect.KindReasoning {
			st.AnswerReads++
		}
		if c.timed[row] == 0 {
			continue
		}
		if led {
			gap := max(t-last, 0)
			c.gaps[c.gapsN], c.gapped[row] = gap, 1
			c.gapsN++
			if gap > longest {
				longest, st.LongestAfterNs = gap, new(last)
			}
			t = max(t, last)
		}
		led, last = true, t
	}
}

// reads counts reads, frames that shared one, and the recorder's lag.
func (st *stream) reads(f *schema.Frames, from, end int) {
	var lag int64
	stamped := false
	for i := from; i < end; i++ {
		first := i == from || f.ReadSeq[i-1] != f.ReadSeq[i]
		if first {
			st.Reads++
		}
		if !first || i+1 < end && f.ReadSeq[i+1] == f.ReadSeq[i] {
			st.Coalesced++
		}
		if !f.Complete[i] {
			st.Incomplete++
		}
		if d := f.TReadNs[i] - f.TNs[i]; d != 0 && f.Timed[i] && f.ReadTimed[i] { // 0 where the read itself was the clock
			if !stamped || d > lag {
				lag, stamped = d, true
			}
		}
	}
	if stamped {
		st.LagNs = &lag
	}
}
