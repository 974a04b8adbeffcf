package dump

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// Names calls objects by kind and creation: vs#1, buffer#3, target#2. An address
// that a create returns again is a new object with a new name. An address that
// no create was seen of keeps no name, contexts and screens apart, which are
// named at first sight. Its zero value is ready.
type Names struct {
	counts  map[string]int
	objects map[pipe.Handle][]*named
}

// named is an object, also when it has ended: a use after that is told by its name.
type named struct {
	kind, name string
	content    uint64 // hash of what a state object was made from
	creates    int    // less deletes
}

// See takes a call into account: what it creates has a name from then on. It is
// to be called once for each record, in order.
func (n *Names) See(rec *trace.Record) {
	switch rec.Kind {
	case trace.HeaderRecord:
		n.objects = nil
		return
	case trace.CallRecord, trace.MalformedRecord:
	default:
		return
	}
	if rec.Skipped {
		return
	}
	if rec.Class == pipe.ClassContext || rec.Class == pipe.ClassScreen {
		n.seeObject(rec)
	}
	kind, how := createdKind(rec.Method)
	switch how {
	case byRet:
		if h, ok := rec.Values.Ret().Handle(); ok && h != 0 {
			n.create(rec, kind, h)
		}
	case byTransfer:
		x := rec.Values.Arg("transfer")
		if !x.Exists() {
			x = rec.Values.Arg("xfer")
		}
		if h, ok := x.Handle(); ok && h != 0 {
			n.create(rec, kind, h)
		}
	case byDelete:
		if h, ok := rec.Values.ArgAt(1).Handle(); ok {
			if o := n.find(h, kind); o != nil {
				o.creates--
			}
		}
	}
}

// seeObject names the context or screen of a call.
func (n *Names) seeObject(rec *trace.Record) {
	x := rec.Values.First()
	kind := expectations[string(x.RawName())]
	if kind != "context" && kind != "screen" {
		return
	}
	if h, ok := x.Handle(); ok && h != 0 && n.find(h, kind) == nil {
		n.add(h, kind)
	}
}

func (n *Names) create(rec *trace.Record, kind string, h pipe.Handle) {
	content := uint64(0)
	old := n.find(h, kind)
	switch kind {
	case "screen":
		if old != nil {
			n.objects = nil
		}
	case "resource":
		kind = resourceKind(rec)
	case "transfer", "fence", "context", "surface", "view", "query", "target":
	default:
		content = contentOf(rec)
		if old != nil && old.creates > 0 && old.content == content {
			old.creates++ // some drivers return one object for equal creates
			return
		}
	}
	n.add(h, kind).content = content
}

// resourceKind tells buffers from textures.
func resourceKind(rec *trace.Record) string {
	x := rec.Values.Arg("templat").Member("target")
	if v, ok := x.Uint(); ok && v == 0 || string(x.RawText()) == "PIPE_BUFFER" {
		return "buffer"
	}
	return "texture"
}

// contentOf hashes the arguments of a create.
func contentOf(rec *trace.Record) uint64 {
	start := bytes.Index(rec.Raw, []byte("<arg "))
	end := bytes.Index(rec.Raw, []byte("<ret>"))
	if start < 0 || end < start {
		return 0
	}
	return xxhash.Sum64(rec.Raw[start:end])
}

func (n *Names) add(h pipe.Handle, kind string) *named {
	if n.counts == nil {
		n.counts = map[string]int{}
	}
	if n.objects == nil {
		n.objects = map[pipe.Handle][]*named{}
	}
	n.counts[kind]++
	o := &named{kind: kind, name: kind + "#" + strconv.Itoa(n.counts[kind]), creates: 1}
	for i, old := range n.objects[h] {
		if sameKind(old.kind, kind) {
			n.objects[h][i] = o
			return o
		}
	}
	n.objects[h] = append(n.objects[h], o)
	return o
}

// find returns the newest object of a kind at an address, nil if there is none.
func (n *Names) find(h pipe.Handle, kind string) *named {
	for _, o := range n.objects[h] {
		if sameKind(o.kind, kind) {
			return o
		}
	}
	return nil
}

// sameKind is true for kinds of which an address can hold one alone.
func sameKind(a, b string) bool {
	return a == b || isResource(a) && isResource(b)
}

func isResource(kind string) bool {
	return kind == "buffer" || kind == "texture" || kind == "resource"
}

// Name returns what the object of that kind at an address is called, "" when
// it has no name. The kind is a word of pipe.Kind or, for what package pipe
// knows nothing of, what the create method calls it.
func (n *Names) Name(h pipe.Handle, kind string) string {
	if o := n.find(h, kind); o != nil {
		return o.name
	}
	return ""
}

