package main

import (
	"errors"
	"io/fs"
	"syscall"

	"aircheck/internal/kit/cli"
	"aircheck/schema"
)

// datasetError marks what a user can put right about a dataset's directory.
func datasetError(err error) error {
	var none *schema.ErrNoDataset
	switch {
	case errors.As(err, &none):
		return cli.Fail(cli.Usage, cli.Hint(err, "%s", none.Hint()))
	case errors.Is(err, fs.ErrNotExist):
		return cli.Fail(cli.Usage, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return cli.Fail(cli.IO, cli.Hint(err, "the disk is full: free space, or write elsewhere with --to"))
	case errors.Is(err, syscall.EFBIG):
		return cli.Fail(cli.IO, cli.Hint(err, "a file grew past this process's size limit (ulimit -f)"))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return cli.Fail(cli.IO, cli.Hint(err, "the directory cannot be written: choose another with --to"))
	}
	return cli.Fail(cli.IO, err)
}
