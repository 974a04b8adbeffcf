/* Scenarios about which variables are captured, and where they lie in a vertex. */
#include "capture.h"
#include "scenarios.h"

#include <stdio.h>

void run_separate(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"out vec4 a; out vec2 b; flat out int c;\n"
		"void main() {\n"
		"	float id = float(gl_VertexID);\n"
		"	a = vec4(id, id + 0.25, id + 0.5, 1.0);\n"
		"	b = vec2(id - 8.0, id * 2.0);\n"
		"	c = gl_VertexID + 100;\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	GLuint a, b, c;

	(void)w;
	build_program(&stages, VARYINGS("a", "b", "c"), GL_SEPARATE_ATTRIBS);
	a = bind_capture(0, 64);
	b = bind_capture(1, 64);
	c = bind_capture(2, 64);
	capture_arrays(GL_TRIANGLES, GL_TRIANGLES, 0, 3);
	EXPECT_FLOATS("a", a, 0, 0, 0.25, 0.5, 1, 1, 1.25, 1.5, 1, 2, 2.25, 2.5, 1);
	EXPECT_FLOATS("b", b, 0, -8, 0, -7, 2, -6, 4);
	EXPECT_INTS("c", c, 0, 100, 101, 102);
	expect_untouched("a, after the triangle", a, 48, 16);
	expect_untouched("b, after the triangle", b, 24, 40);
	expect_untouched("c, after the triangle", c, 12, 52);
}

void run_interleaved(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"out vec3 a; out float b; out vec2 c;\n"
		"void main() {\n"
		"	float id = float(gl_VertexID);\n"
		"	a = vec3(id, id + 0.25, id + 0.5); b = -id; c = vec2(id * 4.0, id * 8.0);\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	const char *const *names = VARYINGS("gl_SkipComponents2", "a", "gl_SkipComponents1", "b",
		"gl_NextBuffer", "c", "gl_SkipComponents4");
	GLuint first, second;

	(void)w;
	build_program(&stages, names, GL_INTERLEAVED_ATTRIBS);
	first = bind_capture(0, 2 * 28);
	second = bind_capture(1, 2 * 24);
	capture_arrays(GL_LINES, GL_LINES, 1, 2);
	for (int vertex = 0; vertex < 2; vertex++) {
		float id = (float)vertex + 1;
		GLintptr at = vertex * 28;
		expect_untouched("the skip before a", first, at, 8);
		EXPECT_FLOATS("a", first, at + 8, id, id + 0.25f, id + 0.5f);
		expect_untouched("the skip after a", first, at + 20, 4);
		EXPECT_FLOATS("b", first, at + 24, -id);
		EXPECT_FLOATS("c", second, vertex * 24, id * 4, id * 8);
		expect_untouched("the skip after c", second, vertex * 24 + 8, 16);
	}
}

void run_qualifiers(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"#extension GL_ARB_enhanced_layouts : require\n"
		"layout(xfb_buffer = 1, xfb_stride = 32) out;\n"
		"layout(xfb_buffer = 1, xfb_offset = 4) out vec3 a;\n"
		"layout(xfb_buffer = 1, xfb_offset = 20) out vec2 b;\n"
		"layout(xfb_buffer = 0, xfb_offset = 8) out float c;\n"
		"layout(xfb_buffer = 3) out Block { layout(xfb_offset = 16) vec4 d; };\n"
		"void main() {\n"
		"	float id = float(gl_VertexID);\n"
		"	a = vec3(id, id + 0.25, id + 0.5); b = vec2(-id, id * 2.0); c = id + 9.0; d = vec4(id * 3.0);\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	GLuint buffers[4];

	(void)w;
	build_program(&stages, NULL, GL_NONE);
	buffers[0] = bind_capture(0, 24);
	buffers[1] = bind_capture(1, 64);
	buffers[3] = bind_capture(3, 64);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	for (int vertex = 0; vertex < 2; vertex++) {
		float id = (float)vertex;
		EXPECT_FLOATS("a", buffers[1], vertex * 32 + 4, id, id + 0.25f, id + 0.5f);
		EXPECT_FLOATS("b", buffers[1], vertex * 32 + 20, -id, id * 2);
		expect_untouched("the rest of the stride", buffers[1], vertex * 32 + 28, 4);
		EXPECT_FLOATS("c", buffers[0], vertex * 12 + 8, id + 9);
		expect_untouched("the gap before d", buffers[3], vertex * 32, 16);
		EXPECT_FLOATS("d", buffers[3], vertex * 32 + 16, id * 3, id * 3, id * 3, id * 3);
	}
}

