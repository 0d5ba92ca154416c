package schema

import (
	"bytes"
	"io"

	"aircheck/internal/kit/store"
)

// held is a store whose small files are read once and kept until they are let go:
// what looks at a run reads its files for their checksums, their rows and their
// frames, and of many small runs opening is most of the work.
type held struct {
	store.Store
	files map[string][]byte
}

// heldBytes is the size up to which a file is kept.
const heldBytes = 1 << 20

func (h *held) Open(name string) (store.File, error) {
	if data, ok := h.files[name]; ok {
		return &heldFile{bytes.NewReader(data)}, nil
	}
	f, err := h.Store.Open(name)
	if err != nil || f.Size() > heldBytes {
		return f, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	h.files[name] = data
	return &heldFile{bytes.NewReader(data)}, nil
}

type heldFile struct{ *bytes.Reader }

func (heldFile) Close() error { return nil }
