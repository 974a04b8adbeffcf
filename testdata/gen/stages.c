/* Scenarios about which shader stage is captured. */
#include "capture.h"
#include "scenarios.h"

void run_streams(const struct window *w)
{
	static const struct stages stages = {
		.vertex =
		"#version 330\n"
		"out float id;\n"
		"void main() { id = float(gl_VertexID); gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n",
		.geometry =
		"#version 330\n"
		"#extension GL_ARB_gpu_shader5 : require\n"
		"layout(points) in; layout(points, max_vertices = 7) out;\n"
		"in float id[];\n"
		"layout(stream = 0) out vec4 a; layout(stream = 1) out vec3 b;\n"
		"layout(stream = 2) out vec2 c; layout(stream = 3) out float d;\n"
		"void main() {\n"
		"	gl_Position = gl_in[0].gl_Position;\n"
		"	a = vec4(id[0], 0.0, 1.0, 2.0); EmitStreamVertex(0);\n"
		"	for (int i = 0; i < 2; i++) { b = vec3(id[0], float(i), 3.0); EmitStreamVertex(1); }\n"
		"	if (id[0] == 1.0) { c = vec2(id[0], 4.0); EmitStreamVertex(2); }\n"
		"	for (int i = 0; i < 3; i++) { d = id[0] * 10.0 + float(i); EmitStreamVertex(3); }\n"
		"}\n"};
	GLuint buffers[4];

	(void)w;
	build_program(&stages, VARYINGS("a", "gl_NextBuffer", "b", "gl_NextBuffer", "c", "gl_NextBuffer", "d"),
		      GL_INTERLEAVED_ATTRIBS);
	for (GLuint i = 0; i < 4; i++)
		buffers[i] = bind_capture(i, 64);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	EXPECT_FLOATS("stream 0", buffers[0], 0, 0, 0, 1, 2, 1, 0, 1, 2);
	EXPECT_FLOATS("stream 1", buffers[1], 0, 0, 0, 3, 0, 1, 3, 1, 0, 3, 1, 1, 3);
	EXPECT_FLOATS("stream 2", buffers[2], 0, 1, 4);
	EXPECT_FLOATS("stream 3", buffers[3], 0, 0, 1, 2, 10, 11, 12);
	expect_untouched("after stream 2", buffers[2], 8, 56);
}

void run_tessellation(const struct window *w)
{
	static const struct stages stages = {
		.vertex =
		"#version 330\n"
		"void main() { gl_Position = vec4(float(gl_VertexID), 0.0, 0.0, 1.0); }\n",
		.control =
		"#version 330\n"
		"#extension GL_ARB_tessellation_shader : require\n"
		"layout(vertices = 3) out;\n"
		"void main() {\n"
		"	gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
		"	gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;\n"
		"	gl_TessLevelInner[0] = 1.0;\n"
		"}\n",
		.evaluation =
		"#version 330\n"
		"#extension GL_ARB_tessellation_shader : require\n"
		"layout(triangles, equal_spacing, ccw) in;\n"
		"out vec3 coord; out float patch_id;\n"
		"void main() {\n"
		"	coord = gl_TessCoord; patch_id = float(gl_PrimitiveID);\n"
		"	gl_Position = gl_in[0].gl_Position;\n"
		"}\n"};
	GLuint buffer;

	(void)w;
	build_program(&stages, VARYINGS("coord", "patch_id"), GL_INTERLEAVED_ATTRIBS);
	glPatchParameteri(GL_PATCH_VERTICES, 3);
	buffer = bind_capture(0, 2 * 48 + 16);
	capture_arrays(GL_TRIANGLES, GL_PATCHES, 0, 6);
	for (int patch = 0; patch < 2; patch++) {
		float got[12], sum = 0;
		read_buffer(buffer, patch * 48, sizeof got, got);
		for (int vertex = 0; vertex < 3; vertex++) {
			const float *v = got + vertex * 4;
			if (v[0] + v[1] + v[2] != 1 || v[3] != (float)patch)
				fail("patch %d, vertex %d: (%g, %g, %g) of patch %g", patch, vertex,
				     v[0], v[1], v[2], v[3]);
			sum += v[0] + v[1] * 2 + v[2] * 4;
		}
		if (sum != 7)
			fail("patch %d: its three vertices are not the three corners", patch);
	}
	expect_untouched("after the second patch", buffer, 96, 16);
}

void run_adjacency(const struct window *w)
{
	static const struct stages stages = {
		.vertex =
		"#version 330\n"
		"out float id;\n"
		"void main() { id = float(gl_VertexID); gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n",
		.geometry =
		"#version 330\n"
		"layout(lines_adjacency) in; layout(line_strip, max_vertices = 3) out;\n"
		"in float id[]; out vec2 a;\n"
		"void main() {\n"
		"	gl_Position = gl_in[0].gl_Position;\n"
		"	for (int i = 0; i < 3; i++) { a = vec2(id[i], id[3]); EmitVertex(); }\n"
		"	EndPrimitive();\n"
		"}\n"};
	GLuint buffer;

	(void)w;
	build_program(&stages, VARYINGS("a"), GL_INTERLEAVED_ATTRIBS);
	buffer = bind_capture(0, 128);
	/* Five vertices of a strip with adjacency are two lines; the shader makes a strip of two lines from each. */
	capture_arrays(GL_LINES, GL_LINE_STRIP_ADJACENCY, 0, 5);
	EXPECT_FLOATS("line 0", buffer, 0, 0, 3, 1, 3, 1, 3, 2, 3);
	EXPECT_FLOATS("line 1", buffer, 32, 1, 4, 2, 4, 2, 4, 3, 4);
	expect_untouched("after the lines", buffer, 64, 64);
}
