package simulate

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"strings"
	"time"
)

// write is what one write to the socket sends, and when it is due.
type write struct {
	at    time.Duration
	bytes []byte
	holds string
	// What the write completes: a first or later token of any kind, one of the
	// answer.
	token, answer bool
}

var actNames = map[act]string{actStart: "start", actThinking: "thinking", actText: "text", actTool: "tool", actFinish: "finish",
	actUsage: "usage", actDone: "done", actComment: "comment", actError: "error", actJunk: "junk"}

// writes spells a script: the steps due at one moment go out together, cut into
// fragments a millisecond apart if so wished.
func (s *script) writes(r renderer, fragments int) []write {
	var out []write
	for i := 0; i < len(s.steps); {
		w := write{at: s.steps[i].at}
		var holds []string
		var last act
		n := 0
		flush := func() {
			switch {
			case n == 1:
				holds = append(holds, actNames[last])
			case n > 1:
				holds = append(holds, fmt.Sprintf("%d %s", n, actNames[last]))
			}
			n = 0
		}
		for ; i < len(s.steps) && s.steps[i].at == w.at; i++ {
			st := &s.steps[i]
			b := r.frames(st)
			if len(b) == 0 {
				continue
			}
			w.bytes = append(w.bytes, b...)
			w.token = w.token || st.generates()
			w.answer = w.answer || st.act == actText || st.act == actTool
			if n > 0 && last != st.act {
				flush()
			}
			last, n = st.act, n+1
		}
		flush()
		w.holds = strings.Join(holds, ", ")
		if len(w.bytes) > 0 {
			out = append(out, fragmentsOf(w, fragments)...)
		}
	}
	return out
}

// fragmentsOf cuts a write into n of about the same size; the last completes
// what the whole held.
func fragmentsOf(w write, n int) []write {
	n = min(n, len(w.bytes))
	if n <= 1 {
		return []write{w}
	}
	var out []write
	for i := range n {
		part := write{at: w.at + time.Duration(i)*time.Millisecond, holds: "part",
			bytes: w.bytes[i*len(w.bytes)/n : (i+1)*len(w.bytes)/n]}
		if i == n-1 {
			part.holds, part.token, part.answer = w.holds, w.token, w.answer
		}
		out = append(out, part)
	}
	return out
}

// play answers a request in real time and logs its truth.
func (s *Server) play(w http.ResponseWriter, r *http.Request, x *exchange) {
	drop := false
	p := player{w: w, ctx: r.Context(), start: x.received, truth: &x.truth, body: newBody()}
	defer func() {
		now := time.Now()
		x.truth.EndNs = now.UnixNano()
		x.truth.Bytes, x.truth.SHA256 = p.body.n, p.body.hex()
		s.truth.log(&x.truth)
		s.counts.leave(x.tally, s.clock(now))
		if drop {
			panic(http.ErrAbortHandler) // the way to end a response short of its end
		}
	}()
	drop = p.send(x.decide(), x.reply.b)
}

// player sends writes at their times and notes in the truth when it did.
type player struct {
	w     http.ResponseWriter
	ctx   context.Context
	start time.Time // request received
	truth *Truth
	body  body
}

// send plays a response. It returns true if the connection is to be dropped.
func (p *player) send(r *response, b *Behaviour) (drop bool) {
	writes, heartbeat := r.spell()
	if len(writes) > 0 {
		if !p.wait(writes[0].at) {
			return true
		}
		maps.Copy(p.w.Header(), r.header)
		p.truth.Status = r.status
		p.w.WriteHeader(r.status)
	}
	if !p.play(writes) {
		return true
	}
	p.finish(r, heartbeat, b.KeepAlive.Every)
	return r.ending == endAbort || r.ending == endNever
}

// play sends writes on an absolute schedule: a late one does not delay those
// after it. It returns false if the client left.
func (p *player) play(writes []write) bool {
	flush := http.NewResponseController(p.w).Flush
	for i := range writes {
		w := &writes[i]
		if !p.wait(w.at) {
			return false
		}
		begin := time.Now().UnixNano()
		_, err := p.w.Write(w.bytes)
		if err == nil {
			err = flush()
		}
		sent := time.Now().UnixNano()
		if err != nil {
			p.truth.ClientGone = true
			return false
		}
		p.body.add(w.bytes)
		p.truth.Writes = append(p.truth.Writes, Write{int64(w.at), begin, sent, len(w.bytes), w.holds})
		if w.token {
			if p.truth.FirstTokenNs == nil {
				p.truth.FirstTokenNs = &sent
			}
			p.truth.LastTokenNs = &sent
		}
		if w.answer && p.truth.FirstAnswerNs == nil {
			p.truth.FirstAnswerNs = &sent
		}
	}
	return true
}

// wait sleeps until an offset from the request's arrival; it returns false if
// the client left first.
func (p *player) wait(at time.Duration) bool {
	if d := time.Until(p.start.Add(at)); d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-p.ctx.Done():
		}
	}
	if p.ctx.Err() != nil {
		p.truth.ClientGone = true
		return false
	}
	return true
}

// finish leaves the connection as the response says. It does not return for
// endings that are no proper one: net/http drops the connection.
func (p *player) finish(r *response, heartbeat []byte, every time.Duration) {
	switch r.ending {
	case endNever:
		for at := r.end + every; every > 0 && len(heartbeat) > 0; at += every {
			if !p.play([]write{{at: at, bytes: heartbeat, holds: "comment"}}) {
				return
			}
		}
		<-p.ctx.Done()
		p.truth.ClientGone = true
	case endReset:
		p.wait(r.end)
		p.reset()
	case endAbort:
		p.wait(r.end)
	}
}

// reset sends a TCP reset in place of an ending.
func (p *player) reset() {
	conn, _, err := http.NewResponseController(p.w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0) // close drops the connection without a FIN
	}
	conn.Close()
}
