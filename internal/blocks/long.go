package blocks

// large is the size, in bytes, above which a buffer, grown for a long call, is too
// large to keep in every block.
const large = 4 << 20

// longBuffer lends one large buffer to one long call after the other. More are made
// while it is out.
type longBuffer struct {
	back chan []byte // from the block that had it
	made bool
	wait func(back <-chan []byte) []byte
}

func newLongBuffer() longBuffer { return longBuffer{back: make(chan []byte, 1)} }

// take returns an empty buffer for size bytes, nil when there is none to be had. For
// a size up to large it does not wait.
func (l *longBuffer) take(size int) []byte {
	var b []byte
	select {
	case b = <-l.back:
	default:
		if size > large && l.made && l.wait != nil {
			b = l.wait(l.back)
		}
	}
	if cap(b) < size {
		return nil
	}
	return b[:0]
}

// make makes a buffer of that many bytes.
func (l *longBuffer) make(size int) []byte {
	l.made = l.made || size > large
	return make([]byte, 0, size)
}

// put takes the buffer back. Any goroutine may call it.
func (l *longBuffer) put(b []byte) {
	select {
	case l.back <- b:
	default:
	}
}

// WaitForLarge says how to wait until Recycle gives back the buffer of a long
// call, before a second one is made; wait returns nil when it does not come. A nil
// wait does not wait.
func (r *Reader) WaitForLarge(wait func(back <-chan []byte) []byte) { r.long.wait = wait }
