#include "gl.h"

#include <EGL/eglext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFINE(type, name) type name;
GL_FUNCTIONS(DEFINE)
#undef DEFINE

static _Noreturn void end(int code, const char *word, const char *format, va_list args)
{
	printf("%s: ", word);
	vprintf(format, args);
	putchar('\n');
	exit(code);
}

void fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	end(1, "FAIL", format, args);
}

void skip(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	end(77, "SKIP", format, args);
}

void check_gl(const char *what)
{
	GLenum error = glGetError();
	if (error != GL_NO_ERROR)
		fail("%s: GL error 0x%04x", what, error);
}

static void load_functions(void)
{
	/* Functions of versions the driver lacks stay NULL or inert: scenarios ask for the extension first. */
#define LOAD(type, name) name = (type)eglGetProcAddress(#name);
	GL_FUNCTIONS(LOAD)
#undef LOAD
}

static EGLContext create_context(EGLDisplay display, enum profile profile, EGLContext share)
{
	static const EGLint versions[][2] = {{4, 6}, {4, 5}, {4, 3}, {4, 0}, {3, 3}};
	EGLint bit = profile == CORE ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT
				     : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT;

	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
		const EGLint attributes[] = {
			EGL_CONTEXT_MAJOR_VERSION, versions[i][0],
			EGL_CONTEXT_MINOR_VERSION, versions[i][1],
			EGL_CONTEXT_OPENGL_PROFILE_MASK, bit,
			EGL_NONE,
		};
		EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, share, attributes);
		if (context != EGL_NO_CONTEXT)
			return context;
	}
	skip("no OpenGL 3.3 %s context", profile == CORE ? "core" : "compatibility");
}

/* A context without a surface has no framebuffer to draw to, and framebuffers and vertex arrays are not shared. */
static void bind_target(void)
{
	GLuint framebuffer, renderbuffer, array;

	glGenRenderbuffers(1, &renderbuffer);
	glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, TARGET_SIZE, TARGET_SIZE);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		fail("the framebuffer is incomplete");
	glViewport(0, 0, TARGET_SIZE, TARGET_SIZE);
	glGenVertexArrays(1, &array);
	glBindVertexArray(array);
	check_gl("bind_target");
}

struct window open_window(enum profile profile)
{
	struct window w = {.profile = profile};

	w.display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (w.display == EGL_NO_DISPLAY || !eglInitialize(w.display, NULL, NULL))
		fail("no surfaceless EGL display");
	if (!eglBindAPI(EGL_OPENGL_API))
		fail("this EGL has no OpenGL");
	w.context = create_context(w.display, profile, EGL_NO_CONTEXT);
	make_current(&w, w.context);
	load_functions();
	bind_target();
	return w;
}

EGLContext open_shared_context(const struct window *w)
{
	EGLContext context = create_context(w->display, w->profile, w->context);
	make_current(w, context);
	bind_target();
	return context;
}

void make_current(const struct window *w, EGLContext context)
{
	if (!eglMakeCurrent(w->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		fail("eglMakeCurrent: EGL error 0x%04x", eglGetError());
}

void close_window(const struct window *w)
{
	make_current(w, EGL_NO_CONTEXT);
	eglDestroyContext(w->display, w->context);
	eglTerminate(w->display);
}

int has_extension(const char *name)
{
	GLint count = 0;

	glGetIntegerv(GL_NUM_EXTENSIONS, &count);
	for (GLint i = 0; i < count; i++)
		if (strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), name) == 0)
			return 1;
	return 0;
}
