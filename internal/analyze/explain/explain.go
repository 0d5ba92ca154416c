// Package explain gives errors of the analysis their exit status and, where the
// cause is known, the next step: analyze and report speak alike.
package explain

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/store"
	"aircheck/schema"
)

// Error explains err; elsewhere names the flags that choose other directories
// to write to.
func Error(err error, elsewhere string) error {
	var none *schema.ErrNoDataset
	var option *settings.Error
	var damaged *schema.DamagedError
	var cache *build.CacheError
	var path *fs.PathError
	var remote *store.RemoteError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &none):
		if inside := schema.DatasetsIn(none.Dir); len(inside) > 0 {
			return cli.Fail(cli.Usage, cli.Hint(err, "did you mean %s?", strings.Join(inside, ", ")))
		}
		return cli.Fail(cli.Usage, cli.Hint(err, "%s", none.Hint()))
	case errors.As(err, &damaged):
		return cli.Fail(cli.Faults, cli.Hint(err, "'record verify' lists all that is wrong with a recording"))
	case errors.As(err, &cache):
		return cli.Fail(cli.Faults, cli.Hint(err, "'analyze build DIR --rebuild' derives it again"))
	case errors.As(err, &remote) && remote.Hint != "":
		return cli.Fail(cli.IO, cli.Hint(err, "%s", remote.Hint))
	case errors.As(err, &option):
		return cli.Fail(cli.Usage, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return cli.Fail(cli.IO, cli.Hint(err, "the disk is full: free space, or write elsewhere with %s", elsewhere))
	case errors.Is(err, syscall.EFBIG):
		return cli.Fail(cli.IO, cli.Hint(err, "a file grew past this process's size limit (ulimit -f)"))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return cli.Fail(cli.IO, cli.Hint(err, "write elsewhere with %s", elsewhere))
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) && path.Op == "stat":
		return cli.Usagef("%s: no such directory", path.Path)
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &path):
		return cli.Fail(cli.Usage, err)
	}
	return err
}
