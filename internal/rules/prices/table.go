package prices

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"aircheck/internal/kit/yamlx"
)

// Table is a price table. It is safe for use by several goroutines.
type Table struct {
	// Name is the file that the table was read from, or "embedded".
	Name string
	// ID is a hash of the file's bytes: tables with one ID give the same costs.
	ID string
	// AsOf is the day on which the table was true; zero where it does not say.
	AsOf time.Time
	// Sources says where the prices are from.
	Sources []string

	grace     time.Duration
	providers []provider
	byName    map[string]*provider // by id and alias, normalised
	found     sync.Map             // lookup → hit
}

//go:embed table.json
var embedded []byte

// Embedded is the project's own table.
var Embedded = sync.OnceValue(func() *Table {
	t, err := Load(bytes.NewReader(embedded), "embedded")
	if err != nil {
		panic(fmt.Sprintf("embedded price table: %v", err)) // a test reads it
	}
	return t
})

// EmbeddedID is the ID of the embedded table, without the time to read it.
func EmbeddedID() string { return idOf(embedded) }

func idOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Load reads a table, JSON or YAML, whose file is called name. Every fault is
// named with line and column, an unknown key with the nearest known one.
func Load(r io.Reader, name string) (*Table, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read price table %s: %w", name, err)
	}
	var form tableForm
	if err := yamlx.Decode(data, name, &form); err != nil {
		return nil, fmt.Errorf("read price table: %w", err)
	}
	t := &Table{
		Name:      name,
		ID:        idOf(data),
		Sources:   form.Sources,
		providers: form.Providers,
		byName:    map[string]*provider{},
	}
	if form.AsOf != nil {
		t.AsOf = form.AsOf.Time
		t.grace = 92 * 24 * time.Hour
	}
	if form.GraceDays != nil {
		t.grace = time.Duration(*form.GraceDays) * 24 * time.Hour
	}
	if errs := t.index(); len(errs) > 0 {
		for _, e := range errs {
			e.Name = name
		}
		return nil, fmt.Errorf("read price table: %w", errs)
	}
	return t, nil
}

// index checks what the form alone cannot, and fills byName.
func (t *Table) index() (errs yamlx.Errors) {
	for i := range t.providers {
		p := &t.providers[i]
		if p.ID == "" {
			errs = append(errs, p.At.Errorf("a provider wants an id"))
		}
		for _, name := range append([]string{p.ID}, p.Aliases...) {
			if other, ok := t.byName[normal(name)]; ok && other != p {
				errs = append(errs, p.At.Errorf("provider %q is already named %q", other.ID, name))
			}
			t.byName[normal(name)] = p
		}
		for j := range p.Models {
			m := &p.Models[j]
			if m.ID == "" {
				errs = append(errs, m.At.Errorf("a model wants an id"))
			}
			if len(m.Prices) == 0 {
				errs = append(errs, m.At.Errorf("model %q has no prices", m.ID))
			}
			if m.Match == nil {
				id := strings.ToLower(m.ID)
				m.Match = func(name string) bool { return name == id }
			}
		}
	}
	for i := range t.providers {
		p := &t.providers[i]
		for _, f := range p.Fallback {
			if t.byName[normal(f)] == nil {
				errs = append(errs, p.At.Errorf("fallback_model_providers names %q, which is no provider here", f))
			}
		}
	}
	return errs
}

// normal makes the spellings of one provider's name equal: "Fireworks AI",
// "fireworks_ai" and "fireworks-ai".
func normal(name string) string {
	return strings.NewReplacer(" ", "-", "_", "-", ".", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
}
