package source

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Tracked is a struct and the member of it that must be set, kept and dumped.
// With no member the whole struct is meant.
type Tracked struct {
	Struct string
	Member string
}

// DefaultTracked is what stream output asks for: the member of
// pipe_shader_state, and the info struct by itself (Mesa, p_state.h).
func DefaultTracked() []Tracked {
	return []Tracked{
		{Struct: "pipe_shader_state", Member: "stream_output"},
		{Struct: "pipe_stream_output_info"},
	}
}

// Options configures an audit. The zero value audits for DefaultTracked.
type Options struct {
	Tracked []Tracked
	// Root is the directory's own path, used only to see that it lies in a
	// driver's folder. It may be empty.
	Root string
}

// Report is the result of an audit.
type Report struct {
	Findings  []Finding
	Files     int // read
	Functions int // found in them
	Bytes     int64
	// Skipped names files that could not be read, with the reason.
	Skipped []string
}

// target is a tracked struct with what the tree says about its member.
type target struct {
	Tracked
	info   string   // the member's type, or the struct itself
	fields []string // leaves of the member, by name
	nested map[string][]string
	count  string          // the field that alone decides, when there is one
	own    map[string]bool // other members of the struct
	names  *nameSet        // the struct, its typedefs and its containers
}

// auditor is one run.
type auditor struct {
	opts      Options
	tree      *tree
	targets   []*target
	names     *nameSet // of all targets
	summaries map[summaryKey]*summary
	callDepth int
	readers   map[string]bool // driver folders that read a member
	screens   map[string]bool // folders that make a screen
	mentions  map[mentionKey]bool
	findings  []Finding
}

// Directory audits the C and C++ files below the root of fsys.
func Directory(fsys fs.FS, opts Options) (*Report, error) {
	var units []*unit
	rep := &Report{}
	var r reader
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			rep.Skipped = append(rep.Skipped, fmt.Sprintf("%s: %v", name, err))
			return nil
		case d.IsDir():
			if base := path.Base(name); base == ".git" || base == ".svn" {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || !isSource(name):
			return nil
		}
		src, err := r.text(fsys, name)
		if err != nil {
			rep.Skipped = append(rep.Skipped, fmt.Sprintf("%s: %v", name, err))
			return nil
		}
		rep.Bytes += int64(len(src))
		units = append(units, r.parse(name, src))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	finish(rep, units, opts)
	return rep, nil
}

// File audits one source text, as if it were alone in its tree.
func File(name, src string, opts Options) *Report {
	rep := &Report{Bytes: int64(len(src))}
	finish(rep, []*unit{new(reader).parse(name, src)}, opts)
	return rep
}

func finish(rep *Report, units []*unit, opts Options) {
	if len(opts.Tracked) == 0 {
		opts.Tracked = DefaultTracked()
	}
	a := &auditor{
		opts: opts, tree: newTree(units), summaries: map[summaryKey]*summary{},
		readers: map[string]bool{}, screens: map[string]bool{}, mentions: map[mentionKey]bool{},
	}
	for _, tr := range opts.Tracked {
		a.targets = append(a.targets, a.newTarget(tr))
	}
	a.names = newNameSet(nil)
	for _, t := range a.targets {
		a.names.add(t.names.words)
	}
	a.findScreens()
	a.findReaders()
	for _, u := range units {
		rep.Files++
		for _, f := range u.funcs {
			if f.isMacro {
				continue
			}
			rep.Functions++
			a.function(f)
		}
	}
	rep.Findings = sortFindings(a.findings)
}

func (a *auditor) function(f *function) {
	if !f.speaksOf(a.names) {
		return
	}
	for _, t := range a.targets {
		if len(a.targets) == 1 || f.speaksOf(t.names) {
			a.zeroing(f, t)
		}
	}
	for _, t := range a.targets {
		a.preserving(f, t)
		a.dumping(f, t)
	}
}

// speaksOf tells that a parameter or a token of the body is one of names.
func (f *function) speaksOf(names *nameSet) bool {
	for _, p := range f.params {
		if names.has(p.typ.name) {
			return true
		}
	}
	for _, t := range f.body {
		if t.kind == tokIdent && names.has(f.unit.lx.text(t)) {
			return true
		}
	}
	return false
}

// newestFields are the fields of pipe_stream_output_info in Mesa since 2012,
// used when the audited tree has no definition.
var newestFields = map[string][]string{
	"": {"num_outputs", "stride", "output"},
	"output": {"register_index", "start_component", "num_components", "output_buffer",
		"dst_offset", "stream"},
}

