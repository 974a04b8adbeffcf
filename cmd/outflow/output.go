package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
)

// output is standard output. After the first write that fails it drops what comes,
// so that no verb need look at each error: a verb ends as it would have, with the
// same exit code. Then run says what failed, unless the reader has only left, as
// head does.
type output struct {
	io.Writer
	failed error
}

func (o *output) Write(b []byte) (int, error) {
	if o.failed == nil {
		_, o.failed = o.Writer.Write(b)
	}
	return len(b), nil
}

// fault is why the output is not whole, nil when nobody wants the rest.
func (o *output) fault() error {
	if errors.Is(o.failed, syscall.EPIPE) {
		return nil
	}
	var path *fs.PathError
	if errors.As(o.failed, &path) {
		return path.Err
	}
	return o.failed
}

// errNotRead ends a verb whose output goes nowhere.
var errNotRead = errors.New("nobody reads the output")

// whileRead is standard output for a verb that need not go on once nobody reads,
// because its exit code is settled: writing then gives errNotRead, which quietly
// turns into nil.
type whileRead struct{ *output }

func (w whileRead) Write(b []byte) (int, error) {
	n, err := w.output.Write(b)
	if w.failed != nil {
		return 0, errNotRead
	}
	return n, err
}

// whileRead returns standard output as a whileRead, unless it is a terminal.
func (c *cli) whileRead() io.Writer {
	if o, ok := c.stdout.(*output); ok {
		return whileRead{o}
	}
	return c.stdout
}

// quietly returns err, but nil when the work ended because nobody reads on.
func quietly(err error) error {
	if errors.Is(err, errNotRead) {
		return nil
	}
	return err
}

// noticePipes makes a write to a reader that has left return an error instead of
// ending the process. Programs that outflow starts still end.
func noticePipes() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}
