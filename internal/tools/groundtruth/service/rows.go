package service

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/tools/sqltest"
)

// result is a row of results, as far as a world needs one; sql names and types
// its columns. A nil pointer is NULL.
type result struct {
	RequestID     int64     `sql:"request_id BIGINT"`
	RunID         string    `sql:"run_id VARCHAR"`
	Provider      string    `sql:"provider VARCHAR"`
	Model         string    `sql:"model VARCHAR"`
	Scenario      string    `sql:"scenario VARCHAR"`
	Workload      *string   `sql:"workload VARCHAR"`
	Concurrency   int32     `sql:"concurrency INTEGER"`
	WindowKey     string    `sql:"window_key VARCHAR"`
	Trial         int32     `sql:"trial INTEGER"`
	Phase         string    `sql:"phase VARCHAR"`
	Measured      bool      `sql:"measured BOOLEAN"`
	BurstIndex    *int32    `sql:"burst_index INTEGER"`
	IdleBeforeMs  *int64    `sql:"idle_before_ms BIGINT"`
	StartedAt     time.Time `sql:"started_at TIMESTAMP"`
	Outcome       string    `sql:"outcome VARCHAR"`
	Attempted     bool      `sql:"attempted BOOLEAN"`
	Answered      bool      `sql:"answered BOOLEAN"`
	Complete      bool      `sql:"complete BOOLEAN"`
	AsPlanned     bool      `sql:"as_planned BOOLEAN"`
	Useful        bool      `sql:"useful BOOLEAN"`
	Billing       string    `sql:"billing VARCHAR"`
	FirstMs       *float64  `sql:"ttft_net_ms DOUBLE"`
	TookMs        float64   `sql:"e2e_ms DOUBLE"`
	Speed         *float64  `sql:"tokens_per_s DOUBLE"`
	OutputTokens  *int64    `sql:"output_tokens BIGINT"`
	VisibleTokens *int64    `sql:"visible_tokens BIGINT"`
	InputTokens   *int64    `sql:"input_tokens BIGINT"`
	TokenSource   *string   `sql:"token_source VARCHAR"`
	Planned       *int32    `sql:"prompt_tokens_planned INTEGER"`
	Probe         *string   `sql:"probe VARCHAR"`
	ProbeArm      *string   `sql:"probe_arm VARCHAR"`
	Params        *string   `sql:"params VARCHAR"`
	Finish        *string   `sql:"finish VARCHAR"`
	Reasoning     *int64    `sql:"reasoning_tokens BIGINT"`
	ToolChars     int64     `sql:"tool_chars BIGINT"`
}

// answered makes a row one that came to its end.
func (r *result) answered(firstMs, tookMs float64) {
	r.Outcome, r.Attempted, r.Answered, r.Complete, r.AsPlanned, r.Useful = "ok", true, true, true, true, true
	r.FirstMs, r.TookMs, r.Billing = &firstMs, tookMs, "billed"
}

// failed makes it one that did not.
func (r *result) failed(outcome string, tookMs float64) {
	r.Outcome, r.Attempted, r.TookMs, r.Billing = outcome, true, tookMs, "free"
}

// The other tables that views read, as far as a world needs them.
type (
	request struct {
		RequestID int64   `sql:"request_id BIGINT"`
		StartedNs int64   `sql:"started_at_ns BIGINT"`
		EndNs     int64   `sql:"end_ns BIGINT"`
		Body      *string `sql:"request_body VARCHAR"`
	}
	answer struct {
		RequestID int64   `sql:"request_id BIGINT"`
		Text      *string `sql:"text VARCHAR"`
		ToolCalls *string `sql:"tool_calls VARCHAR"`
	}
	thinking struct {
		RequestID int64 `sql:"request_id BIGINT"`
		Thought   bool  `sql:"thought BOOLEAN"`
	}
	stream struct {
		RequestID int64  `sql:"request_id BIGINT"`
		Choices   int32  `sql:"choices INTEGER"`
		Listed    *int64 `sql:"listed_tokens BIGINT"`
	}
	counted struct {
		RequestID int64 `sql:"request_id BIGINT"`
		Whole     bool  `sql:"whole BOOLEAN"`
		Tokens    int64 `sql:"tokens BIGINT"`
		Answer    int64 `sql:"answer_tokens BIGINT"`
	}
	limit struct {
		Workload  string   `sql:"workload VARCHAR"`
		Kind      string   `sql:"kind VARCHAR"`
		Place     int32    `sql:"place INTEGER"`
		Metric    string   `sql:"metric VARCHAR"`
		Statistic *string  `sql:"statistic VARCHAR"`
		AtMost    *float64 `sql:"at_most DOUBLE"`
		AtLeast   *float64 `sql:"at_least DOUBLE"`
	}
)

// tables are the rows of all worlds.
type tables struct {
	results  []result
	requests []request
	answers  []answer
	thinking []thinking
	streams  []stream
	counted  []counted
	limits   []limit
	id       int64
}

// add gives a row its id, and its request the times of the row.
func (t *tables) add(r result, body *string) int64 {
	t.id++
	r.RequestID = t.id
	t.results = append(t.results, r)
	t.requests = append(t.requests, request{t.id, r.StartedAt.UnixNano(), int64(r.TookMs * 1e6), body})
	return t.id
}

// load puts the rows into a database under the names of the views, and then the
// views that a query reads.
func (t *tables) load(ctx context.Context, schema *build.Schema, conn *sql.Conn, query string) error {
	given := map[string]bool{}
	for _, in := range []struct {
		name string
		rows any
	}{
		{"results", t.results}, {"requests", t.requests}, {"answers", t.answers}, {"_thinking", t.thinking}, {"_streams", t.streams},
		{"_o200k", t.counted}, {"_limits", t.limits}, {"_scenario_workloads", []limit(nil)},
	} {
		if err := fill(ctx, schema, conn, in.name, in.rows); err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		given[in.name] = true
	}
	return schema.Load(ctx, conn, query, given)
}

// fill makes a table with the columns of a view and gives it rows; columns that
// they do not have are NULL.
func fill(ctx context.Context, schema *build.Schema, conn *sql.Conn, name string, rows any) error {
	create, err := schema.Create(name)
	if err != nil {
		return err
	}
	if err := duck.Exec(ctx, conn, name, create); err != nil {
		return err
	}
	v := reflect.ValueOf(rows)
	if v.Len() == 0 {
		return nil
	}
	var columns []string
	for i := range v.Type().Elem().NumField() {
		columns = append(columns, v.Type().Elem().Field(i).Tag.Get("sql"))
	}
	aside := name + "_aside"
	if err := duck.Exec(ctx, conn, aside, fmt.Sprintf("CREATE TEMP TABLE %s (%s)", aside, strings.Join(columns, ", "))); err != nil {
		return err
	}
	appender, err := duck.NewAppender(conn, aside)
	if err != nil {
		return err
	}
	for i := range v.Len() {
		row := make([]any, len(columns))
		for j := range columns {
			if f := v.Index(i).Field(j); f.Kind() != reflect.Pointer {
				row[j] = f.Interface()
			} else if !f.IsNil() {
				row[j] = f.Elem().Interface()
			}
		}
		if err := appender.Append(row...); err != nil {
			return err
		}
	}
	if err := appender.Close(); err != nil {
		return err
	}
	if err := duck.Exec(ctx, conn, name, fmt.Sprintf("INSERT INTO %s BY NAME SELECT * FROM %s; DROP TABLE %s", name, aside, aside)); err != nil {
		return err
	}
	return sqltest.Number(ctx, conn, schema, name)
}
