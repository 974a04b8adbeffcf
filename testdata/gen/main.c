/* xfb: small transform feedback programs, one per subcommand, made to be traced. See README.md. */
#include "scenarios.h"

#include <stdio.h>
#include <string.h>

struct scenario {
	const char *name;
	const char *shows;
	void (*run)(const struct window *w);
	enum profile profile;
	const char *needs[3]; /* extensions without which it is skipped */
	int quiet; /* its output is data, so no PASS line */
};

static const struct scenario scenarios[] = {
	{"separate", "three variables in three buffers", run_separate, CORE, {0}, 0},
	{"interleaved", "one buffer with skips, then the next buffer", run_interleaved, CORE,
	 {"GL_ARB_transform_feedback3"}, 0},
	{"qualifiers", "xfb_buffer, xfb_offset and xfb_stride in the shader", run_qualifiers, CORE,
	 {"GL_ARB_enhanced_layouts"}, 0},
	{"stride-only", "a stride declared and nothing captured with it", run_stride_only, CORE,
	 {"GL_ARB_enhanced_layouts"}, 0},
	{"arrays", "whole arrays, one element, and elements out of order", run_arrays, CORE, {0}, 0},
	{"matrices", "mat2x3 and mat4", run_matrices, CORE, {0}, 0},
	{"doubles", "double, dvec2, dvec3 and dvec4", run_doubles, CORE, {"GL_ARB_gpu_shader_fp64"}, 0},
	{"clip", "gl_Position, gl_PointSize and six gl_ClipDistance", run_clip, CORE, {0}, 0},
	{"registers", "as many varyings as the driver has", run_registers, CORE, {0}, 0},
	{"streams", "a geometry shader with four streams, each to its own buffer", run_streams, CORE,
	 {"GL_ARB_gpu_shader5", "GL_ARB_transform_feedback3"}, 0},
	{"tessellation", "the evaluation shader is captured", run_tessellation, CORE,
	 {"GL_ARB_tessellation_shader"}, 0},
	{"adjacency", "a geometry shader fed with adjacency is captured", run_adjacency, CORE, {0}, 0},
	{"modes", "every primitive type, whole and with left-over vertices", run_modes, COMPATIBILITY, {0}, 0},
	{"restart", "indexed strips with primitive restart and a base vertex", run_restart, CORE, {0}, 0},
	{"instanced", "instances, with gl_InstanceID and a divisor", run_instanced, CORE, {0}, 0},
	{"discard", "rasterizer discard on and off", run_discard, CORE, {0}, 0},
	{"overflow", "buffers too small for what is drawn", run_overflow, CORE, {0}, 0},
	{"pause", "pause, another object meanwhile, resume", run_pause, CORE, {"GL_ARB_transform_feedback2"}, 0},
	{"drawauto", "as many vertices as were captured", run_drawauto, CORE, {"GL_ARB_transform_feedback2"}, 0},
	{"drawauto-stream", "the same by stream, and in instances", run_drawauto_stream, CORE,
	 {"GL_ARB_gpu_shader5", "GL_ARB_transform_feedback3", "GL_ARB_transform_feedback_instanced"}, 0},
	{"queries", "generated and written primitives, by stream", run_queries, CORE,
	 {"GL_ARB_gpu_shader5", "GL_ARB_transform_feedback3"}, 0},
	{"overflow-queries", "overflow of one stream and of any", run_overflow_queries, CORE,
	 {"GL_ARB_gpu_shader5", "GL_ARB_transform_feedback3", "GL_ARB_transform_feedback_overflow_query"}, 0},
	{"contexts", "two contexts that capture into one shared buffer", run_contexts, CORE, {0}, 0},
	{"lifetimes", "programs, buffers and objects deleted in use and made again", run_lifetimes, CORE,
	 {"GL_ARB_transform_feedback2"}, 0},
	{"cut", "killed inside a captured draw", run_cut, CORE, {0}, 0},
	{"cut-between", "killed between two calls of a capture", run_cut_between, CORE, {0}, 0},
	{"capture-grid", "captured bytes of many draws as JSON lines", run_capture_grid, COMPATIBILITY,
	 {"GL_ARB_transform_feedback2", "GL_ARB_transform_feedback3"}, 1},
	{"tess-grid", "tessellated points of many factors as JSON lines", run_tess_grid, CORE,
	 {"GL_ARB_tessellation_shader"}, 1},
};

enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static int list(void)
{
	for (int i = 0; i < SCENARIOS; i++)
		printf("%-18s%s\n", scenarios[i].name, scenarios[i].shows);
	return 0;
}

static int version(void)
{
	struct window w = open_window(CORE);

	printf("%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
	close_window(&w);
	return 0;
}

static int run(const struct scenario *s)
{
	struct window w = open_window(s->profile);

	for (size_t i = 0; i < sizeof s->needs / sizeof *s->needs && s->needs[i]; i++)
		if (!has_extension(s->needs[i]))
			skip("%s: the driver has no %s", s->name, s->needs[i]);
	s->run(&w);
	check_gl(s->name);
	if (!s->quiet)
		printf("PASS: %s\n", s->name);
	close_window(&w);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return list();
	if (argc == 2 && strcmp(argv[1], "version") == 0)
		return version();
	for (int i = 0; argc == 2 && i < SCENARIOS; i++)
		if (strcmp(argv[1], scenarios[i].name) == 0)
			return run(&scenarios[i]);
	fprintf(stderr, "usage: xfb SCENARIO | list | version\n");
	return 2;
}
