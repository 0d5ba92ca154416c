// Package inference computes what SQL cannot state: exact order statistics, rank
// tests, bootstraps, prices, checks. Each result is a table, so that no view
// needs Go to be read.
package inference

import (
	"context"
	"database/sql"
	"fmt"

	"aircheck/internal/analyze/settings"
	"aircheck/schema"
)

// Step is a table that Go computes: its rows are stored like those of a view.
type Step struct {
	Name    string                          // begins with "_"
	Needs   []string                        // views and tables that Run reads
	Columns string                          // as in CREATE TABLE: "n BIGINT, p DOUBLE"
	Key     []string                        // columns that identify a row and order the rows
	Salt    func(in *Input) (string, error) // what Run reads beside its needs: option files
	Version int                             // rises when the same input gives other rows
	Run     func(ctx context.Context, c *Call) error
}

// Call is what a step works with.
type Call struct {
	Conn   *sql.Conn // sees what the step needs
	Append func(values ...any) error
	In     *Input
}

// batches cuts the rows of _measures that fulfil a condition into ranges of so
// many, each by its greatest request_id, so that Go holds no more at a time.
func (c *Call) batches(ctx context.Context, which string, rows int) ([]int64, error) {
	return c.ints(ctx, fmt.Sprintf(`
		SELECT max(request_id) FROM (
			SELECT request_id, row_number() OVER (ORDER BY request_id) // %d AS batch FROM _measures WHERE %s)
		GROUP BY batch ORDER BY 1`, rows, which))
}

// Input is what a build starts from.
type Input struct {
	Dataset *schema.Dataset
	Runs    []*schema.Run
	Options *settings.Options
}

// Steps lists all steps, by name.
func Steps() []*Step {
	return []*Step{
		agreementStep,
		aliasesStep,
		changesStep,
		checksStep,
		concordanceStep,
		costPairsStep,
		costsStep,
		driftStep,
		excludedStep,
		exclusionsStep,
		fitStep,
		idleLimitsStep,
		likeForLikeStep,
		limitsStep,
		loadStepsStep,
		medianRanksStep,
		o200kStep,
		periodUnitStep,
		prefillStep,
		probeTestsStep,
		quantileRanksStep,
		ratesStep,
		ratiosStep,
		releasesStep,
		runsStep,
		scenarioWorkloadsStep,
		scoresStep,
		comparisonsStep,
		waitsStep,
		windowDrawsStep,
	}
}