void run_stride_only(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"#extension GL_ARB_enhanced_layouts : require\n"
		"layout(xfb_buffer = 0, xfb_stride = 16) out;\n"
		"out vec2 a;\n"
		"void main() { a = vec2(gl_VertexID); gl_Position = vec4(a, 0.0, 1.0); }\n"};
	GLuint buffer;

	(void)w;
	build_program(&stages, NULL, GL_NONE);
	buffer = bind_capture(0, 64);
	glDrawArrays(GL_POINTS, 0, 2);
	expect_untouched("the bound buffer", buffer, 0, 64);
}

void run_arrays(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"out float a[3]; out vec2 b[2]; out vec3 c[4];\n"
		"void main() {\n"
		"	float id = float(gl_VertexID);\n"
		"	for (int i = 0; i < 3; i++) a[i] = id + 10.0 * float(i);\n"
		"	for (int i = 0; i < 2; i++) b[i] = vec2(id, float(i));\n"
		"	for (int i = 0; i < 4; i++) c[i] = vec3(id, float(i), -1.0);\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	GLuint buffer;

	(void)w;
	build_program(&stages, VARYINGS("a", "b[1]", "c[3]", "c[0]"), GL_INTERLEAVED_ATTRIBS);
	buffer = bind_capture(0, 2 * 44);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	EXPECT_FLOATS("vertex 0", buffer, 0, 0, 10, 20, 0, 1, 0, 3, -1, 0, 0, -1);
	EXPECT_FLOATS("vertex 1", buffer, 44, 1, 11, 21, 1, 1, 1, 3, -1, 1, 0, -1);
}

void run_matrices(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"out mat2x3 a; out mat4 b;\n"
		"void main() {\n"
		"	float id = float(gl_VertexID);\n"
		"	a = mat2x3(id, 1.0, 2.0, 3.0, 4.0, 5.0);\n"
		"	b = mat4(id + 16.0);\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	GLuint a, b;

	(void)w;
	build_program(&stages, VARYINGS("a", "b"), GL_INTERLEAVED_ATTRIBS);
	a = bind_capture(0, 2 * 88);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	EXPECT_FLOATS("a, vertex 1", a, 88, 1, 1, 2, 3, 4, 5);
	EXPECT_FLOATS("b, vertex 1", a, 88 + 24, 17, 0, 0, 0, 0, 17, 0, 0, 0, 0, 17, 0, 0, 0, 0, 17);

	build_program(&stages, VARYINGS("b"), GL_SEPARATE_ATTRIBS);
	b = bind_capture(0, 64);
	capture_arrays(GL_POINTS, GL_POINTS, 3, 1);
	EXPECT_FLOATS("b, alone", b, 0, 19, 0, 0, 0, 0, 19, 0, 0, 0, 0, 19, 0, 0, 0, 0, 19);
}

void run_doubles(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"#extension GL_ARB_gpu_shader_fp64 : require\n"
		"flat out double a; flat out dvec2 b; flat out dvec3 c; flat out dvec4 d; out float e;\n"
		"void main() {\n"
		"	double id = double(gl_VertexID);\n"
		"	a = id + 0.125LF; b = dvec2(id, 1.0e100LF); c = dvec3(id, -id, 2.0LF);\n"
		"	d = dvec4(id, 3.0LF, 4.0LF, 5.0LF); e = float(gl_VertexID);\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};
	enum { STRIDE = 88 };
	GLuint buffer;

	(void)w;
	build_program(&stages, VARYINGS("a", "b", "c", "d", "e", "gl_SkipComponents1"), GL_INTERLEAVED_ATTRIBS);
	buffer = bind_capture(0, 2 * STRIDE);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	for (int vertex = 0; vertex < 2; vertex++) {
		double id = vertex;
		EXPECT_DOUBLES("a to d", buffer, vertex * STRIDE, id + 0.125, id, 1.0e100, id, -id, 2, id, 3, 4, 5);
		EXPECT_FLOATS("e", buffer, vertex * STRIDE + 80, (float)vertex);
		expect_untouched("the skip", buffer, vertex * STRIDE + 84, 4);
	}
}

