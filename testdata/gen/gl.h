/* A surfaceless EGL display, its contexts, and the GL entry points the scenarios call. */
#ifndef GEN_GL_H
#define GEN_GL_H

#include <EGL/egl.h>
#include <GL/glcorearb.h>

/* Compatibility-profile primitives that the core header leaves out. */
#define GL_QUAD_STRIP 0x0008
#define GL_POLYGON 0x0009

#define GL_FUNCTIONS(X) \
	X(PFNGLATTACHSHADERPROC, glAttachShader) \
	X(PFNGLBEGINQUERYPROC, glBeginQuery) \
	X(PFNGLBEGINQUERYINDEXEDPROC, glBeginQueryIndexed) \
	X(PFNGLBEGINTRANSFORMFEEDBACKPROC, glBeginTransformFeedback) \
	X(PFNGLBINDBUFFERPROC, glBindBuffer) \
	X(PFNGLBINDBUFFERBASEPROC, glBindBufferBase) \
	X(PFNGLBINDBUFFERRANGEPROC, glBindBufferRange) \
	X(PFNGLBINDFRAMEBUFFERPROC, glBindFramebuffer) \
	X(PFNGLBINDRENDERBUFFERPROC, glBindRenderbuffer) \
	X(PFNGLBINDTRANSFORMFEEDBACKPROC, glBindTransformFeedback) \
	X(PFNGLBINDVERTEXARRAYPROC, glBindVertexArray) \
	X(PFNGLBUFFERDATAPROC, glBufferData) \
	X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, glCheckFramebufferStatus) \
	X(PFNGLCLEARPROC, glClear) \
	X(PFNGLCOMPILESHADERPROC, glCompileShader) \
	X(PFNGLCREATEPROGRAMPROC, glCreateProgram) \
	X(PFNGLCREATESHADERPROC, glCreateShader) \
	X(PFNGLDELETEBUFFERSPROC, glDeleteBuffers) \
	X(PFNGLDELETEPROGRAMPROC, glDeleteProgram) \
	X(PFNGLDELETEQUERIESPROC, glDeleteQueries) \
	X(PFNGLDELETESHADERPROC, glDeleteShader) \
	X(PFNGLDELETETRANSFORMFEEDBACKSPROC, glDeleteTransformFeedbacks) \
	X(PFNGLDISABLEPROC, glDisable) \
	X(PFNGLDRAWARRAYSPROC, glDrawArrays) \
	X(PFNGLDRAWARRAYSINSTANCEDPROC, glDrawArraysInstanced) \
	X(PFNGLDRAWELEMENTSBASEVERTEXPROC, glDrawElementsBaseVertex) \
	X(PFNGLDRAWELEMENTSINSTANCEDPROC, glDrawElementsInstanced) \
	X(PFNGLDRAWTRANSFORMFEEDBACKPROC, glDrawTransformFeedback) \
	X(PFNGLDRAWTRANSFORMFEEDBACKINSTANCEDPROC, glDrawTransformFeedbackInstanced) \
	X(PFNGLDRAWTRANSFORMFEEDBACKSTREAMPROC, glDrawTransformFeedbackStream) \
	X(PFNGLENABLEPROC, glEnable) \
	X(PFNGLENABLEVERTEXATTRIBARRAYPROC, glEnableVertexAttribArray) \
	X(PFNGLENDQUERYPROC, glEndQuery) \
	X(PFNGLENDQUERYINDEXEDPROC, glEndQueryIndexed) \
	X(PFNGLENDTRANSFORMFEEDBACKPROC, glEndTransformFeedback) \
	X(PFNGLFINISHPROC, glFinish) \
	X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, glFramebufferRenderbuffer) \
	X(PFNGLGENBUFFERSPROC, glGenBuffers) \
	X(PFNGLGENFRAMEBUFFERSPROC, glGenFramebuffers) \
	X(PFNGLGENQUERIESPROC, glGenQueries) \
	X(PFNGLGENRENDERBUFFERSPROC, glGenRenderbuffers) \
	X(PFNGLGENTRANSFORMFEEDBACKSPROC, glGenTransformFeedbacks) \
	X(PFNGLGENVERTEXARRAYSPROC, glGenVertexArrays) \
	X(PFNGLGETBUFFERSUBDATAPROC, glGetBufferSubData) \
	X(PFNGLGETERRORPROC, glGetError) \
	X(PFNGLGETINTEGERVPROC, glGetIntegerv) \
	X(PFNGLGETPROGRAMINFOLOGPROC, glGetProgramInfoLog) \
	X(PFNGLGETPROGRAMIVPROC, glGetProgramiv) \
	X(PFNGLGETQUERYOBJECTUIVPROC, glGetQueryObjectuiv) \
	X(PFNGLGETSHADERINFOLOGPROC, glGetShaderInfoLog) \
	X(PFNGLGETSHADERIVPROC, glGetShaderiv) \
	X(PFNGLGETSTRINGPROC, glGetString) \
	X(PFNGLGETSTRINGIPROC, glGetStringi) \
	X(PFNGLGETUNIFORMLOCATIONPROC, glGetUniformLocation) \
	X(PFNGLLINKPROGRAMPROC, glLinkProgram) \
	X(PFNGLPATCHPARAMETERIPROC, glPatchParameteri) \
	X(PFNGLPAUSETRANSFORMFEEDBACKPROC, glPauseTransformFeedback) \
	X(PFNGLPRIMITIVERESTARTINDEXPROC, glPrimitiveRestartIndex) \
	X(PFNGLPROVOKINGVERTEXPROC, glProvokingVertex) \
	X(PFNGLREADPIXELSPROC, glReadPixels) \
	X(PFNGLRENDERBUFFERSTORAGEPROC, glRenderbufferStorage) \
	X(PFNGLRESUMETRANSFORMFEEDBACKPROC, glResumeTransformFeedback) \
	X(PFNGLSHADERSOURCEPROC, glShaderSource) \
	X(PFNGLTRANSFORMFEEDBACKVARYINGSPROC, glTransformFeedbackVaryings) \
	X(PFNGLUNIFORM2FVPROC, glUniform2fv) \
	X(PFNGLUNIFORM4FVPROC, glUniform4fv) \
	X(PFNGLUSEPROGRAMPROC, glUseProgram) \
	X(PFNGLVERTEXATTRIBDIVISORPROC, glVertexAttribDivisor) \
	X(PFNGLVERTEXATTRIBPOINTERPROC, glVertexAttribPointer) \
	X(PFNGLVIEWPORTPROC, glViewport)

#define DECLARE(type, name) extern type name;
GL_FUNCTIONS(DECLARE)
#undef DECLARE

enum profile { CORE, COMPATIBILITY };

struct window { /* there is none: a display and a context that draws to a renderbuffer */
	EGLDisplay display;
	EGLContext context;
	enum profile profile;
};

/* Width and height in pixels of the renderbuffer that every context draws to. */
enum { TARGET_SIZE = 16 };

/* Opens the display with one current context, the newest version the driver has. */
struct window open_window(enum profile profile);

/* Makes a second context that shares objects with the first, and leaves it current. */
EGLContext open_shared_context(const struct window *w);

void make_current(const struct window *w, EGLContext context);
void close_window(const struct window *w);

/* Tells whether the current context names the extension. */
int has_extension(const char *name);

/* Both print one line and end the program: FAIL with 1, SKIP with 77. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails when GL has recorded an error since the last look. */
void check_gl(const char *what);

#endif
