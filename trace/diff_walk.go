package trace

import (
	"bytes"
	"hash/maphash"
	"math"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
)

// diffSeed makes hashes of two traces comparable. They do not leave the process.
var diffSeed = maphash.MakeSeed()

func hashBytes(b []byte) uint64  { return maphash.Bytes(diffSeed, b) }
func hashString(s string) uint64 { return maphash.String(diffSeed, s) }
func mixHash(h, x uint64) uint64 {
	h = (h ^ x) * 0x9fb21c651e98df25
	return h ^ h>>32
}

// leaf is a value of a call that is compared by itself.
type leaf struct {
	path       string
	value      pipe.Value
	start, end int // of its canonical form in walker.form
	ref        int32
}

// walker brings calls into the form in which they are compared: the values in
// order, noise left out, each spelled in one way, and pointers as references to
// objects.
//
// It runs in two ways. The first time, objects is asked which object a pointer
// means, and the caller keeps the references. When a call is looked at again,
// known has them.
type walker struct {
	keep    Noise
	objects *objectTable
	again   bool
	known   []int32

	form    []byte
	refs    []int32
	listing bool
	leaves  []leaf
	path    []byte

	plans map[string]*methodPlan
	*methodPlan
	created                int         // the reference that the call creates, or -1
	createdAt              pipe.Handle // its address
	unindexed, userIndices bool
	unbounded              bool
	clock                  bool
}

func newWalker(keep Noise, o *objectTable) *walker {
	return &walker{keep: keep, objects: o, plans: map[string]*methodPlan{}}
}

// maxPlans bounds the memory that damaged names can take.
const maxPlans = 4096

func (w *walker) planFor(method string) *methodPlan {
	if p, ok := w.plans[method]; ok {
		return p
	}
	p := planOf(method)
	if len(w.plans) < maxPlans {
		w.plans[method] = p
	}
	return p
}

// walk looks at a record. It returns false for what is noise altogether.
func (w *walker) walk(rec *Record) bool {
	w.form, w.refs, w.leaves, w.path = w.form[:0], w.refs[:0], w.leaves[:0], w.path[:0]
	w.created, w.clock, w.unindexed, w.userIndices, w.unbounded = -1, false, false, false, false
	switch rec.Kind {
	case HeaderRecord, FooterRecord:
		return false
	case NoiseRecord:
		w.methodPlan = w.planFor("")
		w.form = append(append(w.form, 'N'), rec.Raw...)
		return w.keep&NoiseOutput != 0
	case MalformedRecord:
		w.form = append(append(w.form, 'M'), rec.Problem.Reason...)
	}
	w.methodPlan = w.planFor(rec.Method)
	if w.drop&^w.keep != 0 {
		return false
	}
	if rec.Open {
		w.form = append(w.form, 'O')
	}
	w.form = append(append(w.form, rec.Class...), 0)
	w.form = append(append(w.form, rec.Method...), 0)
	if w.draw {
		w.lookAtIndices(rec)
	}
	rets := 0
	for x := rec.Values.First(); x.Exists(); x = x.Next() {
		w.top(x, &rets)
	}
	return true
}

// top looks at an argument, a returned value or a bare one.
func (w *walker) top(x pipe.Value, rets *int) {
	switch x.Role() {
	case pipe.TimeRole:
		return
	case pipe.RetRole:
		if w.results&^w.keep != 0 {
			return
		}
		if w.listing {
			w.path = append(w.path[:0], "ret"...)
			if *rets > 0 {
				w.path = strconv.AppendInt(append(w.path, '['), int64(*rets), 10)
				w.path = append(w.path, ']')
			}
		}
		*rets++
	default:
		if w.isNoiseArgument(x) {
			return
		}
		if w.listing {
			w.path = pipe.AppendUnescaped(w.path[:0], x.RawName())
		}
	}
	w.value(x, x.RawName(), false)
}

func (w *walker) isNoiseArgument(x pipe.Value) bool {
	name := x.RawName()
	switch {
	case w.results == NoiseClocks && w.keep&NoiseClocks == 0:
		return string(name) == "info"
	case w.clock:
		return string(name) == "result"
	case w.kind == "fence" && w.keep&NoiseFences == 0:
		return bytes.HasSuffix(name, []byte("fence"))
	}
	return false
}

// lookAtIndices finds out which members of a draw mean nothing.
func (w *walker) lookAtIndices(rec *Record) {
	info := rec.Values.Arg("info")
	size := info.Member("index_size")
	if !size.Exists() {
		size = info.Member("indexed")
	}
	if n, ok := size.Uint(); ok {
		w.unindexed = n == 0
	}
	user, _ := info.Member("has_user_indices").Bool()
	w.userIndices = user
	valid, ok := info.Member("index_bounds_valid").Bool()
	w.unbounded = ok && !valid
}

// isNoiseMember says whether a member of a draw means nothing.
func (w *walker) isNoiseMember(name []byte) bool {
	if !w.unindexed && !w.unbounded || w.keep&NoiseIndexMembers != 0 {
		return false
	}
	switch string(name) {
	case "min_index", "max_index":
		return true
	case "index.resource", "index_bias", "restart_index", "has_user_indices", "index", "index.user":
		return w.unindexed
	}
	return false
}

