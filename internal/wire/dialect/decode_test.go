package dialect

import (
	"fmt"
	"strings"

	"aircheck/internal/wire/frame"
)

// show writes an event as one line, short enough to read in a table of tests.
func show(e *Event) string {
	var b strings.Builder
	b.WriteString(e.Kind.String())
	if e.Choice != 0 {
		fmt.Fprintf(&b, "#%d", e.Choice)
	}
	if e.Tool != nil {
		fmt.Fprintf(&b, "[%d %s %s %s", e.Tool.Index, e.Tool.ID, e.Tool.Name, e.Tool.Field)
		if e.Tool.Inferred {
			b.WriteString(" inferred")
		}
		if e.Tool.Ambiguous {
			b.WriteString(" ambiguous")
		}
		b.WriteString("]")
	}
	if e.Text != nil {
		fmt.Fprintf(&b, " %q", e.Text)
	}
	if e.FinishReason != "" {
		fmt.Fprintf(&b, " %s=%s", e.FinishReason, e.Finish)
	}
	if e.Usage != nil {
		b.WriteString(" " + showUsage(e.Usage))
	}
	if e.Error != nil {
		fmt.Fprintf(&b, " %s|%s|%s", e.Error.Type, e.Error.Code, e.Error.Message)
	}
	for _, f := range []struct{ name, val string }{{"model", e.ServedModel}, {"provider", e.ServedProvider}, {"fp", e.Fingerprint}, {"tier", e.ServiceTier}, {"id", e.ResponseID}} {
		if f.val != "" {
			fmt.Fprintf(&b, " %s=%s", f.name, f.val)
		}
	}
	if e.Timings != nil {
		fmt.Fprintf(&b, " timings=%s", e.Timings)
	}
	if e.ListedTokens != 0 {
		fmt.Fprintf(&b, " listed=%d", e.ListedTokens)
	}
	if e.Media != "" {
		b.WriteString(" media=" + e.Media)
	}
	if e.Hidden {
		b.WriteString(" hidden")
	}
	if e.Path != "" {
		fmt.Fprintf(&b, " @%s", e.Path)
	}
	return b.String()
}

func showUsage(u *Usage) string {
	var parts []string
	for _, f := range []struct {
		name string
		val  *int64
	}{{"in", u.InputTokens}, {"out", u.OutputTokens}, {"total", u.TotalTokens}, {"reason", u.ReasoningTokens}, {"cached", u.CachedTokens}, {"write", u.CacheWriteTokens},
		{"tool", u.ToolInputTokens}, {"audioin", u.AudioInputTokens}, {"audio", u.AudioTokens}, {"accepted", u.AcceptedTokens}, {"rejected", u.RejectedTokens}, {"searches", u.Searches},
		{"write1h", u.CacheWrite1h}, {"imagein", u.ImageInputTokens}, {"image", u.ImageTokens}, {"code", u.CodeExecutions}, {"files", u.FileSearches},
		{"meteredin", u.MeteredInput}, {"meteredout", u.MeteredOutput}} {
		if f.val != nil {
			parts = append(parts, fmt.Sprintf("%s=%d", f.name, *f.val))
		}
	}
	if u.CachedDisjoint {
		parts = append(parts, "disjoint")
	}
	if u.ReportedCostUSD != "" {
		parts = append(parts, "cost="+u.ReportedCostUSD)
	}
	return strings.Join(parts, " ")
}

// decodeFrames gives the events of all frames, one slice a frame and one for
// what Close gave.
func decodeFrames(api string, m Meta, frames ...string) [][]string {
	d := New(api, m)
	var all [][]string
	for _, f := range frames {
		var got []string
		d.Frame([]byte(f), func(e *Event) { got = append(got, show(e)) })
		all = append(all, got)
	}
	var rest []string
	d.Close(func(e *Event) { rest = append(rest, show(e)) })
	if rest != nil {
		all = append(all, rest)
	}
	return all
}

// splitAll cuts a body into frames.
func splitAll(kind frame.Kind, body []byte) []string {
	var frames []string
	s := frame.NewSplitter(kind)
	s.Write(body, func(raw []byte) { frames = append(frames, string(raw)) })
	s.Close(func(raw []byte, _ bool) { frames = append(frames, string(raw)) })
	return frames
}

// sse wraps JSON messages as server-sent events.
func sse(msgs ...string) []string {
	frames := make([]string, len(msgs))
	for i, m := range msgs {
		frames[i] = "data: " + m + "\n\n"
	}
	return frames
}

// one joins the events of several frames into one line.
func one(all [][]string) string {
	var parts []string
	for _, f := range all {
		parts = append(parts, strings.Join(f, " · "))
	}
	return strings.Join(parts, " / ")
}
