package trace

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/outflow-gpu/outflow/pipe"
)

// DiffSource is a trace that Diff reads, twice where it has to show what differs.
type DiffSource struct {
	// Name stands for the trace in positions and messages.
	Name string
	// Open returns the bytes of the trace from the start. A reader that is an
	// io.Seeker, as files are, is read the second time only where it has to be.
	Open func() (io.ReadCloser, error)
	// Wants chooses the calls that are compared, nil for all. It sees every record
	// in order, once. What is not chosen still tells which object a pointer means.
	Wants func(*Record) bool
}

// DiffOptions say how two traces are compared. The zero value ignores all noise.
type DiffOptions struct {
	// Keep is the noise that counts as a difference.
	Keep Noise
	// Report is called with each difference, in order. An error ends the
	// comparison.
	Report func(*Difference) error
	// Follow, when not nil, goes through both traces after the last difference was
	// reported.
	Follow *DiffFollower
}

// DifferenceKind tells what happened to a call.
type DifferenceKind uint8

// The kinds of differences.
const (
	Changed DifferenceKind = iota // there in both traces, with other values
	Removed                       // only in the first
	Added                         // only in the second
)

// String returns changed, removed or added.
func (k DifferenceKind) String() string {
	return [...]string{"changed", "removed", "added"}[k]
}

// Difference is a call that differs. It is valid until Report returns.
type Difference struct {
	Kind DifferenceKind
	A, B *DiffCall // nil for what is not in that trace
	// Values are what differs in a changed call, in the order of the call.
	Values []ValueDifference
}

// Call returns the call of the first trace, or of the second when it is not in
// the first.
func (d *Difference) Call() *DiffCall {
	if d.A != nil {
		return d.A
	}
	return d.B
}

// DiffCall is a call with the names of its objects.
type DiffCall struct {
	*Record
	names map[pipe.Value]string
}

// Name returns what the object is called that a pointer of the call means, by
// kind and creation: vs#1, buffer#3, target#2. It is empty for what is no
// object. An address that a create returned again is another object.
func (c *DiffCall) Name(pointer pipe.Value) string { return c.names[pointer] }

// ValueDifference is a value of a changed call that differs: a scalar, or a
// whole array or struct where the other call has something else.
type ValueDifference struct {
	// Path leads to it from the call: state.stream_output.stride[0], ret, time.
	Path string
	// From and To do not exist where the value is not recorded, which is not the
	// same as 0 or NULL.
	From, To pipe.Value
	// FromName and ToName name the objects of pointers.
	FromName, ToName string
}

// DiffSummary counts what Diff found.
type DiffSummary struct {
	Changed, Removed, Added uint64 // calls
	Equal                   uint64 // calls of either trace that are equal
	NoiseA, NoiseB          uint64 // calls left out as noise or because they were not wanted
	EndingA, EndingB        Ending
	Methods                 []MethodDifferences // that have differences, most first
}

// Same is true when nothing differs.
func (s *DiffSummary) Same() bool { return s.Changed == 0 && s.Removed == 0 && s.Added == 0 }

// MethodDifferences counts the calls of one method.
type MethodDifferences struct {
	Class, Method                  string
	Equal, Changed, Removed, Added uint64
}

// Diff compares two traces call by call and reports what differs. Calls are
// aligned so that few differ; their order counts, and so does what they returned.
// Pointers are compared by the object that they mean, whatever its address: an
// address that comes back for another object is another one.
//
// Memory grows with the number of calls, not with their size: about 60 bytes a
// call of either trace and 4 a pointer, and twice that while the index grows.
// Time is that of reading both traces, in parallel, when little differs; how it
// grows where much does is told by package seqdiff: at worst, for traces that
// have no stretch in common that occurs once, it is a thousand steps a call.
// Two calls are taken for equal by a hash of 64 bits.
func Diff(a, b DiffSource, o DiffOptions) (DiffSummary, error) {
	indexA, indexB, err := indexBoth(a, b, o.Keep)
	if err != nil {
		return DiffSummary{}, err
	}
	d := &differ{
		alignment: align(indexA, indexB), options: o,
		fetchA: newFetcher(a, indexA, o.Keep), fetchB: newFetcher(b, indexB, o.Keep),
	}
	defer d.fetchA.close()
	defer d.fetchB.close()
	if err := d.report(); err != nil {
		return DiffSummary{}, err
	}
	if o.Follow != nil {
		if err := d.follow(a, b, o.Keep, o.Follow); err != nil {
			return DiffSummary{}, err
		}
	}
	return d.summary(), nil
}

// diffBlock is how much is read at once: two traces are in memory at a time.
const diffBlock = 1 << 18

// errNoTrace is for input that holds nothing of a trace.
var errNoTrace = errors.New("no Gallium trace: neither a <trace> header nor a call was found")

// indexBoth reads both traces at once.
func indexBoth(a, b DiffSource, keep Noise) (indexA, indexB *callIndex, err error) {
	done := make(chan error, 1)
	go func() {
		var err error
		indexB, err = b.index(keep)
		done <- err
	}()
	indexA, err = a.index(keep)
	if errB := <-done; err == nil {
		err = errB
	}
	return indexA, indexB, err
}

func (s DiffSource) index(keep Noise) (*callIndex, error) {
	src, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	r, err := NewReader(src, Options{Name: s.Name, BlockBytes: diffBlock, Workers: max(1, runtime.GOMAXPROCS(0)/2)})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	x, err := indexTrace(r, keep, s.Wants)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if x.ending.Headers == 0 && x.ending.Calls == 0 {
		return nil, fmt.Errorf("%s: %w", s.Name, errNoTrace)
	}
	return x, nil
}