// value brings one value and what is inside into its form. Holder is the nearest
// name; user tells that pointers lead into the program's memory.
func (w *walker) value(x pipe.Value, holder []byte, user bool) {
	kind := x.Kind()
	start := len(w.form)
	ref := noObject
	tag := byte(kind)<<4 | byte(x.Role())
	if x.Open() {
		w.form = append(w.form, 'o')
	}
	w.form = append(w.form, tag)
	if name := x.RawName(); len(name) > 0 {
		w.form = appendText(w.form, name, false)
	} else {
		w.form = append(w.form, 0)
	}
	switch kind {
	case pipe.NullValue:
	case pipe.PtrValue:
		ref = w.pointer(x, holder, user)
	case pipe.ArrayValue, pipe.StructValue, pipe.UnknownValue:
		w.inside(x, start, holder, user)
		return
	case pipe.FloatValue:
		w.form = appendFloat(w.form, x)
	default:
		w.form = appendText(w.form, x.RawText(), x.Literal())
	}
	w.leaf(x, start, ref)
}

// leaf notes a value that is compared by itself.
func (w *walker) leaf(x pipe.Value, start int, ref int32) {
	if w.listing {
		w.leaves = append(w.leaves, leaf{string(w.path), x, start, len(w.form), ref})
	}
}

// inside looks at the values in an array or struct.
func (w *walker) inside(x pipe.Value, start int, holder []byte, user bool) {
	if w.vertex && x.Kind() == pipe.StructValue {
		is, _ := x.Member("is_user_buffer").Bool()
		user = user || is
	}
	w.leaf(x, start, noObject)
	length := len(w.path)
	i := 0
	for c := x.First(); c.Exists(); c = c.Next() {
		name := c.RawName()
		if len(name) == 0 {
			name = holder
		} else if w.draw && w.isNoiseMember(name) {
			i++
			continue
		}
		if w.listing {
			w.path = appendStep(w.path[:length], c, i)
		}
		w.value(c, name, user)
		i++
	}
	w.path = w.path[:length]
	w.form = append(w.form, 0xff)
}

func appendStep(path []byte, c pipe.Value, i int) []byte {
	if name := c.RawName(); len(name) > 0 {
		return pipe.AppendUnescaped(append(path, '.'), name)
	}
	path = strconv.AppendInt(append(path, '['), int64(i), 10)
	return append(path, ']')
}

// pointer writes that there is a pointer, and returns which reference it is.
func (w *walker) pointer(x pipe.Value, holder []byte, user bool) int32 {
	h, ok := x.Handle()
	ret := x.Role() == pipe.RetRole
	switch {
	case !ok:
		w.form = appendText(w.form, x.RawText(), true)
		return noObject
	case h == 0:
		w.form = append(w.form, '0')
		return noObject
	case user, ret && w.mapped, w.userIndices && string(holder) == "index.resource", programMemory[string(lastName(holder))]:
		if w.keep&NoiseAddresses != 0 {
			w.form = appendText(w.form, x.RawText(), true)
		}
		return noObject
	}
	slot := int32(len(w.refs))
	if w.again {
		w.see(w.known[slot])
		return slot
	}
	creates := w.how == createsRet && ret || w.how == createsTransfer && !ret && w.kindOf(holder) == "transfer"
	if creates && w.created < 0 {
		w.created, w.createdAt = int(slot), h
		w.see(noObject)
		return slot
	}
	kind := ""
	if slot == 0 {
		kind = w.ownerKind(holder)
	}
	if kind == "" {
		kind = w.kindOf(holder)
	}
	w.see(w.objects.use(h, kind))
	return slot
}

// see keeps a reference.
func (w *walker) see(id int32) {
	w.refs = append(w.refs, id)
	if w.readsQuery && id != noObject && w.keep&NoiseClocks == 0 {
		w.clock = w.clock || w.objects.all[id].clock
	}
}

// ownerKind returns the kind of the object that a call is made on.
func (w *walker) ownerKind(holder []byte) string {
	switch string(holder) {
	case "screen":
		return "screen"
	case "pipe", "context":
		return "context"
	}
	return ""
}

// appendText appends a text, what it means rather than how it is escaped, behind
// its length.
func appendText(b, text []byte, literal bool) []byte {
	if !literal && bytes.IndexByte(text, '&') >= 0 {
		var room [256]byte
		text = pipe.AppendUnescaped(room[:0], text)
	}
	n := len(text)
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(append(b, byte(n)), text...)
}

// appendFloat appends a number as %g writes it, six digits, whatever the locale
// and the C library. All that is no number is one.
func appendFloat(b []byte, x pipe.Value) []byte {
	text := x.RawText()
	if len(text) == 1 {
		return append(append(b, 1), text...)
	}
	f, ok := x.Float()
	if !ok {
		return appendText(b, text, x.Literal())
	}
	if math.IsNaN(f) {
		f = math.NaN()
	}
	var room [32]byte
	return appendText(b, strconv.AppendFloat(room[:0], f, 'g', 6, 64), true)
}
