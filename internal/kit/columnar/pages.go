package columnar

import (
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
)

// streamed reads a column chunk page by page rather than into memory of its own,
// and hands the memory of its pages on to the next chunk: a file of many million
// rows has thousands, and fresh memory must be cleared first.
var streamed = func() *parquet.ReaderProperties {
	p := parquet.NewReaderProperties(&pages{})
	p.BufferedStreamEnabled, p.BufferSize = true, 64<<10
	return p
}()

// pages is an allocator of memory that is overwritten before it is read, in
// sizes of powers of two.
type pages struct {
	mu   sync.Mutex
	free [32][][]byte // by the logarithm of the size
}

// Sizes that are kept, and how many of each. Small ones cost nothing to make,
// and large ones are too rare to hold on to.
const (
	leastPage, mostPage = 12, 21
	pagesKept           = 16
)

func (p *pages) Allocate(size int) []byte {
	if size < 0 || size > maxGroupBytes {
		panic(errTooLarge)
	}
	class := bits.Len(uint(max(size, 1) - 1))
	if class < leastPage || class > mostPage {
		return memory.DefaultAllocator.Allocate(size)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if list := p.free[class]; len(list) > 0 {
		last := len(list) - 1
		p.free[class] = list[:last]
		return list[last][:size]
	}
	return memory.DefaultAllocator.Allocate(1 << class)[:size]
}

func (p *pages) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	out := p.Allocate(size)
	copy(out, b)
	p.Free(b)
	return out
}

func (p *pages) Free(b []byte) {
	class := bits.Len(uint(max(cap(b), 1) - 1))
	if class < leastPage || class > mostPage || cap(b) != 1<<class {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free[class]) < pagesKept {
		p.free[class] = append(p.free[class], b[:0])
	}
}
