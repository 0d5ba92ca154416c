package imports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// finding is what the decoder makes of a response that is to be imported.
type finding struct {
	answer bool   // it is one of a model, or of its server
	id     string // that the response states
	cuts   []int  // frames at which a further response begins
}

// examine decodes a response far enough to say whether it is one.
func examine(q *schema.Request, frames []schema.Chunk) finding {
	var m dialect.Meta
	api := ""
	if q.API != nil {
		api = *q.API
	}
	if q.ContentEncoding != nil {
		m.ContentEncoding, m.Frames = *q.ContentEncoding, frame.Reads
	}
	if q.HTTPStatus != nil {
		m.Status = int(*q.HTTPStatus)
	}
	d := dialect.New(api, m)
	f := finding{answer: len(frames) == 0 || m.Status >= 300}
	id, over, next := "", false, -1 // of the response at hand; next: the frame after its end
	varies, ended := false, -1      // its id changed before its finish; the frame of that
	content, renamed := -1, -1      // the last frame with content; that in which the id changed after the finish
	i, quiet := 0, true
	take := func(e *dialect.Event) {
		switch e.Kind {
		case dialect.KindComment, dialect.KindPing, dialect.KindStart, dialect.KindUndecoded:
		default:
			quiet = false
			f.answer = f.answer || e.Kind != dialect.KindMeta || e.Media != ""
		}
		another := e.ResponseID != "" && id != "" && e.ResponseID != id
		// Without an end marker a finish and then content under another id are two
		// responses, but where each frame has an id of its own. A frame's id is told
		// after its content.
		if e.Kind.Content() {
			content = i
		}
		switch {
		case another && (ended < 0 || ended == i):
			varies = true
		case another && renamed < 0:
			renamed = i
		}
		if renamed >= 0 && content >= renamed && !over && !varies {
			f.cuts = append(f.cuts, renamed)
			id, ended, renamed = "", -1, -1
		}
		if e.Kind == dialect.KindFinish && ended < 0 {
			ended = i
		}
		if over && next >= 0 && (e.Kind.Content() || another) {
			f.cuts = append(f.cuts, next)
			over, id, ended, varies, renamed = false, "", -1, false, -1
		}
		if e.ResponseID != "" && id == "" {
			id = e.ResponseID
			if f.id == "" {
				f.id = id
			}
		}
		if e.Kind == dialect.KindDone {
			over, next = true, -1
		}
	}
	for i = range frames {
		quiet = true
		first := over && next < 0
		if first {
			next = i
		}
		d.Frame(frames[i].Raw, take)
		if first && quiet {
			next = -1
		}
	}
	d.Close(take)
	f.answer = f.answer || dialect.Spoken(d) != ""
	return f
}

// foreign names the dialects that are known by sight and not read.
func (x *Exchange) foreign() string {
	name := ""
	n := 0
	eachMessage(x.Body, func(m map[string]json.RawMessage) bool {
		has := func(key string) bool { return m[key] != nil }
		var kind, object string
		json.Unmarshal(m["type"], &kind)
		json.Unmarshal(m["object"], &object)
		switch {
		case has("serverContent"), has("setupComplete"):
			name = "Gemini Live"
		case strings.HasPrefix(kind, "session.") && has("event_id"):
			name = "OpenAI Realtime"
		case strings.HasPrefix(object, "thread."):
			name = "OpenAI Assistants"
		case has("urls") && has("status") && has("id"):
			name = "Replicate"
		}
		n++
		return name == "" && n < 3
	})
	if name == "" && replicate(x.Body) {
		name = "Replicate"
	}
	return name
}

// replicate recognises its event stream: plain text in events named output.
func replicate(body []byte) bool {
	if frame.Sniff(body) != frame.SSE {
		return false
	}
	var r frame.SSEReader
	s := frame.NewSplitter(frame.SSE)
	outputs, others := 0, 0
	s.Write(body, func(raw []byte) {
		e := r.Parse(raw)
		switch {
		case !e.HasData:
		case string(e.Name) == "output" && !json.Valid(e.Data):
			outputs++
		case string(e.Name) != "done" && string(e.Name) != "output":
			others++
		}
	})
	return outputs > 0 && others == 0
}

// whyNoAnswer is the reason for which a body that holds no answer is refused.
func (x *Exchange) whyNoAnswer() string {
	if name := x.foreign(); name != "" {
		return fmt.Sprintf("a response of %s, a dialect that is not read", name)
	}
	if m := firstMessage(x.Body); len(m) > 0 {
		names := slices.Sorted(maps.Keys(m))
		if len(names) > 6 {
			names = append(names[:6], "...")
		}
		return "no answer of a model in a dialect that is known: it has " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("no answer of a model in a dialect that is known: it begins with %q", clip(x.Body))
}