// lookup returns the name of a pointer in a call, "" when it has none. Which
// kind it is of is told by the name it stands under and the method: addresses are shared by
// objects of different kinds.
func (n *Names) lookup(x pipe.Value, holder []byte, method, role string) string {
	h, ok := x.Handle()
	if !ok {
		return ""
	}
	objects := n.objects[h]
	if len(objects) == 0 {
		return ""
	}
	if role == "ret" {
		kind, how := createdKind(method)
		if how != byRet {
			return ""
		}
		return n.Name(h, kind)
	}
	kind := expectedKind(holder, method)
	if kind == "shader" {
		for _, o := range objects {
			if _, ok := shaderKinds[o.kind]; ok {
				return o.name
			}
		}
	}
	return n.Name(h, kind)
}

// expectations says which kind of object arguments and members of a name hold.
var expectations = map[string]string{
	"pipe": "context", "context": "context", "ctx": "context", "screen": "screen",
	"resource": "resource", "res": "resource", "dst": "resource", "src": "resource", "buffer": "resource",
	"texture": "resource", "index": "resource", "indirect": "resource", "indirect_draw_count": "resource",
	"surface": "surface", "zsbuf": "surface", "cbufs": "surface",
	"view": "view", "views": "view", "tgs": "target", "targets": "target", "target": "target",
	"count_from_stream_output": "target", "query": "query", "fence": "fence",
	"transfer": "transfer", "xfer": "transfer", "pmem": "memory", "memory": "memory",
	"shaders": "shader", "shader": "shader",
}

var shaderKinds = map[string]string{"vs": "vs", "tcs": "tcs", "tes": "tes", "gs": "gs", "fs": "fs", "cs": "cs", "ts": "ts", "ms": "ms"}

// expectedKind returns the kind of what a pointer of that name points to.
func expectedKind(raw []byte, method string) string {
	if i := max(bytes.LastIndexByte(raw, '.'), bytes.LastIndexByte(raw, ';')); i >= 0 {
		raw = raw[i+1:] // buffer.resource, buffer-&gt;resource
	}
	raw = bytes.TrimLeft(raw, "*&")
	switch name := string(raw); name {
	case "state", "states":
		if kind, how := createdKind(method); how == byDelete {
			return kind
		}
		return boundKind(method)
	case "dst", "src":
		if method == "fence_reference" {
			return "fence"
		}
		return "resource"
	default:
		if kind, ok := expectations[name]; ok {
			return kind
		}
		return name
	}
}

// boundKind returns the kind that a bind method takes.
func boundKind(method string) string {
	if method == "draw_vertex_state" {
		return "vertex_state"
	}
	infix, ok := strings.CutPrefix(method, "bind_")
	if !ok {
		return ""
	}
	if strings.HasSuffix(infix, "sampler_states") {
		return "sampler"
	}
	return stateKind(strings.TrimSuffix(infix, "_state"))
}

// stateKind returns the short word for what methods call a state object.
func stateKind(infix string) string {
	switch infix {
	case "compute":
		return "cs"
	case "depth_stencil_alpha":
		return "dsa"
	case "vertex_elements":
		return "velems"
	}
	return infix
}

// created tells where a call says which object it makes or ends.
type created uint8

const (
	nowhere created = iota
	byRet
	byTransfer
	byDelete
)

// createdKind returns the kind of object that a method makes or deletes.
func createdKind(method string) (string, created) {
	switch method {
	case "pipe_screen_create":
		return "screen", byRet
	case "context_create":
		return "context", byRet
	case "buffer_map", "texture_map", "transfer_map":
		return "transfer", byTransfer
	case "flush":
		return "fence", byRet
	case "allocate_memory", "allocate_memory_fd":
		return "memory", byRet
	case "memobj_create_from_handle":
		return "memobj", byRet
	case "create_fence_fd":
		return "fence", byRet
	case "create_batch_query":
		return "query", byRet
	case "create_sampler_view":
		return "view", byRet
	case "create_stream_output_target":
		return "target", byRet
	case "create_vertex_state":
		return "vertex_state", byRet
	}
	if strings.HasPrefix(method, "resource_create") || strings.HasPrefix(method, "resource_from_") {
		return "resource", byRet
	}
	if infix, ok := strings.CutPrefix(method, "create_"); ok {
		return stateKind(strings.TrimSuffix(infix, "_state")), byRet
	}
	if infix, ok := strings.CutPrefix(method, "delete_"); ok && strings.HasSuffix(infix, "_state") {
		return stateKind(strings.TrimSuffix(infix, "_state")), byDelete
	}
	return "", nowhere
}
