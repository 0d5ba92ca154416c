package build

import "context"

// OpenFor is [Open] for queries of our own over few views, private ones among
// them: the others are not defined, and their files need not be there.
func OpenFor(ctx context.Context, o Options, views ...string) (*Reader, error) {
	r, err := OpenForSelect(ctx, o)
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
