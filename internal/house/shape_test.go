package house

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// maxLines is how long a file may be that is neither a test nor generated.
const maxLines = 600

// emptyNames say nothing about what is inside.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "misc"}

// pkg is one folder with Go files.
type pkg struct {
	dir   string // within the module
	files []file
}

// file is what the checks want to know of a Go file.
type file struct {
	path      string
	test      bool
	generated bool
	lines     int
	name      string // of the package
	doc       string // the package comment
	imports   []string
	inits     bool // declares func init
	exports   bool // declares something exported
	examples  bool // has an Example with its output
}

// load reads the packages of a module's tree, in order. Folders of data, hidden
// ones and other modules are left out.
func load(tree fs.FS) ([]*pkg, error) {
	var packages []*pkg
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipped(tree, name)
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		f, err := readFile(tree, name)
		if err != nil {
			return err
		}
		if len(packages) == 0 || packages[len(packages)-1].dir != path.Dir(name) {
			packages = append(packages, &pkg{dir: path.Dir(name)})
		}
		last := packages[len(packages)-1]
		last.files = append(last.files, f)
		return nil
	})
	return merge(packages), err
}

// skipped returns fs.SkipDir for a folder that holds no package of the module.
func skipped(tree fs.FS, dir string) error {
	if dir == "." {
		return nil
	}
	base := path.Base(dir)
	if base == "testdata" || base[0] == '.' || base[0] == '_' {
		return fs.SkipDir
	}
	if _, err := fs.Stat(tree, path.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// merge joins the parts of a package whose files the walk met around a subfolder.
func merge(parts []*pkg) []*pkg {
	var all []*pkg
	byDir := map[string]*pkg{}
	for _, p := range parts {
		if first := byDir[p.dir]; first != nil {
			first.files = append(first.files, p.files...)
			continue
		}
		byDir[p.dir] = p
		all = append(all, p)
	}
	return all
}

func readFile(tree fs.FS, name string) (file, error) {
	f := file{path: name, test: strings.HasSuffix(name, "_test.go")}
	src, err := fs.ReadFile(tree, name)
	if err != nil {
		return f, err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return f, err
	}
	f.lines = bytes.Count(src, []byte("\n"))
	f.generated = ast.IsGenerated(parsed)
	f.name = parsed.Name.Name
	f.doc = parsed.Doc.Text()
	for _, imp := range parsed.Imports {
		imported, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return f, err
		}
		f.imports = append(f.imports, imported)
	}
	for _, d := range parsed.Decls {
		f.note(parsed, d)
	}
	return f, nil
}

// note takes from a declaration what the checks want to know.
func (f *file) note(parsed *ast.File, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			return
		}
		f.inits = f.inits || d.Name.Name == "init"
		f.exports = f.exports || d.Name.IsExported()
		if f.test && strings.HasPrefix(d.Name.Name, "Example") {
			f.examples = f.examples || hasOutput(parsed, d)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				f.exports = f.exports || s.Name.IsExported()
			case *ast.ValueSpec:
				f.exports = f.exports || slices.ContainsFunc(s.Names, (*ast.Ident).IsExported)
			}
		}
	}
}

// hasOutput says whether an example says what it prints, and so is run.
func hasOutput(parsed *ast.File, d *ast.FuncDecl) bool {
	return slices.ContainsFunc(parsed.Comments, func(c *ast.CommentGroup) bool {
		text := strings.ToLower(c.Text())
		return c.Pos() > d.Pos() && c.End() < d.End() &&
			(strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:"))
	})
}

// shapeFaults returns what is wrong with the packages apart from their imports.
func shapeFaults(packages []*pkg) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, p := range packages {
		if slices.Contains(emptyNames, path.Base(p.dir)) {
			fault("%s: the name says nothing", p.dir)
		}
		for _, f := range p.files {
			stem, _, _ := strings.Cut(strings.TrimSuffix(path.Base(f.path), ".go"), "_test")
			if slices.Contains(emptyNames, stem) {
				fault("%s: the name says nothing", f.path)
			}
			if f.lines > maxLines && !f.test && !f.generated {
				fault("%s: %d lines, at most %d", f.path, f.lines, maxLines)
			}
			if f.inits {
				fault("%s: declares init: lists are explicit, in order", f.path)
			}
			if slices.Contains(f.imports, "C") {
				fault("%s: imports C", f.path)
			}
		}
		faults = append(faults, introductionFaults(p)...)
	}
	return faults
}

