package source_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace/audit/source"
)

// header stands for p_state.h in trees that have it.
const header = `
#define MAX 4
struct pipe_stream_output { unsigned register_index:6; unsigned start_component:2; unsigned num_components:3;
   unsigned output_buffer:3; unsigned dst_offset:16; unsigned stream:2; };
struct pipe_stream_output_info {
   unsigned num_outputs;
   uint16_t stride[MAX];
   struct pipe_stream_output output[64];
};
struct pipe_shader_state {
   enum pipe_shader_ir type;
   const struct tgsi_token *tokens;
   union { void *native; void *nir; } ir;
   struct pipe_stream_output_info stream_output;
};
static inline void
pipe_shader_state_from_tgsi(struct pipe_shader_state *state, const struct tgsi_token *tokens)
{
   state->type = 0;
   state->tokens = tokens;
   memset(&state->stream_output, 0, sizeof(state->stream_output));
}
`

// brief gives the findings of a tree as "severity verdict function variable",
// one a line.
func brief(files map[string]string, opts source.Options) string {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	rep, err := source.Directory(tree, opts)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, f := range rep.Findings {
		fmt.Fprintf(&b, "%s %s %s %s\n", f.Severity, f.Verdict, f.Function, f.Variable)
	}
	return b.String()
}

type auditCase struct {
	name string
	src  string
	want string // lines of brief, without the final newline
	file string // instead of a.c
	bare bool   // the tree has no p_state.h
}

func runCases(t *testing.T, cases []auditCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			name := c.file
			if name == "" {
				name = "a.c"
			}
			files := map[string]string{name: c.src}
			if !c.bare {
				files["include/pipe/p_state.h"] = header
			}
			want := c.want
			if want != "" {
				want += "\n"
			}
			require.Equal(t, want, brief(files, source.Options{}))
		})
	}
}

