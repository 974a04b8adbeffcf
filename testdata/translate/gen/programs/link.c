/* Links one OpenGL program and draws with it, so that a trace holds the stream output info of its last vertex stage.
 *
 *   link separate|interleaved [VARYING...] -- FILE.vert [FILE.tesc FILE.tese] [FILE.geom]
 *
 * Exit: 0 drawn, 3 when the shaders do not compile or link (the log is printed), 1 for anything else. */
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(int code, const char *what)
{
	printf("%s\n", what);
	exit(code);
}

static void open_context(void)
{
	static const EGLint attributes[] = {
		EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
		EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE,
	};
	static const EGLint older[] = {
		EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
		EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE,
	};
	EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
		fail(1, "no surfaceless EGL");
	EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
	if (context == EGL_NO_CONTEXT)
		context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, older);
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		fail(1, "no context");
}

static char *read_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	if (!f)
		fail(1, name);
	char *text = calloc(1, 1 << 16);
	if (fread(text, 1, (1 << 16) - 1, f) == 0)
		fail(1, name);
	fclose(f);
	return text;
}

static GLenum stage_of(const char *name)
{
	static const struct {
		const char *suffix;
		GLenum stage;
	} stages[] = {
		{".vert", GL_VERTEX_SHADER}, {".tesc", GL_TESS_CONTROL_SHADER}, {".tese", GL_TESS_EVALUATION_SHADER},
		{".geom", GL_GEOMETRY_SHADER},
	};
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
		if (strstr(name, stages[i].suffix))
			return stages[i].stage;
	fail(1, name);
}

static void attach(GLuint program, const char *name)
{
	char log[4096] = "";
	GLint ok;
	const char *text = read_file(name);
	GLuint shader = glCreateShader(stage_of(name));
	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	if (!ok) {
		glGetShaderInfoLog(shader, sizeof log, NULL, log);
		fail(3, log);
	}
	glAttachShader(program, shader);
}

int main(int argc, char **argv)
{
	char log[4096] = "";
	GLint ok;
	int at = 2, patches = 0;
	GLuint array, framebuffer, renderbuffer;

	open_context();
	GLuint program = glCreateProgram();
	while (at < argc && strcmp(argv[at], "--") != 0)
		at++;
	if (at + 2 == argc) /* outputs of a lone vertex shader stay, though no stage reads them */
		glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
	if (at > 2) {
		glTransformFeedbackVaryings(program, at - 2, (const char *const *)argv + 2,
			strcmp(argv[1], "separate") == 0 ? GL_SEPARATE_ATTRIBS : GL_INTERLEAVED_ATTRIBS);
		if (glGetError() != GL_NO_ERROR)
			fail(3, "glTransformFeedbackVaryings");
	}
	for (at++; at < argc; at++) {
		attach(program, argv[at]);
		patches |= strstr(argv[at], ".tese") != NULL;
	}
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	if (!ok) {
		glGetProgramInfoLog(program, sizeof log, NULL, log);
		fail(3, log);
	}
	glUseProgram(program);
	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	glGenRenderbuffers(1, &renderbuffer);
	glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
	glEnable(GL_RASTERIZER_DISCARD);
	if (patches)
		glPatchParameteri(GL_PATCH_VERTICES, 3);
	glDrawArrays(patches ? GL_PATCHES : GL_POINTS, 0, 3);
	glFinish();
	return glGetError() == GL_NO_ERROR ? 0 : 1;
}
