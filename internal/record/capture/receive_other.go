//go:build !linux

package capture

import "net"

// receiver reads a socket together with the kernel's time of receiving. Only
// Linux has it here; elsewhere reads are stamped when they return.
type receiver struct{}

func kernelStamps(uintptr) {}
func keepStamping()        {}

func newReceiver(net.Conn, *Clock) *receiver { return nil }

func (r *receiver) read([]byte) (n int, stamp, empty int64, err error) { panic("no receiver") }
func (r *receiver) unread() int                                        { return 0 }