func TestNotZeroed(t *testing.T) {
	const fault = "error not-zeroed f s"
	runCases(t, []auditCase{
		{name: "only tokens before create", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "no header in the tree", want: fault, bare: true,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "nothing written before create", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; c->create_vs_state(c, &s); }`},
		{name: "zero initialiser",
			src: `void f(struct ctx *c) { struct pipe_shader_state s = {0}; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "empty initialiser",
			src: `void f(struct ctx *c) { struct pipe_shader_state s = {}; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "first member initialised",
			src: `void f(struct ctx *c) { struct pipe_shader_state s = {PIPE_SHADER_IR_TGSI}; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "designated initialiser",
			src: `void f(struct ctx *c) { struct pipe_shader_state s = { .tokens = t, }; c->create_vs_state(c, &s); }`},
		{name: "brace initialiser of C++", file: "a.cpp",
			src: `void f(ctx *c) { pipe_shader_state s{}; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "no struct keyword in C++", file: "a.cpp", want: fault,
			src: `void f(ctx *c) { pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "memset", src: `void f(struct ctx *c) { struct pipe_shader_state s; memset(&s, 0, sizeof(s)); c->create_vs_state(c, &s); }`},
		{name: "memset, sizeof without parentheses",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; memset(&s, 0, sizeof s); s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "memset of the member",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; memset(&s.stream_output, 0, sizeof s.stream_output); c->create_vs_state(c, &s); }`},
		{name: "memset of another member", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; memset(&s.ir, 0, sizeof s.ir); c->create_vs_state(c, &s); }`},
		{name: "memset that ends before the member", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; memset(&s, 0, offsetof(struct pipe_shader_state, stream_output)); c->create_vs_state(c, &s); }`},
		{name: "memset of a pointer's size", want: "error not-zeroed f p",
			src: `void *f(void) { struct pipe_shader_state *p = MALLOC(sizeof *p); memset(p, 0, sizeof(p)); p->tokens = t; return p; }`},
		{name: "memset of another member's size", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; memset(&s, 0, sizeof(s.tokens)); c->create_vs_state(c, &s); }`},
		{name: "memset of a pointer type's size", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; memset(&s, 0, sizeof(struct pipe_shader_state *)); c->create_vs_state(c, &s); }`},
		{name: "attribute macro after the parameters", want: fault,
			src: `DEBUG_OPTION(x, "X", 0) static void f(struct ctx *c) ALIGN_STACK(16) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "in a macro call", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; CHECK(c->create_vs_state(c, &s)); }`},
		{name: "declaration with an attribute", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s __attribute__((aligned(16))); s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "apostrophe in dead text", want: fault,
			src: "#if 0\ndon't { read ( this\n#endif\nvoid f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }"},
		{name: "directive inside an argument list", want: fault,
			src: "void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = build(c,\n#ifdef A\n1,\n#endif\n2); c->create_vs_state(c, &s); }"},
		{name: "condition split by a directive", want: fault,
			src: "void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t;\n#ifdef A\nif (c->x)\n#endif\nc->create_vs_state(c, &s); }"},
		{name: "memset after the escape", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); memset(&s, 0, sizeof s); }`},
		{name: "member assigned",
			src: `void f(struct ctx *c, struct pipe_stream_output_info *so) { struct pipe_shader_state s; s.tokens = t; s.stream_output = *so; c->create_vs_state(c, &s); }`},
		{name: "whole assignment",
			src: `void f(struct ctx *c, struct pipe_shader_state *o) { struct pipe_shader_state s; s = *o; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "compound literal assigned",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s = (struct pipe_shader_state){ .tokens = t }; c->create_vs_state(c, &s); }`},
		{name: "memcpy whole",
			src: `void f(struct ctx *c, void *o) { struct pipe_shader_state s; memcpy(&s, o, sizeof s); c->create_vs_state(c, &s); }`},
		{name: "whole copy of an unset one", want: "error not-zeroed f s\nerror not-zeroed f u",
			src: `void f(struct ctx *c) { struct pipe_shader_state s, u; s.tokens = t; u = s; c->create_vs_state(c, &u); c->create_vs_state(c, &s); }`},
		{name: "static storage", src: `void f(struct ctx *c) { static struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "only a field by value", src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; translate(c, s.tokens); }`},
		{name: "helper of the tree clears the member",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; pipe_shader_state_from_tgsi(&s, t); c->create_vs_state(c, &s); }`},
		{name: "helper of a helper clears",
			src: `static void z2(struct pipe_shader_state *q) { memset(q, 0, sizeof *q); }
static void z1(struct pipe_shader_state *p, void *t) { z2(p); p->tokens = t; }
void f(struct ctx *c) { struct pipe_shader_state s; z1(&s, t); c->create_vs_state(c, &s); }`},
		{name: "helper sets tokens alone", want: fault,
			src: `static void put(struct pipe_shader_state *p, void *t) { p->tokens = t; }
void f(struct ctx *c) { struct pipe_shader_state s; put(&s, t); c->create_vs_state(c, &s); }`},
		{name: "helper passes it on", want: fault,
			src: `static void *make(struct ctx *c, const struct pipe_shader_state *p) { return c->create_vs_state(c, p); }
void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; make(c, &s); }`},
		{name: "helper that calls itself", want: fault,
			src: `static void r(struct ctx *c, struct pipe_shader_state *p, int n) { if (n) r(c, p, n - 1); c->create_vs_state(c, p); }
void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; r(c, &s, 3); }`},
		{name: "callee uses only tokens", want: "note not-zeroed f s",
			src: `static int size(const struct pipe_shader_state *p) { return count(p->tokens); }
