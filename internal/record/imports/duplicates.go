package imports

import (
	"reflect"

	"aircheck/schema"
)

// A log may write a request several times while its answer grows. Rows whose
// identity is known are held until their file ends, so that the most complete
// of them is taken; of a long file, so many at a time.
const mostHeld = 1 << 16

// hold keeps a row, or puts it in the place of a less complete one.
func (in *importer) hold(q *schema.Request) error {
	key := in.past.key(q)
	if i, ok := in.heldAt[key]; ok {
		other := in.held[i]
		in.account.Repeats++
		if !same(q, other) {
			in.account.Doubt("a record whose identity another has, and which differs from it: the more complete one was taken")
		}
		if completer(q, other) {
			in.held[i] = q
		}
		return nil
	}
	if in.past.rows[key] {
		in.account.Repeats++
		return nil
	}
	in.past.rows[key] = true
	if in.heldAt == nil {
		in.heldAt = map[[16]byte]int{}
	}
	in.heldAt[key] = len(in.held)
	in.held = append(in.held, q)
	in.account.Rows++
	if len(in.held) == mostHeld {
		return in.release()
	}
	return nil
}

// release writes the rows that are held.
func (in *importer) release() error {
	for _, q := range in.held {
		if err := in.write(q, nil); err != nil {
			return err
		}
	}
	in.held, in.heldAt = nil, nil
	return nil
}

// same reports whether two records say the same.
func same(a, b *schema.Request) bool { return reflect.DeepEqual(a, b) }

// completer reports whether a record says more than another: more of its
// columns, else more output, else as much and later.
func completer(a, b *schema.Request) bool {
	if x, y := stated(a), stated(b); x != y {
		return x > y
	}
	if a.ReportedOutputTokens != nil && b.ReportedOutputTokens != nil && *a.ReportedOutputTokens != *b.ReportedOutputTokens {
		return *a.ReportedOutputTokens > *b.ReportedOutputTokens
	}
	return true
}

// stated counts the columns that a record has a value for.
func stated(q *schema.Request) int {
	n := 0
	v := reflect.ValueOf(q).Elem()
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			n++
		}
	}
	return n
}
