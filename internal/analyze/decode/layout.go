package decode

import "aircheck/schema"

// Layout says where a run is cut, by the greatest request_id of each part but the
// last. It depends on the run's files alone: not on workers, shards or memory.
type Layout struct {
	Groups []int64 `json:"groups"` // row groups of chunks
	Pieces []int64 `json:"pieces"` // what is decoded in one go: row groups of chunks
	Slices []int64 `json:"slices"` // what is derived in one go: row groups of requests

	First   int64 `json:"first"` // the least and the greatest request_id
	Last    int64 `json:"last"`
	Checked bool  `json:"checked"` // the files' checksums were compared
}

// pieceFrames is about as many frames as decode in a fifth of a second.
const pieceFrames = 512 << 10

// SliceRequests is so many requests that a hundred columns of them take 100 MB.
const SliceRequests = 64 << 10

// LayoutOf reads the footers of a run's files.
func LayoutOf(ds *schema.Dataset, run *schema.Run) (*Layout, error) {
	chunks, err := ds.ChunkGroupsOf(run)
	if err != nil {
		return nil, err
	}
	requests, err := ds.RequestGroupsOf(run)
	if err != nil {
		return nil, err
	}
	first, last, _, err := ds.Span(run)
	if err != nil {
		return nil, err
	}
	l := &Layout{First: first, Last: last, Groups: cuts(chunks, 1), Pieces: cuts(chunks, pieceFrames), Slices: cuts(requests, SliceRequests)}
	if len(chunks) == 0 { // an import that states figures
		l.Pieces = l.Slices
	}
	return l, nil
}

// cuts are the ends of parts of at least so many rows. Row groups that are not in
// order of their requests are not parted.
func cuts(groups []schema.RowGroup, rows int64) []int64 {
	ends := []int64{} // an empty list, in JSON too
	var n int64
	for i := 0; i+1 < len(groups); i++ {
		if groups[i].Last >= groups[i+1].First {
			return []int64{}
		}
		if n += groups[i].Rows; n >= rows {
			ends, n = append(ends, groups[i].Last), 0
		}
	}
	return ends
}

// Range is a part of a run: the requests above After, up to Last, where the run
// goes on there.
type Range struct {
	Number      int
	After, Last *int64
}

// Ranges are the parts that ends cut a run into.
func Ranges(ends []int64) []Range {
	out := make([]Range, len(ends)+1)
	for i := range out {
		out[i].Number = i
		if i > 0 {
			out[i].After = &ends[i-1]
		}
		if i < len(ends) {
			out[i].Last = &ends[i]
		}
	}
	return out
}

// Has reports whether a request lies in the range.
func (r Range) Has(id int64) bool {
	return (r.After == nil || id > *r.After) && (r.Last == nil || id <= *r.Last)
}

// of are the row groups that have requests of the range.
func (r Range) of(groups []schema.RowGroup) (out []schema.RowGroup) {
	for _, g := range groups {
		if (r.After == nil || g.Last > *r.After) && (r.Last == nil || g.First <= *r.Last) {
			out = append(out, g)
		}
	}
	return out
}

// Meets reports whether two ranges of one run may have a request in common.
func (r Range) Meets(other Range) bool {
	return !(r.Last != nil && other.After != nil && *r.Last <= *other.After || other.Last != nil && r.After != nil && *other.Last <= *r.After)
}
