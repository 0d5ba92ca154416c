package limits

import "sync/atomic"

// Budget is memory that several takers share. A nil one has none.
type Budget struct{ left atomic.Int64 }

// NewBudget has so many bytes.
func NewBudget(bytes int64) *Budget {
	b := &Budget{}
	b.left.Store(bytes)
	return b
}

// Take takes bytes, or none if there are not so many.
func (b *Budget) Take(n int64) bool {
	if b == nil || n < 0 {
		return false
	}
	if b.left.Add(-n) >= 0 {
		return true
	}
	b.left.Add(n)
	return false
}

// Give gives back what was taken.
func (b *Budget) Give(n int64) {
	if b != nil {
		b.left.Add(n)
	}
}