void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; size(&s); }`},
		{name: "out-parameter of a function not seen",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; get_shader(c, &s); c->create_vs_state(c, &s); }`},
		{name: "function not seen may set it", want: "note not-zeroed f s",
			src: `void init_state(struct pipe_shader_state *s);
void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; init_state(&s); c->create_vs_state(c, &s); }`},
		{name: "macro clears",
			src: `#define CLEAR(x) memset(&(x), 0, sizeof(x))
void f(struct ctx *c) { struct pipe_shader_state s; CLEAR(s); s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "unset in one branch", want: fault,
			src: `void f(struct ctx *c, int z) { struct pipe_shader_state s; s.tokens = t;
if (z) { memset(&s, 0, sizeof s); c->create_vs_state(c, &s); } else { c->create_vs_state(c, &s); } }`},
		{name: "set on some way is not reported",
			src: `void f(struct ctx *c, int z) { struct pipe_shader_state s; s.tokens = t; if (z) memset(&s, 0, sizeof s); c->create_vs_state(c, &s); }`},
		{name: "goto over the clearing", want: fault,
			src: `void f(struct ctx *c, int z) { struct pipe_shader_state s; if (z) goto out; return; out: s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "switch over stages, all unset", want: fault,
			src: `void f(struct ctx *c, int z) { struct pipe_shader_state s; s.tokens = t;
switch (z) { case 0: return c->create_fs_state(c, &s); case 1: return c->create_vs_state(c, &s); default: return 0; } }`},
		{name: "clearing under #if 0 does not count", want: fault,
			src: "void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t;\n#if 0\nmemset(&s, 0, sizeof s);\n#endif\nc->create_vs_state(c, &s); }"},
		{name: "escape under #if 0 does not count",
			src: "void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t;\n#if 0\nc->create_vs_state(c, &s);\n#endif\n}"},
		{name: "function under #if 0", want: "note not-zeroed f s",
			src: "#if 0\nvoid f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }\n#endif\n"},
		{name: "cleared in one alternative, initialised in the other",
			src: "void f(struct ctx *c) { struct pipe_shader_state s;\n#ifdef A\nmemset(&s, 0, sizeof s);\n#else\ns = *c->x;\n#endif\nc->create_vs_state(c, &s); }"},
		{name: "two definitions under #if", want: fault,
			src: "#ifdef A\nvoid f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }\n#else\nvoid f(struct ctx *c) { struct pipe_shader_state s = {0}; c->create_vs_state(c, &s); }\n#endif\n"},
		{name: "two heads of one body", want: fault,
			src: "#ifdef A\nvoid f(struct ctx *c, int x) {\n#else\nvoid f(struct ctx *c) {\n#endif\nstruct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }\n"},
		{name: "function in a macro body", want: "error not-zeroed make_x_state s",
			src: "#define MAKE(x) \\\nvoid make_##x##_state(struct ctx *c) \\\n{ struct pipe_shader_state s; \\\n s.tokens = t; c->create_vs_state(c, &s); }\nMAKE(vs)\n"},
		{name: "attributes and macros before the name", want: fault,
			src: `PUBLIC INLINE void * __attribute__((noinline)) f(struct ctx *c) { UNUSED struct pipe_shader_state s; s.tokens = t; return c->create_vs_state(c, &s); }`},
		{name: "typedef", want: fault,
			src: `typedef struct pipe_shader_state state_t; void f(struct ctx *c) { state_t s; s.tokens = t; c->create_vs_state(c, &s); }`},
		{name: "array of states", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s[2]; s[0].tokens = t; c->create_vs_state(c, &s[0]); }`},
		{name: "array cleared", src: `void f(struct ctx *c) { struct pipe_shader_state s[2]; memset(s, 0, sizeof s); s[0].tokens = t; c->create_vs_state(c, &s[0]); }`},
		{name: "through a pointer to it", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; struct pipe_shader_state *p = &s; p->tokens = t; c->create_vs_state(c, p); }`},
		{name: "cleared through a pointer to it",
			src: `void f(struct ctx *c) { struct pipe_shader_state s, *p = &s; memset(p, 0, sizeof *p); c->create_vs_state(c, &s); }`},
		{name: "parameter made to point at it", want: "error not-zeroed f n\nwarning not-preserved f n",
			src: `void *f(struct ctx *c, const struct pipe_shader_state *templ) { struct pipe_shader_state n;
if (templ->type) { n.tokens = convert(templ->ir.nir); templ = &n; } return draw_create_vertex_shader(c, templ); }`},
		{name: "pointer used on another way",
			src: `void *f(struct ctx *c, const struct pipe_shader_state *templ) { struct pipe_shader_state n;
if (c->x) { memset(&n, 0, sizeof n); templ = &n; return c->create_vs_state(c, templ); } return c->create_vs_state(c, templ); }`},
		{name: "address in an argument struct", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; struct args a = { .state = &s }; submit(c, &a); }`},
		{name: "copied whole into a long-lived object", want: fault,
			src: `void f(struct prog *p) { struct pipe_shader_state s; s.tokens = t; p->state = s; }`},
		{name: "reference of C++ clears", file: "a.cpp",
			src: `static void clear(pipe_shader_state &s) { s = {}; }