void run_clip(const struct window *w)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[6]; };\n"
		"out float a;\n"
		"void main() {\n"
		"	float id = float(gl_VertexID);\n"
		"	for (int i = 0; i < 6; i++) gl_ClipDistance[i] = id - float(i);\n"
		"	gl_Position = vec4(id, 0.0, 0.0, 1.0); gl_PointSize = 2.0; a = id;\n"
		"}\n"};
	GLuint buffer;

	(void)w;
	for (GLenum plane = 0; plane < 6; plane++)
		glEnable(GL_CLIP_DISTANCE0 + plane);
	build_program(&stages, VARYINGS("gl_ClipDistance", "gl_Position", "a", "gl_PointSize"), GL_INTERLEAVED_ATTRIBS);
	buffer = bind_capture(0, 2 * 48);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	/* A vertex on the wrong side of a plane is clipped after capture, so both are there. */
	EXPECT_FLOATS("vertex 0", buffer, 0, 0, -1, -2, -3, -4, -5, 0, 0, 0, 1, 0, 2);
	EXPECT_FLOATS("vertex 1", buffer, 48, 1, 0, -1, -2, -3, -4, 1, 0, 0, 1, 1, 2);
}

/* Sources of a vertex shader that writes count vec4 and of a fragment shader that needs them all. */
static void write_wide_stages(int count, char *vertex, char *fragment, size_t size)
{
	snprintf(vertex, size,
		 "#version 330\n"
		 "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[8]; };\n"
		 "out vec4 v[%d];\n"
		 "void main() {\n"
		 "	float id = float(gl_VertexID);\n"
		 "	for (int i = 0; i < %d; i++) v[i] = vec4(id, float(i), id + 0.5, 1.0);\n"
		 "	for (int i = 0; i < 8; i++) gl_ClipDistance[i] = 1.0 + float(i);\n"
		 "	gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 1.0;\n"
		 "}\n", count, count);
	snprintf(fragment, size,
		 "#version 330\n"
		 "in vec4 v[%d]; out vec4 color;\n"
		 "void main() { color = vec4(0.0); for (int i = 0; i < %d; i++) color += v[i]; }\n", count, count);
}

void run_registers(const struct window *w)
{
	enum { SOURCE = 1024, CAPTURED = 15, STRIDE = (CAPTURED + 1) * 16 };
	char vertex[SOURCE], fragment[SOURCE], names[CAPTURED][16];
	const char *varyings[CAPTURED + 2] = {0};
	GLint components, count;
	GLuint buffer;

	(void)w;
	glGetIntegerv(GL_MAX_VARYING_COMPONENTS, &components);
	count = components / 4;
	if (count < CAPTURED)
		skip("registers: only %d varyings", count);
	write_wide_stages(count, vertex, fragment, SOURCE);
	/* The last ones, so that the register numbers are as high as they get. */
	for (int i = 0; i < CAPTURED; i++) {
		snprintf(names[i], sizeof names[i], "v[%d]", count - 1 - i);
		varyings[i] = names[i];
	}
	varyings[CAPTURED] = "gl_Position";
	build_program(&(struct stages){.vertex = vertex, .fragment = fragment}, varyings, GL_INTERLEAVED_ATTRIBS);
	buffer = bind_capture(0, 2 * STRIDE);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	for (int at = 0; at < 2; at++)
		for (int i = 0; i < CAPTURED; i++)
			EXPECT_FLOATS(names[i], buffer, at * STRIDE + i * 16,
				      (float)at, (float)(count - 1 - i), (float)at + 0.5f, 1);
}
