package build

import "context"

// OpenFor is [Open] for queries of our own over the named views, private ones
// among them.
func OpenFor(ctx context.Context, o Options, views ...string) (*Reader, error) {
	r, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	r.nodes = r.b.nodes
	if err := r.define(ctx, views...); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}
