package store

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// CacheFor is the directory of this machine that holds what was fetched from, and
// derived for, a store elsewhere: below AIRCHECK_CACHE, else the user's cache.
func CacheFor(address string) string {
	base := os.Getenv("AIRCHECK_CACHE")
	if base == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			user = os.TempDir()
		}
		base = filepath.Join(user, "aircheck")
	}
	sum := sha256.Sum256([]byte(address))
	return filepath.Join(base, hex.EncodeToString(sum[:8]))
}
