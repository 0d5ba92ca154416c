package input

// What a file may make a reader hold or write. Beyond a bound the file, or the
// record, is named with the bound and left out; the rest is imported.
const (
	MaxWhole    = 256 << 20 // bytes of a file that is read whole: a cassette, the body of a response
	MaxRecord   = 64 << 20  // bytes of one record of a file that is read record by record
	MaxInflated = 64 << 30  // bytes that a compressed file, or a member of an archive, may inflate to
	MaxRatio    = 2000      // of these to the compressed bytes, beyond the first MaxWhole
	MaxMembers  = 200_000   // files of one folder or archive
	MaxWindow   = 128 << 20 // bytes of history that a compressed file may ask a reader to keep
)