void f(ctx *c) { pipe_shader_state s; clear(s); c->create_vs_state(c, &s); }`},
		{name: "method in a C++ header", file: "a.h", want: fault,
			src: `namespace x { template<typename T> struct device : public base { void *f(T *c) { pipe_shader_state s; s.tokens = t; return c->create_vs_state(c, &s); } }; }`},
		{name: "opaque handle", src: `void f(struct ctx *c) { struct pipe_shader_state *s = find(c); c->bind_vs_state(c, s); }`},
		{name: "shadowed names, inner one unset", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s = {0}; { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); } c->create_vs_state(c, &s); }`},
		{name: "sizeof is no escape", src: `void f(struct ctx *c) { struct pipe_shader_state s; hash(sizeof(s), sizeof s); }`},
		{name: "const init from a call", src: `void f(struct ctx *c) { struct pipe_shader_state s = make(); c->create_vs_state(c, &s); }`},
		{name: "only num_outputs", want: "warning partly-zeroed f s",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; s.stream_output.num_outputs = 0; c->create_vs_state(c, &s); }`},
		{name: "memset of num_outputs", want: "warning partly-zeroed f s",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; memset(&s.stream_output.num_outputs, 0, sizeof(unsigned)); c->create_vs_state(c, &s); }`},
		{name: "returned by value", want: fault,
			src: `struct pipe_shader_state f(void) { struct pipe_shader_state s; s.tokens = t; return s; }`},
		{name: "address after a cast and parentheses",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; memset((void *)&(s), 0, sizeof(s)); c->create_vs_state(c, &s); }`},
		{name: "filled field by field",
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; s.stream_output.num_outputs = n; s.stream_output.output[0].stream = 1; c->create_vs_state(c, &s); }`},
		{name: "strides alone", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; s.stream_output.stride[0] = 4; c->create_vs_state(c, &s); }`},
	})
}

func TestStages(t *testing.T) {
	create := func(call string) string {
		return `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; ` + call + ` }`
	}
	runCases(t, []auditCase{
		{name: "fragment is a note", src: create(`c->create_fs_state(c, &s);`), want: "note not-zeroed f s"},
		{name: "tess eval streams out", src: create(`c->create_tes_state(c, &s);`), want: "error not-zeroed f s"},
		{name: "tess control does not", src: create(`c->create_tcs_state(c, &s);`), want: "note not-zeroed f s"},
		{name: "geometry", src: create(`c->create_gs_state(c, &s);`), want: "error not-zeroed f s"},
		{name: "unknown", src: create(`c->create_state(c, &s);`), want: "error not-zeroed f s"},
		{name: "fragment or vertex is the worse", src: create(`c->create_fs_state(c, &s); c->create_vs_state(c, &s);`), want: "error not-zeroed f s"},
		{name: "the function's name tells", src: `void make_fragment(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; make(c, &s); }`,
			want: "note not-zeroed make_fragment s"},
	})
}

func TestHeap(t *testing.T) {
	alloc := func(expr string) string {
		return `void *f(void) { struct pipe_shader_state *p; p = ` + expr + `; p->tokens = t; return p; }`
	}
	const fault = "error not-zeroed f p"
	cases := []auditCase{
		{name: "only allocated and returned", want: "note not-zeroed f p",
			src: `void *f(void) { struct pipe_shader_state *p = malloc(sizeof *p); return p; }`},
		{name: "assigned in a condition", want: fault,
			src: `void *f(void) { struct pipe_shader_state *p; if (!(p = malloc(sizeof *p))) return NULL; p->tokens = t; return p; }`},
		{name: "chained assignment", want: fault,
			src: `void *f(void) { struct pipe_shader_state *p; void *q; p = q = malloc(sizeof *p); p->tokens = t; return p; }`},
		{name: "stored", want: fault,
			src: `void f(struct ctx *c) { struct pipe_shader_state *p = malloc(sizeof *p); p->tokens = t; c->vs = p; }`},
		{name: "freed is no escape",
			src: `void f(struct ctx *c) { struct pipe_shader_state *p = malloc(sizeof *p); p->tokens = t; FREE(p); }`},
		{name: "member of a container, returned", want: "error not-zeroed f c.base",
			src: `struct cont { int n; struct pipe_shader_state base; };
