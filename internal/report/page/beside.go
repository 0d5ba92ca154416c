package page

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// entire are the views of which every row and column goes beside the pages.
var entire = []string{
	"agreement", "agreement_prompts", "architectures", "audit", "availability", "availability_hours", "bursts",
	"champions", "changes", "cold_starts", "cost_leverage", "costs", "drift", "exclusions", "fidelity", "fit_metrics",
	"latency", "like_for_like", "load", "metrics", "outages", "pairs", "prefill", "probes", "ranks", "routing", "slo", "tails", "thinking",
	"throughput", "timeline", "workload_fit", "workloads",
}

// beside are the others that the pages read, each with its query. Views of one row
// a request keep only what the pages read of them: no text, no name of a user.
var beside = map[string]string{
	"results": "SELECT run_id, request_id, started_at, window_key, phase, provider, model, scenario, concurrency, vantage, params, measured, excluded, outcome, complete, useful, attempted, answered, ttft_net_ms, e2e_ms, tokens_per_s, cost_usd, window_name, trial, http_status, ttft_ms, ttfat_ms, input_tokens, output_tokens, reasoning_tokens, max_stall_ms, finish_reason FROM results ORDER BY request_id",
	"runs":    except("runs", "plan", "sources", "notes", "skipped", "clock") + " ORDER BY run_id",
	"checks":  "SELECT kind, definition, pass FROM checks ORDER BY ALL",
	"flips": "SELECT * FROM flips WHERE axis = 'model' AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')" +
		" OR verdict = 'supported' OR (ratio_1_lo > 1 AND ratio_2_lo > 1) ORDER BY ALL",
}

// except selects all of a view but columns that are never published, or only with
// the texts: plans hold endpoints and names of keys, sources names of files, and
// remarks, reasons and examples may quote what a server said.
func except(view string, columns ...string) string {
	return "SELECT COLUMNS(c -> c NOT IN ('" + strings.Join(columns, "', '") + "')) FROM " + view
}

// besides are the views of a level with their queries: their rows go beside the
// pages as Parquet, so that a reader can compute every number again.
func besides(level Level) map[string]string {
	if level == DataNone {
		return nil
	}
	out := maps.Clone(beside)
	for _, view := range entire {
		out[view] = "FROM " + view + " ORDER BY ALL"
	}
	if level == DataFull {
		out["answers"] = "FROM answers ORDER BY request_id"
		out["requests"] = except("requests", "host", "response_headers") + " ORDER BY request_id"
		out["errors"], out["conformance"] = "FROM errors ORDER BY ALL", "FROM conformance ORDER BY ALL"
		return out
	}
	out["errors"] = except("errors", "example") + " ORDER BY ALL"
	out["conformance"] = except("conformance", "stated") + " ORDER BY ALL"
	return out
}

// framesOf reads the events of two requests without what they say.
const framesOf = `SELECT request_id, seq, part, kind, t_ns, text_chars, reasoning_chars, tool_chars FROM events WHERE request_id IN (%d, %d) ORDER BY request_id, seq, part`

// fromFrames are the tables of pages that need the frames, which lie in the
// dataset and not beside a site.
var fromFrames = []string{"tools.html"}

// sheet is data/report.json: what a site was made with, beside its data.
type sheet struct {
	Publication
	Data     Level     `json:"data"`
	Pins     []Pin     `json:"pins"`
	Baseline *Baseline `json:"baseline,omitempty"`
	Checksum string    `json:"checksum"`
	Tool     string    `json:"tool"`
	Language string    `json:"language"`
	LeftOut  []string  `json:"left_out"`
	Views    []string  `json:"views"`
}

const sheetPath = "data/report.json"

// executor is a source that runs statements, too.
type executor interface {
	Source
	ExecContext(ctx context.Context, statements string, args ...any) (sql.Result, error)
}

// parquets writes the rows of the views as data/<view>.parquet, and what the
// report was told.
func parquets(ctx context.Context, src Source, opt Options, pr *proof) ([]File, error) {
	e, ok := src.(executor)
	if !ok || opt.Data == DataNone {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "aircheck-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var files []File
	views := besides(opt.Data)
	if pr != nil && len(pr.requests) > 0 { // what the proof shows of two requests, and no more
		views["events"] = fmt.Sprintf("SELECT * FROM (%s)", fmt.Sprintf(framesOf, pr.requests[0], pr.requests[1]))
		if pr.Bytes != "" {
			views["chunks"] = fmt.Sprintf("SELECT request_id, seq, t_ns, raw FROM chunks WHERE request_id = %d AND seq <= %d ORDER BY seq", pr.requests[0], pr.first)
		}
	}
	for _, view := range slices.Sorted(maps.Keys(views)) {
		name := filepath.Join(dir, view+".parquet")
		statement := "COPY (" + views[view] + ") TO '" + strings.ReplaceAll(name, "'", "''") + "' (FORMAT parquet, COMPRESSION zstd)"
		if _, err := e.ExecContext(ctx, statement); err != nil {
			return nil, fmt.Errorf("view %s: %w", view, err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, File{"data/" + view + ".parquet", data})
	}
	text, err := json.MarshalIndent(sheet{opt.Publication, opt.Data, opt.Pins, opt.Baseline, opt.Checksum, opt.Tool, opt.Language.Tag, opt.LeftOut, slices.Sorted(maps.Keys(views))}, "", "  ")
	return append(files, File{sheetPath, append(text, '\n')}), err
}
