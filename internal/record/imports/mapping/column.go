package mapping

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"aircheck/schema"
)

// column is one column of requests that a mapping may fill.
type column struct {
	name  string
	unit  string
	index int
	typ   reflect.Type // of the value, pointers taken off
	json  bool         // holds a JSON object or list
}

// reserved columns are the dataset's own.
var reserved = []string{"run_id", "request_id", "order_index", "origin", "detail", "idle_before_ms", "in_flight"}

var jsonColumns = []string{"labels", "params", "checks", "response_headers"}

// columns is what a mapping may fill, by name.
var columns = func() map[string]*column {
	out := map[string]*column{}
	t := reflect.TypeFor[schema.Request]()
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("col")
		if name == "" || slices.Contains(reserved, name) {
			continue
		}
		typ := f.Type
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		out[name] = &column{name, f.Tag.Get("unit"), i, typ, slices.Contains(jsonColumns, name)}
	}
	return out
}()

// Columns lists the columns that a mapping may fill.
func Columns() []string {
	names := make([]string, 0, len(columns))
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isDuration: an offset or a length of time, not a moment.
func (c *column) isDuration() bool { return c.unit == "ns" && !c.isMoment() }

// isMoment: nanoseconds of UTC.
func (c *column) isMoment() bool { return strings.HasSuffix(c.name, "_at_ns") }

// nonzero columns are 0 only where a source has nothing to say: no first token
// comes without any time.
func (c *column) nonzero() bool {
	switch c.name {
	case "reported_ttft_ns", "reported_last_token_ns", "headers_ns", "end_ns", "reported_tokens_per_s":
		return true
	}
	return c.isMoment()
}

// Limits beyond which a number is a mistake of unit or of column.
const (
	longest  = int64(24 * 3600 * 1e9)  // ns, of one request
	earliest = int64(946684800) * 1e9  // 2000-01-01
	latest   = int64(4102444800) * 1e9 // 2100-01-01
	mostToks = int64(1e9)
	mostUSD  = 1e6
	mostRate = 1e6
)

// set puts a value into a row. nulled says that the value was no value, and
// what it was.
func (c *column) set(r *schema.Request, v any) (nulled string, err error) {
	if v == nil {
		return "", nil
	}
	field := reflect.ValueOf(r).Elem().Field(c.index)
	out, nulled, err := c.convert(v)
	if err != nil || out == nil {
		return nulled, err
	}
	value := reflect.ValueOf(out)
	if field.Kind() == reflect.Pointer {
		p := reflect.New(field.Type().Elem())
		p.Elem().Set(value)
		value = p
	}
	field.Set(value)
	return nulled, nil
}

// Get is a column's value as text, for comparing rows; "" for NULL.
func Get(r *schema.Request, name string) string {
	c := columns[name]
	if c == nil {
		return ""
	}
	field := reflect.ValueOf(r).Elem().Field(c.index)
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return ""
		}
		field = field.Elem()
	}
	return fmt.Sprint(field.Interface())
}

func (c *column) convert(v any) (out any, nulled string, err error) {
	switch c.typ.Kind() {
	case reflect.String:
		return c.convertText(v)
	case reflect.Bool:
		switch t, _ := text(v); strings.ToLower(t) {
		case "true", "1":
			return true, "", nil
		case "false", "0":
			return false, "", nil
		}
		return nil, "", fmt.Errorf("%s is neither true nor false", short(v))
	case reflect.Slice:
		return c.convertList(v)
	}
	return c.convertNumber(v)
}

func (c *column) convertText(v any) (any, string, error) {
	t, ok := text(v)
	if !ok || t == "" && c.name != "reported_text" {
		return nil, "", nil // an empty text says nothing, but for an answer that is empty
	}
	if c.json {
		var any any
		if err := json.Unmarshal([]byte(t), &any); err != nil {
			return nil, "", fmt.Errorf("%s is no JSON", short(v))
		}
	}
	return t, "", nil
}

func (c *column) convertNumber(v any) (any, string, error) {
	t, ok := literal(v)
	if s, is := v.(string); is && strings.TrimSpace(s) == "" {
		return nil, "", nil
	}
	if !ok {
		return nil, "", fmt.Errorf("%s is no number", short(v))
	}
	if t == "" {
		return nil, "NaN", nil
	}
	if c.typ.Kind() == reflect.Float64 {
		f, err := strconv.ParseFloat(t, 64)
		switch {
		case err != nil:
			return nil, "", fmt.Errorf("%s is no number", short(v))
		case f == 0 && c.nonzero():
			return nil, "0", nil
		case f < 0:
			return nil, "", fmt.Errorf("%s is negative", t)
		case c.unit == "USD" && f > mostUSD, c.unit == "tokens/s" && f > mostRate:
			return nil, "", fmt.Errorf("%s is beyond belief", t)
		}
		return f, "", nil
	}
	f, _ := strconv.ParseFloat(t, 64)
	if f != math.Trunc(f) {
		return nil, "", fmt.Errorf("%s is no whole number", t)
	}
	n, err := scaled(t, 1)
	if err != nil {
		return nil, "", err
	}
	if n == 0 && c.nonzero() {
		return nil, "0", nil
	}
	if c.name == "http_status" && (n < 100 || n > 599) { // 0 and −1 stand for no response
		return nil, t, nil
	}
	if err := c.plausible(n); err != nil {
		return nil, "", err
	}
	if c.typ.Kind() == reflect.Int32 {
		if n != int64(int32(n)) {
			return nil, "", fmt.Errorf("%d is out of range", n)
		}
		return int32(n), "", nil
	}
	return n, "", nil
}

// plausible refuses what cannot be.
func (c *column) plausible(n int64) error {
	switch {
	case c.isMoment():
		if n < earliest || n > latest {
			return fmt.Errorf("%s is no time of this century", seconds(n))
		}
	case n < 0 && (c.isDuration() || c.unit == "tokens" || c.unit == "bytes"):
		if c.isDuration() {
			return fmt.Errorf("%s is negative", seconds(n))
		}
		return fmt.Errorf("%d is negative", n)
	case c.isDuration() && n > longest:
		return fmt.Errorf("%s is longer than a day", seconds(n))
	case c.unit == "tokens" && n > mostToks:
		return fmt.Errorf("%d tokens are beyond belief", n)
	}
	return nil
}

func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'g', 6, 64) + " s" }

func (c *column) convertList(v any) (any, string, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, "", fmt.Errorf("%s is no list", short(v))
	}
	out := make([]int64, 0, len(list))
	for i, e := range list {
		t, ok := literal(e)
		if e == nil || ok && t == "" {
			return nil, "a list with a gap in it", nil
		}
		if !ok {
			return nil, "", fmt.Errorf("element %d, %s, is no number", i, short(e))
		}
		n, err := scaled(t, 1)
		if err == nil {
			err = c.plausible(n)
		}
		if err != nil {
			return nil, "", fmt.Errorf("element %d: %w", i, err)
		}
		out = append(out, n)
	}
	if len(out) == 0 {
		return nil, "", nil
	}
	return out, "", nil
}
