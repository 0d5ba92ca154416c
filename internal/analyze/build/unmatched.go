package build

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/analyze/inference"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/nearest"
	"aircheck/internal/rules/checks"
)

// Unmatched says which rules, scores and exclusions of a build concern no
// request of the dataset: they are mistyped, or meant for another one.
func Unmatched(ctx context.Context, o Options) ([]string, error) {
	if o.Checks == "" && o.Scores == "" && o.Exclusions == "" && o.Aliases == "" {
		return nil, nil
	}
	r, err := OpenFor(ctx, o, "_measures", "_requests", "_scores", "_exclusions", "_aliases")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out []string
	for _, look := range []func(context.Context, *Reader) ([]string, error){unmatchedRules, unmatchedScores, unmatchedExclusions, unknownNames} {
		lines, err := look(ctx, r)
		if err != nil {
			return nil, err
		}
		out = append(out, lines...)
	}
	return out, nil
}

func unmatchedRules(ctx context.Context, r *Reader) ([]string, error) {
	rules, err := r.b.input().Rules()
	if rules == nil || err != nil {
		return nil, err
	}
	rows, err := r.QueryContext(ctx, "SELECT DISTINCT scenario, prompt_index, prompt_hash FROM _measures ORDER BY ALL")
	if err != nil {
		return nil, duck.Wrap("rules", err)
	}
	defer rows.Close()
	held := map[*checks.Rule]bool{}
	var scenarios []string
	for rows.Next() {
		var scenario sql.NullString
		var q checks.Request
		if err := rows.Scan(&scenario, &q.PromptIndex, &q.PromptHash); err != nil {
			return nil, err
		}
		q.Scenario = scenario.String
		scenarios = append(scenarios, q.Scenario)
		held[rules.For(q)] = true
	}
	var out []string
	for i := range rules.List {
		rule := &rules.List[i]
		if held[rule] {
			continue
		}
		why := "no request fits this rule that none before it fits"
		if rule.Scenario != nil && !slices.Contains(scenarios, *rule.Scenario) {
			why = fmt.Sprintf("no request has the scenario %q of this rule", *rule.Scenario)
			if near := nearest.Likely(*rule.Scenario, scenarios); near != "" {
				why += fmt.Sprintf("; the nearest is %q", near)
			}
		}
		out = append(out, rule.At.Errorf("%s", why).Error())
	}
	return out, rows.Err()
}

func unmatchedScores(ctx context.Context, r *Reader) ([]string, error) {
	path := r.b.opts.Scores
	data, err := settings.File(path)
	if err != nil || data == nil {
		return nil, err
	}
	f, err := inference.ReadScores(data, path)
	if err != nil {
		return nil, settings.Wrap(err)
	}
	key, given := "request_id", len(f.ByID)
	if f.ByID == nil {
		key, given = "caller_request_id", len(f.ByCaller)
	}
	var found int
	err = r.QueryRowContext(ctx, "SELECT count(DISTINCT r."+key+") FROM _scores s JOIN _requests r ON r.request_id = s.request_id").Scan(&found)
	if err != nil || found == given {
		return nil, duck.Wrap("scores", err)
	}
	return []string{fmt.Sprintf("%s: of %d scores, %d are of no request here: no such %s", path, given, given-found, key)}, nil
}

func unmatchedExclusions(ctx context.Context, r *Reader) ([]string, error) {
	list, err := inference.ReadExclusions(r.b.opts.Exclusions)
	if err != nil || list == nil {
		return nil, err
	}
	places, err := duck.Query(ctx, r, "exclusions", "SELECT place FROM _exclusions WHERE matches = 0 ORDER BY place")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, row := range places.Rows {
		e := list[row[0].(int32)-1]
		out = append(out, e.Pos.Errorf("no request matches the predicate of this exclusion").Error())
	}
	return out, nil
}

// mostUnknown names are listed.
const mostUnknown = 8

// unknownNames are those that a table of names in force does not know, with the
// nearest that it does: the same model may go by two names.
func unknownNames(ctx context.Context, r *Reader) ([]string, error) {
	if r.b.opts.Aliases == "" {
		return nil, nil
	}
	var out []string
	for _, kind := range []string{"provider", "model"} {
		list := func(query string) (names []string, err error) {
			rows, err := r.QueryContext(ctx, query)
			if err != nil {
				return nil, duck.Wrap("names", err)
			}
			defer rows.Close()
			for rows.Next() {
				var name string
				if err := rows.Scan(&name); err != nil {
					return nil, err
				}
				names = append(names, name)
			}
			return names, rows.Err()
		}
		known, err := list("SELECT DISTINCT coalesce(" + kind + ", '') FROM _aliases WHERE kind = '" + kind + "' ORDER BY 1")
		if err != nil {
			return nil, err
		}
		unknown, err := list("SELECT DISTINCT q." + kind + " FROM _requests q WHERE q." + kind + ` IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM _aliases a WHERE a.kind = '` + kind + "' AND a.spelling = lower(q." + kind + `))
			AND NOT EXISTS (SELECT 1 FROM _aliases a WHERE a.kind = 'id' AND a.spelling = lower(q.model_id)) ORDER BY 1`)
		if err != nil {
			return nil, err
		}
		if len(known) == 0 || len(unknown) == 0 {
			continue
		}
		text := make([]string, 0, mostUnknown)
		for _, name := range unknown[:min(len(unknown), mostUnknown)] {
			if near := nearest.Likely(strings.ToLower(name), known); near != "" {
				name += " (the nearest known is " + near + ")"
			}
			text = append(text, name)
		}
		if more := len(unknown) - len(text); more > 0 {
			text = append(text, fmt.Sprintf("and %d more", more))
		}
		out = append(out, fmt.Sprintf("the table of names does not know these %ss, which keep their own: %s", kind, strings.Join(text, ", ")))
	}
	return out, nil
}
