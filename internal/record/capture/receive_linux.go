package capture

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// receiver reads a socket together with the time at which the kernel received
// what it reads: SO_TIMESTAMPNS, the wall time of the last packet whose bytes the
// read took. The call never blocks, so the scheduler need not hear of it: that
// saves a third of a frame's cost.
type receiver struct {
	rc    syscall.RawConn
	clock *Clock

	msg     unix.Msghdr
	iov     unix.Iovec
	control [64]byte
	call    func(fd uintptr) bool // made once: nothing is allocated for a read

	n      int
	errno  syscall.Errno
	polled int64 // when the call that found the socket empty began; 0: none did
}

// kernelStamps asks for time stamps on a socket that is to be connected. Where
// the kernel has none, reads are stamped when they return.
func kernelStamps(fd uintptr) {
	unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
}

// keepStamping holds a socket that asks for stamps as long as the process lives:
// the kernel switches stamping on with the first one and off with the last, and
// not at once.
func keepStamping() {
	if fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err == nil {
		kernelStamps(uintptr(fd))
	}
}

// newReceiver gives nil for a connection that cannot be read so.
func newReceiver(nc net.Conn, clock *Clock) *receiver {
	tcp, ok := nc.(*net.TCPConn)
	if !ok {
		return nil
	}
	rc, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	r := &receiver{rc: rc, clock: clock}
	r.msg.Iov, r.msg.Iovlen, r.msg.Control = &r.iov, 1, &r.control[0]
	r.call = func(fd uintptr) bool {
		for {
			before := r.clock.Now()
			r.msg.SetControllen(len(r.control))
			n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&r.msg)), unix.MSG_DONTWAIT)
			switch errno {
			case unix.EINTR:
				continue
			case unix.EAGAIN:
				r.polled = before
				return false
			}
			r.n, r.errno = int(n), errno
			return true
		}
	}
	return r
}

// read is one read. stamp is the kernel's, on the wall clock; 0: there was none.
// empty is when the socket was last seen empty, since the read before; 0: it was
// not.
func (r *receiver) read(p []byte) (n int, stamp, empty int64, err error) {
	if len(p) == 0 {
		return 0, 0, 0, nil
	}
	r.iov.Base = &p[0]
	r.iov.SetLen(len(p))
	r.n, r.errno, r.polled = 0, 0, 0
	err = r.rc.Read(r.call)
	r.iov.Base = nil
	switch {
	case err != nil:
		return 0, 0, 0, err
	case r.errno != 0:
		return 0, 0, 0, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("recvmsg", r.errno)}
	case r.n == 0:
		return 0, 0, 0, io.EOF
	}
	return r.n, r.stamp(), r.polled, nil
}

// stamp finds the kernel's time among the control messages.
func (r *receiver) stamp() int64 {
	const header = unix.SizeofCmsghdr
	c := r.control[:r.msg.Controllen]
	for len(c) >= header {
		h := (*unix.Cmsghdr)(unsafe.Pointer(&c[0]))
		n := int(h.Len)
		if n < header || n > len(c) {
			return 0
		}
		if h.Level == unix.SOL_SOCKET && h.Type == unix.SCM_TIMESTAMPNS && n >= header+16 {
			return int64(binary.NativeEndian.Uint64(c[header:]))*1e9 + int64(binary.NativeEndian.Uint64(c[header+8:]))
		}
		c = c[min(unix.CmsgSpace(n-header), len(c)):]
	}
	return 0
}

// unread is how many bytes lie in the socket.
func (r *receiver) unread() (n int) {
	r.rc.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.SIOCINQ) })
	return n
}
