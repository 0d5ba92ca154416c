package frame

import (
	"encoding/binary"
	"hash/crc32"
)

// Sizes of application/vnd.amazon.eventstream: total length, header length and
// their CRC lead a message, a CRC of everything ends it.
const (
	preludeLen    = 12
	messageCRCLen = 4
)

// messageScanner ends a frame after each AWS event-stream message. Bytes that
// cannot be a message have no length to go by: from there on the body is one
// frame.
type messageScanner struct {
	prelude [preludeLen]byte
	have    int    // bytes of the prelude
	left    uint32 // bytes of the message after the prelude
	lost    bool
}

func (m *messageScanner) next(p []byte) int {
	if m.lost {
		return -1
	}
	i := 0
	if m.have < preludeLen {
		i = copy(m.prelude[m.have:], p)
		if m.have += i; m.have < preludeLen {
			return -1
		}
		total, ok := messageLen(m.prelude[:])
		if !ok {
			m.lost = true
			return -1
		}
		m.left = total - preludeLen
	}
	rest := uint64(len(p) - i)
	if rest < uint64(m.left) {
		m.left -= uint32(rest)
		return -1
	}
	i += int(m.left)
	m.have, m.left = 0, 0
	return i
}

func (m *messageScanner) whole() bool { return false }

// messageLen reads a prelude and verifies it.
func messageLen(p []byte) (total uint32, ok bool) {
	total = binary.BigEndian.Uint32(p)
	headers := binary.BigEndian.Uint32(p[4:])
	ok = uint64(total) >= uint64(headers)+preludeLen+messageCRCLen &&
		crc32.ChecksumIEEE(p[:8]) == binary.BigEndian.Uint32(p[8:])
	return total, ok
}
