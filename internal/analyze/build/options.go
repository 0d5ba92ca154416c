package build

import "aircheck/internal/analyze/settings"

// Options of a build.
type Options = settings.Options