void *f(void) { struct cont *c = MALLOC_STRUCT(cont); c->base.tokens = t; return c; }`},
		{name: "member of a cleared container",
			src: `struct cont { int n; struct pipe_shader_state base; };
void *f(void) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = t; return c; }`},
		{name: "container untouched there",
			src: `struct cont { int n; struct pipe_shader_state base; };
void *f(void) { struct cont *c = MALLOC_STRUCT(cont); c->n = 1; return c; }`},
		{name: "container on the stack", want: "error not-zeroed f k.base",
			src: `struct cont { int n; struct pipe_shader_state base; };
void f(struct ctx *c) { struct cont k; k.base.tokens = t; c->create_vs_state(c, &k.base); }`},
		{name: "container cleared by a helper",
			src: `struct cont { int n; struct pipe_shader_state base; };
static void init(struct cont *k) { memset(k, 0, sizeof *k); }
void f(struct ctx *c) { struct cont k; init(&k); k.base.tokens = t; c->create_vs_state(c, &k.base); }`},
		{name: "allocator of the tree that clears",
			src: `static void *xmalloc(size_t n) { return calloc(1, n); }
void *f(void) { struct pipe_shader_state *p = xmalloc(sizeof *p); p->tokens = t; return p; }`},
		{name: "new of C++", file: "a.cpp", want: fault, src: `void *f() { pipe_shader_state *p = new pipe_shader_state; p->tokens = t; return p; }`},
		{name: "new with parentheses", file: "a.cpp", src: `void *f() { pipe_shader_state *p = new pipe_shader_state(); p->tokens = t; return p; }`},
	}
	for _, raw := range []string{"malloc(sizeof(*p))", "MALLOC(sizeof *p)", "MALLOC_STRUCT(pipe_shader_state)",
		"(struct pipe_shader_state *) MALLOC(sizeof(struct pipe_shader_state))", "ralloc(ctx, struct pipe_shader_state)",
		"ralloc_size(ctx, sizeof *p)", "align_malloc(sizeof *p, 16)"} {
		cases = append(cases, auditCase{name: raw, src: alloc(raw), want: fault})
	}
	for _, zero := range []string{"calloc(1, sizeof *p)", "CALLOC(1, sizeof(struct pipe_shader_state))", "CALLOC_STRUCT(pipe_shader_state)",
		"ST_CALLOC_STRUCT(pipe_shader_state)", "g_malloc0(sizeof *p)", "malloc_zeroed(sizeof *p)", "rzalloc(ctx, struct pipe_shader_state)", "vk_zalloc(a, sizeof *p, 8, 0)", "find_it(ctx)"} {
		cases = append(cases, auditCase{name: zero, src: alloc(zero)})
	}
	runCases(t, cases)
}

func TestNotPreserved(t *testing.T) {
	const cont = `struct cont { int n; struct pipe_shader_state base; struct pipe_stream_output_info so; };
struct priv { const void *tokens; void *nir; };
`
	const fault = "warning not-preserved f c->base"
	runCases(t, []auditCase{
		{name: "tokens alone", want: fault,
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = dup(templ->tokens); return c; }`},
		{name: "through a variable", want: fault,
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); struct nir_shader *s = templ->ir.nir; c->base.ir.nir = s; return c; }`},
		{name: "whole",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base = *templ; c->base.tokens = dup(templ->tokens); return c; }`},
		{name: "memcpy whole",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); memcpy(&c->base, templ, sizeof *templ); c->base.tokens = dup(templ->tokens); return c; }`},
		{name: "member copied under a condition",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = dup(templ->tokens);
if (templ->stream_output.num_outputs) c->base.stream_output = templ->stream_output; return c; }`},
		{name: "member kept elsewhere",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = dup(templ->tokens); c->so = templ->stream_output; return c; }`},
		{name: "member only tested", want: fault,
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); if (templ->stream_output.num_outputs) c->n = 1; c->base.tokens = dup(templ->tokens); return c; }`},
		{name: "member handed to a callee in a condition",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); if (!keep_so(c, &templ->stream_output)) return 0; c->base.tokens = dup(templ->tokens); return c; }`},
		{name: "reference of C++", file: "a.cpp", want: fault,
			src: cont + `void *f(const pipe_shader_state &templ) { cont *c = new cont(); c->base.tokens = dup(templ.tokens); return c; }`},
		{name: "member copied under #if 0", want: fault,
			src: cont + "void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = dup(templ->tokens);\n#if 0\nc->base.stream_output = templ->stream_output;\n#endif\nreturn c; }"},
		{name: "helper of the tree keeps it",
			src: cont + `static void keep(struct pipe_shader_state *d, const struct pipe_shader_state *s) { d->stream_output = s->stream_output; }
