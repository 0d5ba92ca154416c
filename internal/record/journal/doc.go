// Package journal keeps what a run receives from the moment it arrives. Frames
// of all requests are appended to one file, so that a crash loses no more than
// the last moments, and memory holds none of them. When the run ends, when a
// file of the journal is full, or after a crash, what was written is sealed: read
// back, sorted by request and written as Parquet. There is one way to seal, so
// the way back from a crash is the one that every run takes.
//
//	journal/<run_id>/000001-5f0c9a3e.journal   segments, one after the other
//
// The process that records holds a lock on the folder, so that no other takes its
// journal for that of a crash. Files are of mode 0600.
//
// A segment is what was written at once, every 20 ms:
//
//	magic u32 | bytes of payload u32 | crc32c u32 | records u32 | number of the first record u64 | wall time in ns u64
//
// little endian; the checksum is over the header from "records" on and over the
// payload. Records are a length (uvarint), a type and what the type has: see
// record.go. Each file begins with a segment of one record, the run's head. Its name
// states its number, and the salt that its checksums begin with.
//
// A write that was cut short, or a byte that changed, fails the checksum. Reading
// goes on at the next valid segment; requests that were open across the gap keep
// the frames before it and end there.
package journal
