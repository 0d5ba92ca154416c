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
	return os.MkdirTemp(parent, filepath.Base(path)+".*.tmp")
}