void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = dup(templ->tokens); keep(&c->base, templ); return c; }`},
		{name: "function not seen gets both",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = dup(templ->tokens); fill_rest(&c->base, templ); return c; }`},
		{name: "source is a member of a parameter", want: "warning not-preserved f n",
			src: cont + `void f(struct cont *c) { struct pipe_shader_state n = { .tokens = convert(c->base.tokens) }; c->n = make(&n); }`},
		{name: "an object's own tokens replaced",
			src: cont + `void f(struct cont *c) { c->base.tokens = optimise(c->base.tokens); }`},
		{name: "out-parameter", want: "warning not-preserved f d",
			src: `void f(struct pipe_shader_state *d, const struct pipe_shader_state *s) { d->type = s->type; d->tokens = s->tokens; }`},
		{name: "nothing of the source is taken",
			src: cont + `void *f(struct ctx *x, const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = passthrough(x); return c; }`},
		{name: "through a pointer to the new one", want: "warning not-preserved f d",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); struct pipe_shader_state *d = &c->base; d->tokens = dup(templ->tokens); return c; }`},
		{name: "whole by name, tokens through a pointer",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); struct pipe_shader_state *d = &c->base; c->base = *templ; d->tokens = dup(templ->tokens); return c; }`},
		{name: "a clone made by a function not seen",
			src: `void *f(const struct pipe_shader_state *templ) { struct pipe_shader_state *d = mem_dup(templ, sizeof *templ); d->tokens = dup(templ->tokens); return d; }`},
		{name: "the container copied whole",
			src: cont + `void *f(const struct cont *old) { struct cont *c = MALLOC_STRUCT(cont); *c = *old; c->base.tokens = dup(old->base.tokens); return c; }`},
		{name: "fragment", want: "note not-preserved make_fs c->base",
			src: cont + `void *make_fs(const struct pipe_shader_state *templ) { struct cont *c = CALLOC_STRUCT(cont); c->base.tokens = dup(templ->tokens); return c; }`},
		{name: "private struct", want: "note not-preserved f p",
			src: cont + `void *f(const struct pipe_shader_state *templ) { struct priv *p = CALLOC_STRUCT(priv); p->tokens = dup(templ->tokens); return p; }`},
		{name: "container not in the tree", want: "note not-preserved f p->shader",
			src: `void *f(const struct pipe_shader_state *templ) { struct gone *p = CALLOC_STRUCT(gone); p->shader.tokens = dup(templ->tokens); return p; }`},
		{name: "info copied in part", want: "warning not-preserved f d->base",
			src: `struct holder { struct pipe_stream_output_info base; };
void *f(const struct pipe_stream_output_info *templ) { struct holder *d = CALLOC_STRUCT(holder); d->base.num_outputs = templ->num_outputs;
memcpy(d->base.stride, templ->stride, sizeof templ->stride); return d; }`},
		{name: "info copied member by member",
			src: `struct holder { struct pipe_stream_output_info base; };
void *f(const struct pipe_stream_output_info *templ) { struct holder *d = CALLOC_STRUCT(holder); d->base.num_outputs = templ->num_outputs;
memcpy(d->base.stride, templ->stride, sizeof templ->stride); memcpy(d->base.output, templ->output, sizeof templ->output); return d; }`},
	})
}

