package main

import (
	"fmt"
	"strconv"
	"strings"
)

// size is a flag for a number of bytes: 256MB, 4GB.
type size int64

var units = []struct {
	suffix string
	bytes  int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1}, {"", 1}}

// Set reads a number with or without a unit.
func (s *size) Set(text string) error {
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.ToUpper(strings.TrimSpace(text)), u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 1 || n > 1<<62/u.bytes {
			break
		}
		*s = size(n * u.bytes)
		return nil
	}
	return fmt.Errorf("want a size such as 256MB or 1GB")
}

// String is the size in the largest unit that fits.
func (s *size) String() string {
	for _, u := range units {
		if n := int64(*s); n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.suffix
		}
	}
	return "0"
}

// Type names the flag's value.
func (*size) Type() string { return "size" }
