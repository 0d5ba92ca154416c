package imports

import (
	"errors"
	"io/fs"
	"strings"

	"crypto/sha256"

	"aircheck/internal/record/imports/mapping"
	"aircheck/schema"
)

// past is what a dataset already has of a format.
type past struct {
	files  map[string]string // sha256 of a file → the run that imported it
	rows   map[[16]byte]bool // identities of requests
	unique []string          // the columns that make an identity; none: requests are not told apart
}

// readPast looks through the runs of an origin.
func readPast(dir, origin string, unique []string) (*past, error) {
	p := &past{files: map[string]string{}, rows: map[[16]byte]bool{}, unique: unique}
	data, err := schema.OpenDataset(dir)
	var none *schema.ErrNoDataset
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &none) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	runs, err := data.Runs()
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		if run.Origin != origin {
			continue
		}
		for _, s := range run.Sources {
			p.files[s.SHA256] = run.RunID
		}
		if len(unique) == 0 {
			continue
		}
		if err := data.EachRequest(run, func(q *schema.Request) error { p.rows[p.key(q)] = true; return nil }); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// key is the identity of a request.
func (p *past) key(q *schema.Request) [16]byte {
	parts := make([]string, len(p.unique))
	for i, c := range p.unique {
		parts[i] = mapping.Get(q, c)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return [16]byte(sum[:16])
}
