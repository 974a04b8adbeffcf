/* Scenarios about how captured primitives are drawn. */
#include "capture.h"
#include "scenarios.h"

#include <string.h>

/* Captures gl_VertexID and gl_InstanceID as two ints. */
static const struct stages id_stages = {.vertex =
	"#version 330\n"
	"flat out ivec2 id;\n"
	"void main() {\n"
	"	id = ivec2(gl_VertexID, gl_InstanceID);\n"
	"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
	"}\n"};

enum { ID_SIZE = 8 };

/* Fails unless the buffer holds these vertex ids in this order, all of one instance, and nothing after them. */
static void expect_ids(const char *what, GLuint buffer, int instance, const int *ids, int count)
{
	for (int i = 0; i < count; i++)
		EXPECT_INTS(what, buffer, i * ID_SIZE, ids[i], instance);
	expect_untouched(what, buffer, count * ID_SIZE, ID_SIZE);
}

void run_modes(const struct window *w)
{
	/* Seven vertices: what a primitive type cannot use is dropped. Order within a primitive is that of the
	 * last-vertex provoking convention. */
	static const struct {
		const char *name;
		GLenum primitive, capture;
		int count, ids[24];
	} modes[] = {
		{"points", GL_POINTS, GL_POINTS, 7, {0, 1, 2, 3, 4, 5, 6}},
		{"lines", GL_LINES, GL_LINES, 6, {0, 1, 2, 3, 4, 5}},
		{"line strip", GL_LINE_STRIP, GL_LINES, 12, {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6}},
		{"line loop", GL_LINE_LOOP, GL_LINES, 14, {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 0}},
		{"triangles", GL_TRIANGLES, GL_TRIANGLES, 6, {0, 1, 2, 3, 4, 5}},
		{"triangle strip", GL_TRIANGLE_STRIP, GL_TRIANGLES, 15, {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6}},
		{"triangle fan", GL_TRIANGLE_FAN, GL_TRIANGLES, 15, {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6}},
		{"quads", GL_QUADS, GL_TRIANGLES, 6, {0, 1, 3, 1, 2, 3}},
		{"quad strip", GL_QUAD_STRIP, GL_TRIANGLES, 12, {2, 0, 3, 0, 1, 3, 4, 2, 5, 2, 3, 5}},
		{"polygon", GL_POLYGON, GL_TRIANGLES, 15, {1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6, 0}},
	};

	(void)w;
	build_program(&id_stages, VARYINGS("id"), GL_INTERLEAVED_ATTRIBS);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		GLuint buffer = bind_capture(0, 256);
		capture_arrays(modes[i].capture, modes[i].primitive, 0, 7);
		expect_ids(modes[i].name, buffer, 0, modes[i].ids, modes[i].count);
	}
}

void run_restart(const struct window *w)
{
	static const GLushort indices[] = {0, 1, 2, 3, 0xFFFF, 4, 5, 0xFFFF, 6, 7, 8};
	static const int strips[] = {10, 11, 12, 12, 11, 13, 16, 17, 18};
	GLuint elements = make_filled_buffer(indices, sizeof indices);
	GLuint buffer;

	(void)w;
	build_program(&id_stages, VARYINGS("id"), GL_INTERLEAVED_ATTRIBS);
	buffer = bind_capture(0, 128);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements);
	glEnable(GL_PRIMITIVE_RESTART);
	glPrimitiveRestartIndex(0xFFFF);
	glBeginTransformFeedback(GL_TRIANGLES);
	glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 11, GL_UNSIGNED_SHORT, NULL, 10);
	glEndTransformFeedback();
	expect_ids("strips", buffer, 0, strips, 9);
}

void run_instanced(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"layout(location = 0) in float per_instance;\n"
		"flat out ivec2 id; out float value;\n"
		"void main() {\n"
		"	id = ivec2(gl_VertexID, gl_InstanceID); value = per_instance;\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	static const float values[] = {0.5f, 1.5f, 2.5f};
	GLuint attribute = make_filled_buffer(values, sizeof values);
	GLuint buffer;

	(void)w;
	build_program(&stages, VARYINGS("id", "value"), GL_INTERLEAVED_ATTRIBS);
	bind_attribute(attribute, 1);
	glVertexAttribDivisor(0, 1);
	buffer = bind_capture(0, 3 * 2 * 12);
	glBeginTransformFeedback(GL_LINES);
	glDrawArraysInstanced(GL_LINES, 4, 2, 3);
	glEndTransformFeedback();
	for (int instance = 0; instance < 3; instance++)
		for (int vertex = 0; vertex < 2; vertex++) {
			GLintptr at = (instance * 2 + vertex) * 12;
			EXPECT_INTS("id", buffer, at, 4 + vertex, instance);
			EXPECT_FLOATS("value", buffer, at + 8, values[instance]);
		}
}

static void expect_pixel(const char *what, unsigned want)
{
	unsigned char pixel[4] = {0};

	glReadPixels(TARGET_SIZE / 2, TARGET_SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	if (pixel[0] != want)
		fail("%s: the pixel is %u, expected %u", what, pixel[0], want);
}

void run_discard(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"out vec2 corner;\n"
		"void main() {\n"
		"	corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;\n"
		"	gl_Position = vec4(corner, 0.0, 1.0);\n"
		"}\n"};
	GLuint buffer;

	(void)w;
	build_program(&stages, VARYINGS("corner"), GL_INTERLEAVED_ATTRIBS);
	glClear(GL_COLOR_BUFFER_BIT);

	glEnable(GL_RASTERIZER_DISCARD);
	buffer = bind_capture(0, 24);
	capture_arrays(GL_TRIANGLES, GL_TRIANGLES, 0, 3);
	EXPECT_FLOATS("discarded", buffer, 0, -1, -1, 3, -1, -1, 3);
	expect_pixel("discarded", 0);

	glDisable(GL_RASTERIZER_DISCARD);
	buffer = bind_capture(0, 24);
	capture_arrays(GL_TRIANGLES, GL_TRIANGLES, 0, 3);
	EXPECT_FLOATS("drawn", buffer, 0, -1, -1, 3, -1, -1, 3);
	expect_pixel("drawn", 255);
}

void run_overflow(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"flat out int a; flat out ivec2 b;\n"
		"void main() {\n"
		"	a = gl_VertexID; b = ivec2(gl_VertexID, -gl_VertexID);\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	GLuint a, b, generated, written;

	(void)w;
	build_program(&stages, VARYINGS("a", "b"), GL_SEPARATE_ATTRIBS);
	a = bind_capture(0, 256);
	b = make_buffer(256);
	/* Room for two triangles and a vertex: the third triangle goes to neither buffer. */
	glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 1, b, 16, 56);
	generated = begin_query(GL_PRIMITIVES_GENERATED, 0);
	written = begin_query(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 0);
	capture_arrays(GL_TRIANGLES, GL_TRIANGLES, 0, 12);
	glEndQuery(GL_PRIMITIVES_GENERATED);
	glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
	expect_query("generated", generated, 4);
	expect_query("written", written, 2);
	EXPECT_INTS("a", a, 0, 0, 1, 2, 3, 4, 5);
	expect_untouched("a, after two triangles", a, 24, 232);
	expect_untouched("b, before the offset", b, 0, 16);
	EXPECT_INTS("b", b, 16, 0, 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5);
	expect_untouched("b, after two triangles", b, 64, 192);
}
