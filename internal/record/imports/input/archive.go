package input

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"aircheck/internal/kit/limits"
)

// archive passes on the files of a zip or tar archive, told by its bytes;
// handled is false for what is none.
func (w *walk) archive(f *File) (handled bool, err error) {
	in, err := Open(f.Path)
	if err != nil {
		var system *fs.PathError
		if errors.As(err, &system) {
			return true, err
		}
		w.fault(f.Name, err.Error())
		return true, nil
	}
	defer in.Close()
	b := bufio.NewReaderSize(in, 1024)
	head, _ := b.Peek(512)
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return w.zip(f)
	case len(head) == 512 && string(head[257:262]) == "ustar":
		return true, w.tar(f, b)
	}
	return false, nil
}

// zip leaves alone what is a document in itself: office files are zip archives.
func (w *walk) zip(f *File) (handled bool, err error) {
	z, err := zip.OpenReader(f.Path)
	if err != nil {
		w.fault(f.Name, "a zip archive that cannot be read: "+err.Error())
		return true, nil
	}
	defer z.Close()
	if slices.ContainsFunc(z.File, func(m *zip.File) bool { return m.Name == "[Content_Types].xml" }) {
		return false, nil
	}
	if len(z.File) > limits.ImportMembers {
		w.fault(f.Name, fmt.Sprintf("an archive of more than %d files", limits.ImportMembers))
		return true, nil
	}
	for _, m := range z.File {
		if !m.Mode().IsRegular() || hidden(m.Name) {
			continue
		}
		r, err := m.Open()
		if err != nil {
			w.fault(f.Name+"/"+m.Name, "cannot be read: "+err.Error())
			continue
		}
		err = w.member(f, m.Name, &bounded{in: r, left: limits.ImportInflated, compressed: int64(max(1, m.CompressedSize64))})
		r.Close()
		if err != nil {
			return true, err
		}
	}
	return true, nil
}

func (w *walk) tar(f *File, in io.Reader) error {
	t := tar.NewReader(in)
	for n := 0; ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			w.fault(f.Name, "a tar archive that cannot be read further: "+err.Error())
			return nil
		case n == limits.ImportMembers:
			w.fault(f.Name, fmt.Sprintf("an archive of more than %d files", limits.ImportMembers))
			return nil
		case h.Typeflag != tar.TypeReg || hidden(h.Name):
			continue
		}
		if err := w.member(f, h.Name, t); err != nil {
			return err
		}
	}
}

// member passes on one file of an archive. Archives in archives are not opened:
// their readers name them as what they are.
func (w *walk) member(f *File, name string, in io.Reader) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	named := f.Name + "/" + strings.TrimPrefix(path.Clean("/"+name), "/")
	p, err := w.spool(in)
	if err != nil {
		var system *fs.PathError
		if errors.As(err, &system) {
			return err
		}
		w.fault(named, "cannot be read: "+err.Error())
		return nil
	}
	defer os.Remove(p)
	return w.f(&File{Name: named, Path: p, Found: true})
}

// hidden are the files that systems put into archives beside those of the user.
func hidden(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if strings.HasPrefix(part, ".") && part != "." || part == "__MACOSX" {
			return true
		}
	}
	return false
}