func TestNotDumped(t *testing.T) {
	runCases(t, []auditCase{
		{name: "tokens alone", want: "warning not-dumped dump_shader s",
			src: `void dump_shader(FILE *f, const struct pipe_shader_state *s) { tgsi_dump(s->tokens, 0); }`},
		{name: "opaque", src: `void dump_shader(FILE *f, const struct pipe_shader_state *s) { fprintf(f, "%p", s); }`},
		{name: "not a dumper", src: `void compile(const struct pipe_shader_state *s) { use(s->tokens); }`},
		{name: "writes_ is not write", src: `bool shader_writes_psize(const struct pipe_shader_state *s) { return scan(s->tokens); }`},
		{name: "a field missing", want: "warning not-dumped dump_so so",
			src: `void dump_so(FILE *stream, const struct pipe_stream_output_info *so) { put(so->num_outputs, so->stride[0]);
for (i = 0; i < so->num_outputs; i++) { const struct pipe_stream_output *o = &so->output[i];
put(o->register_index, o->start_component, o->num_components, o->output_buffer, o->stream); } }`},
		{name: "all fields",
			src: `void dump_so(FILE *stream, const struct pipe_stream_output_info *so) { put(so->num_outputs, so->stride[0]);
for (i = 0; i < so->num_outputs; i++) { const struct pipe_stream_output *o = &so->output[i];
put(o->register_index, o->start_component, o->num_components, o->output_buffer, o->dst_offset, o->stream); } }`},
		{name: "a variable named as a field is not that field", want: "warning not-dumped dump_so so",
			src: `void dump_so(FILE *stream, const struct pipe_stream_output_info *so) { dump_member(stream, uint, so, num_outputs); dump_member_array(stream, uint, so, stride);
dump_member(stream, uint, &so->output[i], register_index); dump_member(stream, uint, &so->output[i], start_component);
dump_member(stream, uint, &so->output[i], num_components); dump_member(stream, uint, &so->output[i], output_buffer); dump_member(stream, uint, &so->output[i], dst_offset); }`},
		{name: "macro names every field",
			src: `void dump_so(FILE *stream, const struct pipe_stream_output_info *so) { dump_member(stream, uint, so, num_outputs); dump_member_array(stream, uint, so, stride);
dump_member(stream, uint, &so->output[i], register_index); dump_member(stream, uint, &so->output[i], start_component); dump_member(stream, uint, &so->output[i], stream);
dump_member(stream, uint, &so->output[i], num_components); dump_member(stream, uint, &so->output[i], output_buffer); dump_member(stream, uint, &so->output[i], dst_offset); }`},
		{name: "array written as bytes",
			src: `void write_so(struct blob *b, const struct pipe_shader_state *s) { blob_write_uint32(b, s->stream_output.num_outputs);
blob_write_bytes(b, s->stream_output.stride, sizeof s->stream_output.stride); blob_write_bytes(b, s->stream_output.output, sizeof s->stream_output.output); }`},
		{name: "member handed to another dumper",
			src: `void dump_so(FILE *f, const struct pipe_stream_output_info *so) { blob_write_bytes(f, so, sizeof *so); }
void dump_shader(FILE *f, const struct pipe_shader_state *s) { tgsi_dump(s->tokens, 0); dump_so(f, &s->stream_output); }`},
		{name: "handed on whole", src: `void dump_shader(FILE *f, const struct pipe_shader_state *s) { tgsi_dump(s->tokens, 0); print_rest(f, s); }`},
	})
}

// TestStaticNames holds two files that each have a helper of one name: a static
// one is seen in its own file alone.
func TestStaticNames(t *testing.T) {
	use := `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; prep(c, &s); c->create_vs_state(c, &s); }`
	clears := `void prep(struct ctx *c, struct pipe_shader_state *p) { memset(p, 0, sizeof *p); }`
	require.Empty(t, brief(map[string]string{"a.c": use, "b.c": clears}, source.Options{}), "another file's function clears")
	require.Equal(t, "error not-zeroed f s\n", brief(map[string]string{"a.c": use, "b.c": "static " + clears}, source.Options{}),
		"another file's static function is another one")
	require.Empty(t, brief(map[string]string{"a.c": use, "b.h": "static inline " + clears}, source.Options{}), "a header's static function is shared")
}

