// Command gen records what real linkers make of declarations, as golden files
// for the tests of the front ends: see README.md.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/trace"
)

// shape is a line of the golden files.
type shape struct {
	Name string `json:"name"`
	// Case is the case of outflow translate, of OpenGL.
	Case json.RawMessage `json:"case,omitempty"`
	// GLSL is the sources by stage: vert, tesc, tese, geom. It is made from the
	// case where it is left out.
	GLSL map[string]string `json:"glsl,omitempty"`
	// Module is the SPIR-V binary of the last stage, of Vulkan.
	Module []byte `json:"module,omitempty"`
	// Recorded is the info by driver; one that could not link is left out.
	Recorded map[string]*frontend.InfoJSON `json:"recorded"`
}

// recorder keeps where it works.
type recorder struct{ work, here string }

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: gen gl|vulkan SHAPES.jsonl >GOLDEN.jsonl")
	}
	work, err := os.MkdirTemp("", "gen")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(work)
	r := &recorder{work, "testdata/translate/gen"}
	if err := r.run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func (r *recorder) run(api, shapes string) error {
	data, err := os.ReadFile(shapes)
	if err != nil {
		return err
	}
	record := r.recordGL
	if api == "vulkan" {
		record = r.recordVulkan
	}
	if err := r.build(); err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for line := range bytes.Lines(data) {
		var s shape
		if err := json.Unmarshal(line, &s); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		s.Recorded = make(map[string]*frontend.InfoJSON)
		if err := record(&s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		if err := out.Encode(&s); err != nil {
			return err
		}
	}
	return nil
}

func (r *recorder) build() error {
	for _, p := range [][]string{
		{"cc", "-std=gnu11", "-O1", "-Wall", "-o", r.path("link"), filepath.Join(r.here, "programs", "link.c"), "-lepoxy", "-lEGL"},
		{"cc", "-std=gnu11", "-O1", "-Wall", "-o", r.path("pipeline"), filepath.Join(r.here, "programs", "pipeline.c"), "-lvulkan"},
	} {
		if out, err := exec.Command(p[0], p[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w", out, err)
		}
	}
	return nil
}

func (r *recorder) path(name string) string { return filepath.Join(r.work, name) }

// write writes the sources of a shape and returns their names, in the order of
// stages.
func (r *recorder) write(s *shape) ([]string, error) {
	var names []string
	for _, stage := range []string{"vert", "tesc", "tese", "geom"} {
		if s.GLSL[stage] == "" {
			continue
		}
		name := r.path("shape." + stage)
		if err := os.WriteFile(name, []byte(s.GLSL[stage]), 0o644); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// recordGL links the shape on each driver.
func (r *recorder) recordGL(s *shape) error {
	var c struct {
		Mode     string
		Varyings []string
		Stage    string
	}
	if err := json.Unmarshal(s.Case, &c); err != nil {
		return err
	}
	if s.GLSL == nil {
		var err error
		if s.GLSL, err = sources(s.Case); err != nil {
			return err
		}
	}
	files, err := r.write(s)
	if err != nil {
		return err
	}
	mode := "interleaved"
	if c.Mode == "separate" {
		mode = c.Mode
	}
	args := slices.Concat([]string{mode}, c.Varyings, []string{"--"}, files)
	for _, driver := range []string{"llvmpipe", "softpipe"} {
		info, err := r.record(r.path("link"), args, "GALLIUM_DRIVER="+driver)
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() != 1 {
			fmt.Fprintf(os.Stderr, "%s: %s: %s\n", s.Name, driver, info)
			continue
		}
		if err != nil {
			return err
		}
		s.Recorded[driver] = info.info
	}
	return nil
}

// recordVulkan compiles the shape and makes a pipeline of it.
func (r *recorder) recordVulkan(s *shape) error {
	files, err := r.write(s)
	if err != nil {
		return err
	}
	var modules []string
	for _, f := range files {
		if out, err := exec.Command("glslangValidator", "-V", f, "-o", f+".spv").CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w", out, err)
		}
		modules = append(modules, f+".spv")
	}
	if s.Module, err = os.ReadFile(modules[len(modules)-1]); err != nil {
		return err
	}
	icd, err := filepath.Glob("/usr/share/vulkan/icd.d/lvp*.json")
	if err != nil || len(icd) == 0 {
		return errors.New("no lavapipe")
	}
	info, err := r.record(r.path("pipeline"), modules, "VK_ICD_FILENAMES="+icd[0])
	if err != nil {
		return fmt.Errorf("%w: %s", err, info)
	}
	s.Recorded["lavapipe"] = info.info
	return nil
}

// recording is the info of a run, and what the program printed.
type recording struct {
	info   *frontend.InfoJSON
	output string
}

func (r recording) String() string { return r.output }

// record runs a program under a trace and returns the info of the last vertex
// stage that it created.
func (r *recorder) record(program string, args []string, env ...string) (recording, error) {
	name := r.path("trace.xml")
	os.Remove(name)
	cmd := exec.Command(program, args...)
	cmd.Env = slices.Concat(os.Environ(), []string{"EGL_PLATFORM=surfaceless", "LIBGL_ALWAYS_SOFTWARE=1",
		"MESA_SHADER_CACHE_DISABLE=1", "GALLIUM_TRACE=" + name}, env)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return recording{output: string(out)}, err
	}
	info, err := lastInfo(name)
	return recording{info, string(out)}, err
}

// lastInfo returns the info of the last stage before rasterization, among those
// that a trace creates; of one stage the one that captures most.
func lastInfo(name string) (*frontend.InfoJSON, error) {
	t, err := trace.Open(name, trace.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var (
		decoder trace.Decoder
		op      pipe.Op
		best    *pipe.CreateShader
	)
	for rec, err := range t.Records() {
		if err != nil {
			return nil, err
		}
		if !decoder.Decode(rec, &op) {
			continue
		}
		c, ok := op.Call.(*pipe.CreateShader)
		if !ok || c.Stage != pipe.Vertex && c.Stage != pipe.TessEval && c.Stage != pipe.Geometry {
			continue
		}
		if best == nil || c.Stage > best.Stage || c.Stage == best.Stage && c.State.StreamOutput.NumOutputs >= best.State.StreamOutput.NumOutputs {
			best = &pipe.CreateShader{Stage: c.Stage, State: pipe.ShaderState{StreamOutput: c.State.StreamOutput}}
		}
	}
	if best == nil {
		return nil, errors.New("the trace creates no vertex stage")
	}
	return frontend.NewInfoJSON(&best.State.StreamOutput), nil
}

// member is an output of a case.
type member struct {
	Name      string
	Type      string
	Array     int
	Location  *int
	Component *int
	Stream    *int
	Written   *bool
	XfbBuffer *int
	XfbOffset *int
	XfbStride *int
}

// sources makes GLSL of a case without structures: the last stage declares and
// writes its outputs.
func sources(line []byte) (map[string]string, error) {
	var c struct {
		Stage   string
		Outputs []member
	}
	if err := json.Unmarshal(line, &c); err != nil {
		return nil, err
	}
	const plain = "void main() { gl_Position = vec4(gl_VertexID); }\n"
	head := "#version 330\n"
	for _, e := range []string{"ARB_separate_shader_objects", "ARB_enhanced_layouts", "ARB_gpu_shader_fp64", "ARB_gpu_shader5",
		"ARB_tessellation_shader", "ARB_cull_distance", "ARB_arrays_of_arrays"} {
		head += "#extension GL_" + e + " : enable\n"
	}
	body := declarations(c.Outputs) + "void main() {\n\tint k_ = 0;\n"
	g := map[string]string{}
	switch c.Stage {
	case "geometry":
		streams := writes(c.Outputs, "gl_PrimitiveIDIn")
		g["vert"] = head + plain
		g["geom"] = head + "layout(points) in;\nlayout(points, max_vertices = 4) out;\n" + body + streams
		highest := 0
		for _, o := range c.Outputs {
			if o.Stream != nil {
				highest = max(highest, *o.Stream)
			}
		}
		for s := range highest + 1 {
			if highest == 0 {
				g["geom"] += "\tEmitVertex();\n"
			} else {
				g["geom"] += fmt.Sprintf("\tEmitStreamVertex(%d);\n", s)
			}
		}
		g["geom"] += "}\n"
	case "tess_eval":
		g["vert"] = head + plain
		g["tesc"] = head + "layout(vertices = 3) out;\nvoid main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0; }\n"
		g["tese"] = head + "layout(triangles, point_mode) in;\n" + body + writes(c.Outputs, "gl_TessCoord.x") + "}\n"
	default:
		g["vert"] = head + body + writes(c.Outputs, "gl_VertexID") + "}\n"
	}
	return g, nil
}

// declarations declares outputs; those named "block.member" are gathered.
func declarations(outputs []member) string {
	var b strings.Builder
	builtins := ""
	for _, o := range outputs {
		if strings.HasPrefix(o.Name, "gl_") {
			array := ""
			if o.Array > 0 {
				array = fmt.Sprintf("[%d]", o.Array)
			}
			if o.Name == "gl_ClipDistance" || o.Name == "gl_CullDistance" || o.XfbOffset != nil {
				builtins += fmt.Sprintf("\t%s%s %s%s;\n", o.layout(), o.Type, o.Name, array)
			}
		}
	}
	if builtins != "" {
		for _, name := range []string{"vec4 gl_Position", "float gl_PointSize"} {
			if !strings.Contains(builtins, name) {
				builtins += "\t" + name + ";\n"
			}
		}
		b.WriteString("out gl_PerVertex {\n" + builtins + "};\n")
	}
	blocks := map[string]bool{}
	for _, o := range outputs {
		block, _, isMember := strings.Cut(o.Name, ".")
		switch {
		case strings.HasPrefix(o.Name, "gl_"):
		case !isMember:
			b.WriteString(o.layout() + "out " + o.declare(o.Name))
		case !blocks[block]:
			blocks[block] = true
			of := member{XfbBuffer: o.XfbBuffer, XfbStride: o.XfbStride}
			fmt.Fprintf(&b, "%sout %s {\n", of.layout(), block)
			for _, m := range outputs {
				if of, name, _ := strings.Cut(m.Name, "."); of == block {
					m.XfbBuffer, m.XfbStride = nil, nil
					b.WriteString("\t" + m.layout() + m.declare(name))
				}
			}
			fmt.Fprintf(&b, "} i_%s;\n", block)
		}
	}
	return b.String()
}

func (o *member) declare(name string) string {
	if o.Array > 0 {
		name += fmt.Sprintf("[%d]", o.Array)
	}
	return o.Type + " " + name + ";\n"
}

func (o *member) layout() string {
	var l []string
	for _, q := range []struct {
		name  string
		value *int
	}{{"location", o.Location}, {"component", o.Component}, {"stream", o.Stream}, {"xfb_buffer", o.XfbBuffer}, {"xfb_offset", o.XfbOffset}, {"xfb_stride", o.XfbStride}} {
		if q.value != nil {
			l = append(l, fmt.Sprintf("%s = %d", q.name, *q.value))
		}
	}
	if l == nil {
		return ""
	}
	return "layout(" + strings.Join(l, ", ") + ") "
}

// writes assigns to every output that is written.
func writes(outputs []member, seed string) string {
	var b strings.Builder
	for k, o := range outputs {
		if o.Written != nil && !*o.Written {
			continue
		}
		name := o.Name
		if block, m, ok := strings.Cut(name, "."); ok {
			name = "i_" + block + "." + m
		}
		value := fmt.Sprintf("%s(float(%s) + %d.5)", o.Type, seed, k)
		if o.Array > 0 {
			fmt.Fprintf(&b, "\tfor (k_ = 0; k_ < %d; k_++) %s[k_] = %s;\n", o.Array, name, value)
		} else {
			fmt.Fprintf(&b, "\t%s = %s;\n", name, value)
		}
	}
	return b.String()
}
