/* Captured tessellation of many factors, each printed as one line of JSON: the factors, and the vertices in order. */
#include "capture.h"
#include "scenarios.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct factors {
	float outer[4], inner[2];
};

static const struct factors factor_sets[] = {
	{{1, 1, 1, 1}, {1, 1}},
	{{2, 3, 4, 5}, {6, 7}},
	{{1, 1, 1, 1}, {3, 3}},
	{{1, 1, 1, 1}, {2, 1}},
	{{3.5f, 1.25f, 2.75f, 4.125f}, {2.5f, 5.5f}},
	{{8, 8, 8, 8}, {8, 8}},
	{{7, 1, 3, 9}, {1, 1}},
	{{0.5f, 0.25f, 0.75f, 0.125f}, {0.5f, 0.25f}},
	{{5, 5, 5, 5}, {1, 4}},
	{{5, 5, 5, 5}, {4, 1}},
	{{16, 2, 11, 7}, {9, 12}},
	{{1.5f, 1, 1, 1}, {1.0001f, 1}},
	{{2.0001f, 1.9999f, 2.9999f, 3.0001f}, {4.0001f, 3.9999f}},
	{{1, 2, 1, 2}, {5.3f, 1.7f}},
	/* A patch with an outer factor that is not above zero is discarded. */
	{{0, 1, 1, 1}, {1, 1}},
	{{1, -2, 1, 1}, {3, 3}},
	{{1, 1, NAN, 1}, {3, 3}},
	{{1, 1, 1, 0}, {3, 3}},
	{{3, 3, 3, 3}, {0, -1}},
	{{3, 3, 3, 3}, {NAN, 2}},
};

/* One of a series whose factors all grow, each at its own pace. */
static struct factors series(int i)
{
	float x = (float)i;

	return (struct factors){{1 + x * 0.375f, 1 + x * 0.55f, 1 + x * 0.8f, 1 + x * 0.3f},
				{1 + x * 0.7f, 1 + x * 0.45f}};
}

enum { SERIES = 16 };

/* At and above the largest factor: many vertices, so only in point mode with equal spacing. */
static const struct factors largest = {{64, 100, 63, INFINITY}, {64, 65}};

static const char *const domains[] = {"triangles", "quads", "isolines"};
static const char *const spacings[] = {"equal", "fractional_odd", "fractional_even"};

struct tessellator {
	const char *domain, *spacing;
	int point_mode, ccw;
	GLint outer, inner; /* uniform locations */
	GLuint buffer;
};

/* Bytes: 64 by 64 quads, two triangles each, three vertices of three floats. */
enum { BUFFER_SIZE = 64 * 64 * 2 * 3 * 12 };

static void build_tessellator(struct tessellator *t)
{
	struct stages stages = {
		.vertex =
		"#version 330\n"
		"void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n",
		.control =
		"#version 330\n"
		"#extension GL_ARB_tessellation_shader : require\n"
		"layout(vertices = 1) out;\n"
		"uniform vec4 outer; uniform vec2 inner;\n"
		"void main() {\n"
		"	for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = outer[i];\n"
		"	for (int i = 0; i < 2; i++) gl_TessLevelInner[i] = inner[i];\n"
		"}\n"};
	char evaluation[512];
	GLuint program;

	snprintf(evaluation, sizeof evaluation,
		 "#version 330\n"
		 "#extension GL_ARB_tessellation_shader : require\n"
		 "layout(%s, %s_spacing, %s%s) in;\n"
		 "out vec3 coord;\n"
		 "void main() { coord = gl_TessCoord; gl_Position = vec4(coord, 1.0); }\n",
		 t->domain, t->spacing, t->ccw ? "ccw" : "cw", t->point_mode ? ", point_mode" : "");
	stages.evaluation = evaluation;
	program = build_program(&stages, VARYINGS("coord"), GL_INTERLEAVED_ATTRIBS);
	t->outer = glGetUniformLocation(program, "outer");
	t->inner = glGetUniformLocation(program, "inner");
}

static GLenum captured_primitive(const struct tessellator *t)
{
	if (t->point_mode)
		return GL_POINTS;
	return strcmp(t->domain, "isolines") == 0 ? GL_LINES : GL_TRIANGLES;
}

/* Draws one patch and returns how many vertices were captured. */
static GLuint tessellate(const struct tessellator *t, const struct factors *f)
{
	GLenum primitive = captured_primitive(t);
	GLuint vertices = primitive == GL_POINTS ? 1 : primitive == GL_LINES ? 2 : 3;
	GLuint written;

	glUniform4fv(t->outer, 1, f->outer);
	glUniform2fv(t->inner, 1, f->inner);
	written = begin_query(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 0);
	capture_arrays(primitive, GL_PATCHES, 0, 1);
	glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
	return query_result(written) * vertices;
}

static void print_bits(const float *values, int count, const char *separator)
{
	for (int i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		printf("%s%08x", i ? separator : "", bits);
	}
}

static void print_vertices(GLuint buffer, GLuint count)
{
	float *coords = malloc(count * 12 + 1);

	if (!coords)
		fail("no memory for %u vertices", count);
	if (count)
		read_buffer(buffer, 0, count * 12, coords);
	for (GLuint i = 0; i < count; i++) {
		printf("%s\"", i ? "," : "");
		print_bits(coords + i * 3, 3, "");
		putchar('"');
	}
	free(coords);
}

static void run_patch(const struct tessellator *t, const struct factors *f)
{
	static const char *const names[] = {[GL_POINTS] = "points", [GL_LINES] = "lines", [GL_TRIANGLES] = "triangles"};
	GLuint vertices = tessellate(t, f);

	printf("{\"domain\":\"%s\",\"spacing\":\"%s\",\"pointMode\":%s,\"ccw\":%s,\"outer\":[\"", t->domain, t->spacing,
	       t->point_mode ? "true" : "false", t->ccw ? "true" : "false");
	print_bits(f->outer, 4, "\",\"");
	printf("\"],\"inner\":[\"");
	print_bits(f->inner, 2, "\",\"");
	printf("\"],\"primitive\":\"%s\",\"coords\":[", names[captured_primitive(t)]);
	print_vertices(t->buffer, vertices);
	printf("]}\n");
}

static void run_tessellator(struct tessellator t)
{
	build_tessellator(&t);
	for (size_t i = 0; i < sizeof factor_sets / sizeof *factor_sets; i++)
		run_patch(&t, &factor_sets[i]);
	for (int i = 0; i < SERIES; i++) {
		struct factors f = series(i);
		run_patch(&t, &f);
	}
	if (t.point_mode && t.ccw && strcmp(t.spacing, "equal") == 0)
		run_patch(&t, &largest);
}

void run_tess_grid(const struct window *w)
{
	GLuint buffer = bind_capture(0, BUFFER_SIZE);

	(void)w;
	glEnable(GL_RASTERIZER_DISCARD);
	glPatchParameteri(GL_PATCH_VERTICES, 1);
	for (int domain = 0; domain < 3; domain++)
		for (int spacing = 0; spacing < 3; spacing++)
			for (int choice = 0; choice < 4; choice++)
				run_tessellator((struct tessellator){
					.domain = domains[domain], .spacing = spacings[spacing],
					.point_mode = choice >> 1, .ccw = choice & 1, .buffer = buffer});
}