func TestDriverWithoutStreamOutput(t *testing.T) {
	const fault = `void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }`
	const reader = `int g(struct pipe_shader_state *s) { return s->stream_output.num_outputs; }`
	const writer = `void g(struct pipe_shader_state *s) { s->stream_output.num_outputs = 0; }`
	cases := []struct {
		name  string
		files map[string]string
		root  string
		want  string
	}{
		{"nothing reads it", map[string]string{"src/gallium/drivers/x/a.c": fault}, "", "note"},
		{"a plain write is no read", map[string]string{"src/gallium/drivers/x/a.c": fault, "src/gallium/drivers/x/b.c": writer}, "", "note"},
		{"another file reads it", map[string]string{"src/gallium/drivers/x/a.c": fault, "src/gallium/drivers/x/b.c": reader}, "", "error"},
		{"another driver reads it", map[string]string{"src/gallium/drivers/x/a.c": fault, "src/gallium/drivers/y/b.c": reader}, "", "note"},
		{"no driver's folder", map[string]string{"src/gallium/auxiliary/x/a.c": fault}, "", "error"},
		{"the directory is the driver's", map[string]string{"a.c": fault}, "/src/gallium/drivers/x", "note"},
		{"a folder with its own screen", map[string]string{
			"src/gallium/drivers/n/n3/a.c": fault, "src/gallium/drivers/n/n3/s.c": "void *n3_screen_create(void) { return 0; }",
			"src/gallium/drivers/n/n5/b.c": reader}, "", "note"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want+" not-zeroed f s\n", brief(c.files, source.Options{Root: c.root}))
		})
	}
}

func TestOwnStruct(t *testing.T) {
	opts := source.Options{Tracked: []source.Tracked{{Struct: "job", Member: "fence"}}}
	require.Equal(t, "error not-zeroed f j\n", brief(map[string]string{"a.c": `struct job { int kind; void *fence; };
void f(struct q *q) { struct job j; j.kind = 1; q->submit(q, &j); }
void g(struct q *q) { struct job j; j.kind = 1; j.fence = 0; q->submit(q, &j); }
void h(struct q *q) { struct pipe_shader_state s; s.tokens = 0; q->create_vs_state(q, &s); }`}, opts))
	require.Equal(t, "warning not-preserved f c\n", brief(map[string]string{"a.c": `struct job { int kind; void *fence; };
void f(struct q *q, const struct job *j) { struct job c = { .kind = j->kind }; q->submit(q, &c); }`}, opts))
	require.Equal(t, "warning not-dumped print_job j\n", brief(map[string]string{"a.c": `struct job { int kind; void *fence; };
void print_job(const struct job *j) { printf("%d", j->kind); }`}, opts))
}

func TestInfoByItself(t *testing.T) {
	runCases(t, []auditCase{
		{name: "unset", want: "error not-zeroed f so",
			src: `void f(struct ctx *c) { struct pipe_stream_output_info so; so.stride[0] = 4; emit(c, &so); }`},
		{name: "cleared by the callee",
			src: `static void conv(struct pipe_stream_output_info *so) { memset(so, 0, sizeof *so); }
void f(struct ctx *c) { struct pipe_stream_output_info so; conv(&so); emit(c, &so); }`},
		{name: "count alone", want: "warning partly-zeroed f so",
			src: `void f(struct ctx *c) { struct pipe_stream_output_info so; so.num_outputs = 0; emit(c, &so); }`},
	})
}

func TestFindingPlace(t *testing.T) {
	rep := source.File("x/a.c", "void f(struct ctx *c)\n{\n   struct pipe_shader_state s;\n\n   s.tokens = t;\n   c->create_vs_state(c, &s);\n}\n", source.Options{})
	require.Len(t, rep.Findings, 1)
	f := rep.Findings[0]
	require.Equal(t, "x/a.c:3: error: not-zeroed: f: s: stream_output is never set before it is passed to create_vs_state at line 6", f.Text())
	require.Equal(t, []source.Step{{3, "s is declared here"}, {5, "written here, stream_output is not"}, {6, "passed to create_vs_state here"}}, f.Path)
	require.Equal(t, "vertex", f.Stage)
	require.NotContains(t, f.Key(), "3", "the key outlives a move in the file")
}
