package page

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The site is put in place as a whole; anything that is no report is left alone.
func TestWriteSite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "site")
	old := []File{{"index.html", []byte("<head>" + generator)}, {"old.html", nil}}
	for _, files := range [][]File{old, {{"index.html", []byte(generator)}, {"model/x.html", []byte("x")}}} {
		if err := WriteSite(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "old.html")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file of the old report is left")
	}
	if data, err := os.ReadFile(filepath.Join(dir, "model", "x.html")); err != nil || string(data) != "x" {
		t.Errorf("model/x.html: %q, %v", data, err)
	}
	// A file that cannot be written: its directory is a file of the same report.
	if err := WriteSite(dir, []File{{"index.html", nil}, {"index.html/x", nil}}); err == nil {
		t.Error("no error for a file that cannot be written")
	}
	if _, err := os.Stat(filepath.Join(dir, "model", "x.html")); err != nil {
		t.Errorf("a failed write touched the old report: %v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}

	mine := t.TempDir()
	if err := os.WriteFile(filepath.Join(mine, "thesis.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var foreign *ErrForeign
	if err := WriteSite(mine, old); !errors.As(err, &foreign) {
		t.Errorf("error %v for a directory that is no report", err)
	}
}

// A single report replaces a file, writes through a link and leaves devices be.
func TestWriteSingle(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "report.html"), filepath.Join(dir, "link.html")
	if err := os.Symlink("report.html", link); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first", "second"} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := WriteSingle(link, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != text {
			t.Errorf("behind the link: %q, %v; want %q", data, err, text)
		}
	}
	if at, err := os.Lstat(link); err != nil || at.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link became %v, %v", at, err)
	}
	var kind *ErrKind
	if err := CheckSingle(os.DevNull); !errors.As(err, &kind) {
		t.Errorf("%s: %v, want it refused", os.DevNull, err)
	}
}
