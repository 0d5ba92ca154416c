package analysis

import (
	"os"
	"path/filepath"
)

// aside makes an empty directory beside path, to be filled and renamed to it.
func aside(path string) (string, error) {
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(parent, filepath.Base(path)+".*.tmp")
	if err == nil {
		err = os.Chmod(tmp, 0o755) // others may read the cache
	}
	return tmp, err
}
