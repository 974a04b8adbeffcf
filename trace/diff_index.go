package trace

import (
	"errors"
	"io"
	"math"
	"sort"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
)

// errTooLong is for traces with more calls or objects than the index can number.
var errTooLong = errors.New("more than 2147483647 calls or pointers: too long to compare")

// callIndex is what is kept of each call of a trace while it is compared: about
// 30 bytes and 4 for each pointer.
type callIndex struct {
	shapes   []uint64 // hash of the call without what its pointers mean
	methods  []int32  // index into names
	refStart []uint32 // of each call, and one more
	refs     []int32  // the objects that pointers mean, call by call
	offsets  []uint32 // bytes behind the mark that covers the call
	marks    []mark

	names   []methodName
	objects *objectTable
	// births are the objects in the order they came up; call is the create, -1 for
	// one that no create was seen of, slot its place in the call's references.
	births  []birth
	ending  Ending
	skipped uint64 // calls that were noise or not wanted
}

// mark is a place in a trace where reading can begin: that of the first record
// of a batch.
type mark struct {
	call int // the first one behind
	byte int64
	line int
}

type birth struct{ call, object int32 }

type methodName struct{ class, method string }

// indexer reads a trace into its index.
type indexer struct {
	*callIndex
	walker  *walker
	wants   func(*Record) bool
	numbers map[methodName]int32
}

func newIndexer(keep Noise, wants func(*Record) bool) *indexer {
	o := newObjectTable()
	return &indexer{&callIndex{objects: o, refStart: []uint32{0}}, newWalker(keep, o), wants, map[methodName]int32{}}
}

// indexTrace reads a whole trace.
func indexTrace(r *Reader, keep Noise, wants func(*Record) bool) (*callIndex, error) {
	x := newIndexer(keep, wants)
	for {
		b, err := r.Next()
		if err == io.EOF {
			x.ending = r.Ending()
			return x.callIndex, nil
		}
		if err != nil {
			return nil, err
		}
		first := b.Records[0].Pos
		x.marks = append(x.marks, mark{len(x.shapes), first.Byte, first.Line})
		for i := range b.Records {
			x.add(&b.Records[i], first.Byte)
		}
		b.Release()
		if len(x.shapes) > math.MaxInt32 || len(x.refs) > math.MaxInt32 || len(x.objects.all) > math.MaxInt32-1<<20 {
			return nil, errTooLong
		}
	}
}

// add takes one record into the index.
func (x *indexer) add(rec *Record, from int64) {
	if rec.Kind == HeaderRecord {
		x.objects.newWorld()
	}
	wanted := x.wants == nil || x.wants(rec)
	seen := len(x.objects.all)
	w := x.walker
	if !w.walk(rec) {
		if rec.Kind == CallRecord {
			x.skipped++
		}
		return
	}
	shape := hashBytes(w.form)
	call := int32(len(x.shapes))
	if !wanted {
		call = -1
	}
	for id := seen; id < len(x.objects.all); id++ {
		x.births = append(x.births, birth{-1, int32(id)})
	}
	if w.created >= 0 {
		x.create(rec, shape, call)
	}
	if w.how == deletesState {
		if h, ok := rec.Values.ArgAt(1).Handle(); ok {
			x.objects.release(h)
		}
	}
	if !wanted {
		x.skipped++
		return
	}
	x.shapes = append(x.shapes, x.timed(rec, shape))
	x.methods = append(x.methods, x.number(methodName{rec.Class, rec.Method}))
	x.refs = append(x.refs, w.refs...)
	x.refStart = append(x.refStart, uint32(len(x.refs)))
	x.offsets = append(x.offsets, uint32(rec.Pos.Byte-from))
}

// create begins the life of what the call made.
func (x *indexer) create(rec *Record, shape uint64, call int32) {
	w := x.walker
	content := shape
	for i, id := range w.refs {
		if id != noObject && (i > 0 || !isOwner(x.objects.kind(id))) {
			content = mixHash(content, x.objects.all[id].content)
		}
	}
	kind := w.kind
	if kind == "resource" {
		kind = resourceKind(rec)
	}
	before := len(x.objects.all)
	id := x.objects.create(w.createdAt, kind, content, w.counted)
	w.refs[w.created] = id
	if len(x.objects.all) == before {
		return
	}
	x.births = append(x.births, birth{call, id})
	if w.createsQuery {
		x.objects.all[id].clock = isClock(rec.Values.Arg("query_type"))
	}
}

// resourceKind tells buffers from textures.
func resourceKind(rec *Record) string {
	x := rec.Values.Arg("templat").Member("target")
	if n, ok := x.Uint(); ok && n == 0 || string(x.RawText()) == "PIPE_BUFFER" {
		return "buffer"
	}
	return "texture"
}

// isClock says whether the results of a query of that type are times.
func isClock(x pipe.Value) bool {
	t, ok := pipe.ParseQueryType(string(x.RawText()))
	if n, number := x.Uint(); number && n < uint64(len(oldQueryTypes)) {
		t, ok = oldQueryTypes[n], true
	}
	return ok && (t == pipe.QueryTimestamp || t == pipe.QueryTimestampDisjoint || t == pipe.QueryTimeElapsed)
}

// timed adds to a shape the time and number of the call when they count.
func (x *indexer) timed(rec *Record, shape uint64) uint64 {
	if x.walker.keep&NoiseTimes != 0 {
		us, ok := rec.Values.Time()
		if ok {
			shape = mixHash(shape, uint64(us)+1)
		}
	}
	if x.walker.keep&NoiseNumbers != 0 {
		shape = mixHash(shape, rec.No)
	}
	return shape
}

func (x *indexer) number(name methodName) int32 {
	n, ok := x.numbers[name]
	if !ok {
		n = int32(len(x.names))
		x.names = append(x.names, name)
		x.numbers[name] = n
	}
	return n
}

// name returns what an object is called.
func (o *objectTable) name(id int32) string {
	return o.kind(id) + "#" + strconv.FormatUint(uint64(o.all[id].ordinal), 10)
}

func (o *objectTable) kind(id int32) string { return o.kinds[o.all[id].kind] }

// refsOf returns the objects of a call's pointers.
func (x *callIndex) refsOf(call int) []int32 { return x.refs[x.refStart[call]:x.refStart[call+1]] }

// place returns the mark that covers a call, and the offset of the call in the
// text of the trace.
func (x *callIndex) place(call int) (mark, int64) {
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].call > call }) - 1
	return x.marks[i], x.marks[i].byte + int64(x.offsets[call])
}
