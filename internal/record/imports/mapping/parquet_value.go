package mapping

import (
	"encoding/hex"
	"math/big"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// converter turns a column's physical values into values of this package.
func converter(c *schema.Column) func(any) any {
	switch t := c.LogicalType().(type) {
	case schema.TimestampLogicalType:
		unit := map[schema.TimeUnitType]int64{schema.TimeUnitMillis: 1e6, schema.TimeUnitMicros: 1e3, schema.TimeUnitNanos: 1}[t.TimeUnit()]
		return func(v any) any {
			n, _ := v.(int64)
			per := int64(1e9) / unit
			at := time.Unix(n/per, n%per*unit).UTC()
			if t.IsAdjustedToUTC() {
				return at.Format(time.RFC3339Nano)
			}
			return at.Format("2006-01-02T15:04:05.999999999")
		}
	case schema.DateLogicalType:
		return func(v any) any {
			days, _ := v.(int32)
			return time.Unix(int64(days)*86400, 0).UTC().Format(time.DateOnly)
		}
	case schema.DecimalLogicalType:
		return func(v any) any { return decimal(v, t.Scale()) }
	case schema.UUIDLogicalType:
		return func(v any) any {
			b, _ := v.(parquet.FixedLenByteArray)
			return hex.EncodeToString(b)
		}
	}
	return func(v any) any {
		switch v := v.(type) {
		case int32:
			return int64(v)
		case float32:
			return float64(v)
		case parquet.ByteArray:
			return string(v)
		case parquet.FixedLenByteArray:
			return string(v)
		case parquet.Int96:
			return v.ToTime().UTC().Format(time.RFC3339Nano)
		}
		return v
	}
}

// decimal is an unscaled number as decimal text.
func decimal(v any, scale int32) any {
	n := new(big.Int)
	switch v := v.(type) {
	case int32:
		n.SetInt64(int64(v))
	case int64:
		n.SetInt64(v)
	case parquet.ByteArray:
		twosComplement(n, v)
	case parquet.FixedLenByteArray:
		twosComplement(n, v)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).FloatString(int(scale))
}

func twosComplement(n *big.Int, b []byte) {
	n.SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
}
