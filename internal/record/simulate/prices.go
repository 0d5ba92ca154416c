package simulate

import "time"

// PriceTable is a fleet's prices in the form that analysis reads.
type PriceTable struct {
	AsOf      string          `json:"as_of,omitempty"`
	Providers []priceProvider `json:"providers"`
}

type priceProvider struct {
	ID     string       `json:"id"`
	Models []priceModel `json:"models"`
}

type priceModel struct {
	ID     string       `json:"id"`
	Prices []pricePhase `json:"prices"`
}

type pricePhase struct {
	Constraint *priceStart        `json:"constraint,omitempty"`
	Prices     map[string]float64 `json:"prices"`
}

type priceStart struct {
	StartDate string `json:"start_date"`
}

// Prices are what the fleet's models cost. A change of price counts from the
// day, UTC, that it falls on.
func (f *Fleet) Prices() PriceTable {
	t := PriceTable{Providers: []priceProvider{}}
	if !f.Starts.IsZero() {
		t.AsOf = f.Starts.Format(time.DateOnly)
	}
	for _, p := range f.Providers {
		pp := priceProvider{ID: p.Name}
		for _, m := range p.Models {
			if pm := f.pricesOf(m); len(pm.Prices) > 0 {
				pp.Models = append(pp.Models, pm)
			}
		}
		if len(pp.Models) > 0 {
			t.Providers = append(t.Providers, pp)
		}
	}
	return t
}

func (f *Fleet) pricesOf(m *Model) priceModel {
	out := priceModel{ID: m.ID}
	last := Price{}
	add := func(at time.Duration) {
		b := m.at(f.moment(at, -1))
		if b.Price == nil || *b.Price == last {
			return
		}
		last = *b.Price
		phase := pricePhase{Prices: map[string]float64{"input_mtok": last.Input, "output_mtok": last.Output}}
		if last.Cached != nil {
			phase.Prices["cache_read_mtok"] = *last.Cached
		}
		if at > 0 {
			phase.Constraint = &priceStart{f.Starts.Add(at).Format(time.DateOnly)}
		}
		out.Prices = append(out.Prices, phase)
	}
	add(0)
	for _, c := range m.changes {
		if c.span.From > 0 {
			add(c.span.From)
		}
	}
	return out
}
