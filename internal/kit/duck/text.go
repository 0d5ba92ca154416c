package duck

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	duckdb "github.com/duckdb/duckdb-go/v2"
)

// Text writes a value of a result as CSV has it: "" for NULL, shortest digits
// that give a number back, UTC times without a zone, JSON for nested values.
func Text(v any, typ string) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case time.Time:
		return stamp(v, typ)
	case []byte:
		if typ == "UUID" && len(v) == 16 {
			return fmt.Sprintf("%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:])
		}
		return bytesText(v)
	case duckdb.Decimal:
		return v.String()
	case duckdb.Interval:
		return fmt.Sprintf("%d months %d days %s", v.Months, v.Days, time.Duration(v.Micros)*time.Microsecond)
	case []any, map[string]any, duckdb.OrderedMap:
		b, err := json.Marshal(JSON(v, ""))
		if err != nil {
			return fmt.Sprint(v)
		}
		return string(b)
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// JSON turns a value of a result into one that encoding/json writes: NULL is
// null, and so is what JSON cannot hold (NaN, infinities).
func JSON(v any, typ string) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return v
	case nil, string, bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32:
		return v
	case duckdb.Decimal:
		return json.Number(v.String())
	case *big.Int:
		return json.Number(v.String())
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = JSON(v[i], "")
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = JSON(e, "")
		}
		return out
	case duckdb.OrderedMap:
		out := map[string]any{}
		values := v.Values()
		for i, k := range v.Keys() {
			out[Text(k, "")] = JSON(values[i], "")
		}
		return out
	}
	return Text(v, typ)
}

// stamp writes a time as DuckDB does: no zone, since all are UTC, and no more
// digits than it has.
func stamp(t time.Time, typ string) string {
	switch typ {
	case "DATE":
		return t.Format(time.DateOnly)
	case "TIME":
		return t.Format("15:04:05.999999")
	}
	s := t.UTC().Format("2006-01-02 15:04:05.999999999")
	return strings.TrimSuffix(s, ".")
}

// bytesText writes a BLOB: as text where it is text, else with \x escapes.
func bytesText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	for _, c := range b {
		if c >= 0x20 && c < 0x7f && c != '\\' {
			s.WriteByte(c)
		} else {
			fmt.Fprintf(&s, `\x%02X`, c)
		}
	}
	return s.String()
}