// introductionFaults returns what a package lacks to introduce itself: a doc.go,
// and an example when there is something to use.
func introductionFaults(p *pkg) []string {
	var faults []string
	var documented, exports, examples, command bool
	for _, f := range p.files {
		examples = examples || f.examples
		if f.test {
			continue
		}
		command = f.name == "main"
		exports = exports || f.exports
		word := "Package " + f.name + " "
		if command {
			word = "Command " + path.Base(p.dir) + " "
		}
		if path.Base(f.path) == "doc.go" {
			documented = strings.HasPrefix(strings.ReplaceAll(f.doc, "\n", " "), word)
		}
	}
	if !documented {
		faults = append(faults, fmt.Sprintf("%s: no doc.go that introduces the package", p.dir))
	}
	if exports && !command && !examples {
		faults = append(faults, fmt.Sprintf("%s: no Example with its output", p.dir))
	}
	return faults
}

func TestShape(t *testing.T) {
	packages, err := load(root())
	require.NoError(t, err)
	for _, fault := range shapeFaults(packages) {
		t.Error(fault)
	}
}

// tree is a module's files by path.
type tree map[string]string

func (t tree) fs() fs.FS {
	m := fstest.MapFS{}
	for name, text := range t {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// with returns the tree with another file.
func (t tree) with(name, text string) tree {
	more := tree{name: text}
	for n, s := range t {
		if n != name {
			more[n] = s
		}
	}
	return more
}

func TestShapeFaultsAreSeen(t *testing.T) {
	good := tree{
		"a/doc.go":       "// Package a does.\npackage a\n",
		"a/a.go":         "package a\n\nfunc F() {}\n",
		"a/a_test.go":    "package a\n\nfunc ExampleF() {\n\t// Output:\n}\n",
		"cmd/x/doc.go":   "// Command x runs.\npackage main\n",
		"cmd/x/main.go":  "package main\n\nfunc main() {}\n",
		"testdata/t.go":  "this is not Go",
		"a/_old/o.go":    "nor is this",
		".hidden/h.go":   "nor this",
		"other/go.mod":   "module other\n",
		"other/other.go": "package util\n\nfunc init() {}\n",
	}
	long := "package a\n" + strings.Repeat("\n", maxLines)
	for _, tc := range []struct {
		name string
		tree tree
		want string
	}{
		{"nothing wrong", good, ""},
		{"no package comment", good.with("a/doc.go", "package a\n"), "a: no doc.go that introduces the package"},
		{"the comment of another package", good.with("a/doc.go", "// Package ab does.\npackage a\n"), "a: no doc.go that introduces the package"},
		{"a command that calls itself a package", good.with("cmd/x/doc.go", "// Package main runs.\npackage main\n"), "cmd/x: no doc.go that introduces the package"},
		{"an example that is not run", good.with("a/a_test.go", "package a\n\nfunc ExampleF() {}\n"), "a: no Example with its output"},
		{"output of another function", good.with("a/a_test.go", "package a\n\nfunc ExampleF() {}\n\nfunc g() {\n\t// Output:\n}\n"), "a: no Example with its output"},
		{"nothing exported needs no example", good.with("a/a_test.go", "package a\n").with("a/a.go", "package a\n"), ""},
		{"a long file", good.with("a/b.go", long), "a/b.go: 601 lines, at most 600"},
		{"a long test", good.with("a/b_test.go", long), ""},
		{"a long generated file", good.with("a/b.go", "// Code generated by x. DO NOT EDIT.\n"+long), ""},
		{"an init", good.with("a/b.go", "package a\n\nfunc init() {}\n"), "a/b.go: declares init: lists are explicit, in order"},
		{"an init in a test", good.with("a/b_test.go", "package a\n\nfunc init() {}\n"), "a/b_test.go: declares init: lists are explicit, in order"},
		{"a method called init", good.with("a/b.go", "package a\n\ntype t int\n\nfunc (t) init() {}\n"), ""},
		{"cgo", good.with("a/b.go", "package a\n\nimport \"C\"\n"), "a/b.go: imports C"},
		{"a file of helpers", good.with("a/helpers.go", "package a\n"), "a/helpers.go: the name says nothing"},
		{"a test of helpers", good.with("a/util_test.go", "package a\n"), "a/util_test.go: the name says nothing"},
		{"a package of utilities", good.with("a/util/doc.go", "// Package util does.\npackage util\n"), "a/util: the name says nothing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			packages, err := load(tc.tree.fs())
			require.NoError(t, err)
			require.Equal(t, tc.want, strings.Join(shapeFaults(packages), "\n"))
		})
	}
}
