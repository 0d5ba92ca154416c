// Package capture sends a request and keeps what comes back: every byte of the
// body, cut into frames, with the time at which the read that completed each
// frame returned. Whatever becomes of the request is a row, never an error.
//
// It knows sockets and frames. What a frame means, which request comes next
// and where rows are kept is known above.
//
// Connections are its own: no pool that dials behind one's back, no retries, no
// redirects, no decompression, no proxy. A Client keeps the connections of one
// target; each carries one request at a time (HTTP/1.1), so that a read of the
// socket belongs to exactly one response.
package capture
