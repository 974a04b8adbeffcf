package trace

import (
	"bytes"

	"github.com/outflow-gpu/outflow/pipe"
)

// tracedObject is one life of an address: from the create that returned it to the next
// one that does. Objects that no create was seen of live from their first use.
type tracedObject struct {
	content uint64 // what it was made from, without addresses
	kind    uint16 // index into objectTable.kinds
	ordinal uint32 // counts the objects of the kind, from 1
	clock   bool   // a query whose result is a time
	created bool   // by a call that was read
}

// noObject stands for a pointer whose object is not known yet.
const noObject = int32(-1)

// objectTable follows which addresses stand for which objects in one trace.
type objectTable struct {
	all    []tracedObject
	kinds  []string
	counts []uint32 // by kind
	owners map[pipe.Handle]int32
	others map[pipe.Handle]life
}

// life is the newest object at an address.
type life struct {
	id      int32
	creates int32 // less deletes, for state objects
}

func newObjectTable() *objectTable {
	o := &objectTable{}
	o.newWorld()
	return o
}

// newWorld forgets what is alive. Names go on counting.
func (o *objectTable) newWorld() {
	o.owners, o.others = map[pipe.Handle]int32{}, map[pipe.Handle]life{}
}

// isOwner says whether objects of the kind stand before all others in a call.
// They are kept apart from the rest: their addresses may be another object's.
func isOwner(kind string) bool { return kind == "screen" || kind == "context" || kind == "codec" }

func (o *objectTable) add(kind string, content uint64) int32 {
	k := 0
	for k < len(o.kinds) && o.kinds[k] != kind {
		k++
	}
	if k == len(o.kinds) {
		o.kinds, o.counts = append(o.kinds, kind), append(o.counts, 0)
	}
	o.counts[k]++
	o.all = append(o.all, tracedObject{content: content, kind: uint16(k), ordinal: o.counts[k]})
	return int32(len(o.all) - 1)
}

// use returns the object at an address, a new one when it was never seen.
func (o *objectTable) use(h pipe.Handle, kind string) int32 {
	if isOwner(kind) {
		id, ok := o.owners[h]
		if !ok {
			id = o.add(kind, hashString(kind))
			o.owners[h] = id
		}
		return id
	}
	x, ok := o.others[h]
	if !ok {
		x.id = o.add(kind, hashString(kind))
		o.others[h] = x
	}
	return x.id
}

// create begins a life at an address. Where equal creates may return one object,
// a live one of the same content goes on, counted once more.
func (o *objectTable) create(h pipe.Handle, kind string, content uint64, counted bool) int32 {
	if isOwner(kind) {
		id := o.add(kind, content)
		o.owners[h] = id
		o.all[id].created = true
		return id
	}
	if x, ok := o.others[h]; counted && ok && x.creates > 0 && o.all[x.id].content == content {
		x.creates++
		o.others[h] = x
		return x.id
	}
	id := o.add(kind, content)
	o.all[id].created = true
	o.others[h] = life{id, 1}
	return id
}

// release takes back one create.
func (o *objectTable) release(h pipe.Handle) {
	if x, ok := o.others[h]; ok {
		x.creates--
		o.others[h] = x
	}
}

// kindsByName says what pointers of a name point to.
var kindsByName = map[string]string{
	"pipe": "context", "context": "context", "ctx": "context", "screen": "screen",
	"resource": "resource", "res": "resource", "dst": "resource", "src": "resource", "buffer": "resource",
	"texture": "resource", "indirect": "resource", "indirect_draw_count": "resource",
	"surface": "surface", "zsbuf": "surface", "cbufs": "surface",
	"view": "view", "views": "view", "tgs": "target", "targets": "target", "target": "target",
	"count_from_stream_output": "target", "query": "query", "fence": "fence",
	"transfer": "transfer", "xfer": "transfer", "pmem": "memory", "shaders": "shader", "shader": "shader",
	"codec": "codec",
}

// programMemory are the names of pointers into the traced program's own memory.
var programMemory = map[string]bool{
	"user_buffer": true, "user_memory": true, "loader_data": true, "priv": true, "data": true,
	"winsys_drawable_handle": true, "context_private": true,
}

// lastName returns the end of a name such as buffer.resource or
// info-&gt;count_from_stream_output.
func lastName(raw []byte) []byte {
	if i := max(bytes.LastIndexByte(raw, '.'), bytes.LastIndexByte(raw, ';'), bytes.LastIndexByte(raw, '>')); i >= 0 {
		raw = raw[i+1:]
	}
	return bytes.TrimLeft(raw, "*&")
}

// kindOf returns what a pointer under that name points to.
func (p *methodPlan) kindOf(holder []byte) string {
	name := lastName(holder)
	switch {
	case p.referFences && (string(name) == "dst" || string(name) == "src"):
		return "fence"
	case string(name) == "state" || string(name) == "states":
		if p.how == deletesState {
			return p.kind
		}
		if p.stateArgument != "" {
			return p.stateArgument
		}
	}
	if kind, ok := kindsByName[string(name)]; ok {
		return kind
	}
	return "object"
}
