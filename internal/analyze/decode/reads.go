package decode

import "aircheck/schema"

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
