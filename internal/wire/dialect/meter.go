package dialect

import (
	"fmt"
	"strings"

	"aircheck/internal/kit/limits"
)

// Meter watches what a compressed body becomes while it arrives, and keeps
// nothing of it. A nil one watches nothing.
type Meter struct {
	coding  string
	most    int64
	windows *limits.Budget
	took    int64 // of windows

	begun bool
	f     *inflater // nil: the body is not compressed, or is over
}

// meterWindow is the history that RFC 9659 allows a body of zstd.
const meterWindow = 8 << 20

// history is what a decompressor keeps, by coding: of those that keep kilobytes,
// nothing is counted.
var history = map[string]int64{"zstd": meterWindow, "br": 16 << 20}

// NewMeter watches a body of a coding that may become so many bytes. Where
// there is no memory for its history the body is not watched: readers of the
// data set bound what they decompress once more.
func NewMeter(coding string, most int64, windows *limits.Budget) *Meter {
	return &Meter{coding: strings.ToLower(strings.TrimSpace(coding)), most: most, windows: windows}
}

// Write takes the next piece of the body. The error says what the body is more
// than; damaged bytes are none.
func (m *Meter) Write(raw []byte) error {
	if m == nil || m.begun && m.f == nil {
		return nil
	}
	if !m.begun {
		m.begun = true
		if m.f = newInflater(&stream{meta: Meta{ContentEncoding: m.coding}}, raw); m.f == nil {
			return nil
		}
		m.f.window = meterWindow
		if n := history[m.f.coding]; n > 0 {
			if !m.windows.Take(n) {
				m.stop()
				return nil
			}
			m.took = n
		}
	}
	f := m.f
	f.in = raw
	f.packed += int64(len(raw))
	for {
		out, more := f.next()
		if !more {
			m.stop()
			return nil
		}
		if out == nil {
			return nil
		}
		f.loose += int64(len(out))
		err := f.bounded()
		if f.loose > m.most {
			err = fmt.Errorf("more than %d MB when decompressed", m.most>>20)
		}
		if err != nil {
			m.stop()
			return err
		}
	}
}

// Close ends the watch.
func (m *Meter) Close() {
	if m != nil && m.f != nil {
		m.stop()
	}
}

func (m *Meter) stop() {
	m.f.stop()
	m.f = nil
	m.windows.Give(m.took)
	m.took = 0
}