func (a *auditor) newTarget(tr Tracked) *target {
	t := &target{Tracked: tr, info: tr.Struct, nested: map[string][]string{}, own: map[string]bool{}}
	t.names = a.tree.names(tr.Struct)
	def := a.definition(tr.Struct)
	if tr.Member != "" {
		t.info = ""
		if tr.Struct == "pipe_shader_state" {
			t.info = "pipe_stream_output_info"
			t.own = map[string]bool{"tokens": true, "type": true, "ir": true}
		}
		if def != nil {
			t.own = map[string]bool{}
			for _, f := range def.fields {
				if f.name == tr.Member {
					t.info = f.typ.name
				} else {
					t.own[f.name] = true
				}
			}
		}
	}
	if t.info == "pipe_stream_output_info" {
		t.nested = newestFields
		t.count = "num_outputs"
	}
	if d := a.definition(t.info); d != nil {
		t.nested = map[string][]string{}
		for _, f := range d.fields {
			t.nested[""] = append(t.nested[""], f.name)
			if sub := a.tree.structOf(f.typ.name, d.unit); sub != nil {
				for _, g := range sub.fields {
					t.nested[f.name] = append(t.nested[f.name], g.name)
				}
			}
		}
	}
	for _, f := range t.nested[""] {
		if tr.Member == "" {
			t.own[f] = true
		}
		if sub := t.nested[f]; sub != nil {
			t.fields = append(t.fields, sub...)
		} else {
			t.fields = append(t.fields, f)
		}
	}
	return t
}

// definition finds a struct's definition, that of p_state.h first.
func (a *auditor) definition(name string) *structDef {
	defs := a.tree.defs[name]
	for _, d := range defs {
		if path.Base(d.unit.path) == "p_state.h" {
			return d
		}
	}
	if len(defs) > 0 {
		return defs[0]
	}
	return nil
}

// findReaders notes the driver folders in which something names the member.
func (a *auditor) findReaders() {
	for _, u := range a.tree.units {
		driver := a.driverOf(u)
		if driver == "" || a.readers[driver] {
			continue
		}
		for _, t := range a.targets {
			if t.Member != "" && u.reads(t.Member) {
				a.readers[driver] = true
			}
		}
	}
}

// reads tells that the unit accesses a member of this name.
func (u *unit) reads(member string) bool {
	if !strings.Contains(u.lx.src, member) {
		return false
	}
	toks := u.lx.toks
	for i := 1; i < len(toks); i++ {
		if toks[i].kind != tokIdent || toks[i].dead() || u.lx.text(toks[i]) != member {
			continue
		}
		if prev := toks[i-1]; prev.kind == tokPunct && (prev.op == '.' || prev.op == opArrow) && u.readAt(i) {
			return true
		}
	}
	return false
}

// readAt tells a read of the member named at i from a plain write: x.member =,
// x.member.field =, memset(&x.member, or .member = in an initialiser.
func (u *unit) readAt(i int) bool {
	toks := u.lx.toks
	is := func(j int, op uint8) bool {
		return j >= 0 && j < len(toks) && toks[j].kind == tokPunct && toks[j].op == op
	}
	end := i + 1
	for end < len(toks) {
		if is(end, '.') {
			end += 2
		} else if is(end, '[') {
			end = matching(toks, end)
		} else {
			break
		}
	}
	if is(end, '=') {
		return false
	}
	start := i - 1
	for is(start, '.') || is(start, opArrow) {
		start -= 2
	}
	return !(is(start, '&') && is(start-1, '(') && start >= 2 && u.lx.text(toks[start-2]) == "memset")
}

// driverOf is the driver's folder that a file lies in, or "".
func (a *auditor) driverOf(u *unit) string {
	full := u.path
	if i := strings.Index(a.opts.Root, "gallium/drivers"); i >= 0 {
		full = strings.TrimSuffix(strings.ReplaceAll(a.opts.Root[i:], "\\", "/"), "/") + "/" + full
	}
	parts := strings.Split(full, "/")
	for i, p := range parts {
		if p != "drivers" || i+2 >= len(parts) || i > 0 && parts[i-1] != "gallium" {
			continue
		}
		if i+3 < len(parts) && a.screens[u.dir] {
			return strings.Join(parts[i+1:len(parts)-1], "/")
		}
		return parts[i+1]
	}
	return ""
}

// findScreens notes the folders that make a screen: a driver of their own even
// where several share a folder.
func (a *auditor) findScreens() {
	for _, u := range a.tree.units {
		for _, f := range u.funcs {
			if strings.HasSuffix(f.name, "_screen_create") {
				a.screens[u.dir] = true
			}
		}
	}
}

// mildened lowers a severity for what cannot do harm, and says why.
func (a *auditor) mildened(f *Finding, fn *function, t *target, st stage) {
	why := ""
	switch driver := a.driverOf(fn.unit); {
	case fn.dead:
		why = "the code is under #if 0"
	case st.never():
		why = "no " + st.String() + " shader streams out"
	case driver != "" && t.Member != "" && !a.readers[driver]:
		why = "nothing in the driver " + driver + " reads " + t.Member
	default:
		return
	}
	f.Severity = Note
	f.Reason += "; " + why
}
