//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mesaEnvironment starts an X server for Mesa's software driver, or skips the
// test where a program is missing.
func mesaEnvironment(t *testing.T, programs ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs Mesa for a while")
	}
	for _, p := range append(programs, "Xvfb") {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not here (Debian: mesa-utils, xvfb, libgl1-mesa-dri, piglit)", filepath.Base(p))
		}
	}
	read, write, err := os.Pipe()
	require.NoError(t, err)
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	write.Close()
	display, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Skip("Xvfb does not start")
	}
	return append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(display), "LIBGL_ALWAYS_SOFTWARE=1", "GALLIUM_DRIVER=llvmpipe",
		"MESA_SHADER_CACHE_DISABLE=true", "GALLIUM_TRACE_NIR=1000000")
}

// anyAddress is what differs between two runs of one program.
var anyAddress = regexp.MustCompile(`0x[0-9a-f]+`)

// results are the findings and the summary of a check in JSON, without what
// differs from run to run.
func results(t *testing.T, text []byte) (findings []string, summary map[string]any) {
	t.Helper()
	for line := range bytes.Lines(text) {
		var o map[string]any
		require.NoError(t, json.Unmarshal(line, &o), "%s", line)
		if o["type"] == "summary" {
			delete(o, "trace")
			summary = o
			continue
		}
		rule, _ := o["rule"].(string)
		message, _ := o["message"].(string)
		findings = append(findings, rule+": "+anyAddress.ReplaceAllString(message, "0x"))
	}
	require.NotNil(t, summary, "no summary: %s", text)
	return findings, summary
}

// TestRunPiglit holds that a live check finds what the check of a file of the same
// program finds.
func TestRunPiglit(t *testing.T) {
	folders, err := filepath.Glob("/usr/lib/*/piglit/bin")
	require.NoError(t, err)
	if len(folders) == 0 {
		t.Skip("piglit is not here")
	}
	env := mesaEnvironment(t)
	for _, words := range []string{
		"ext_transform_feedback-interleaved", "ext_transform_feedback-separate", "ext_transform_feedback-alignment 0",
		"ext_transform_feedback-change-size base-grow", "ext_transform_feedback-builtin-varyings gl_Position",
		"ext_transform_feedback-geometry-shaders-basic", "ext_transform_feedback-order arrays points",
		"arb_transform_feedback2-draw-auto", "arb_transform_feedback2-change-objects-while-paused", "arb_gpu_shader5-xfb-streams",
		"arb_transform_feedback2-pause-counting",
	} {
		t.Run(words, func(t *testing.T) {
			dir := t.TempDir()
			args := append(strings.Fields(words), "-auto", "-fbo")
			args[0] = filepath.Join(folders[0], args[0])
			file, live := filepath.Join(dir, "file.xml"), filepath.Join(dir, "live.json")

			plain := exec.Command(args[0], args[1:]...)
			plain.Env = append(env, "GALLIUM_TRACE="+file)
			plainErr := plain.Run()
			if _, err := os.Stat(file); err != nil {
				t.Skipf("the test writes no trace here: %v", plainErr)
			}
			var out, errs bytes.Buffer
			run([]string{"check", "--format", "json", "--min-severity", "note", file}, nil, &out, &errs)
			require.Empty(t, errs.String())

			cmd := exec.Command("outflow", append([]string{"run", "--format", "json", "--min-severity", "note", "--report", live, "--"}, args...)...)
			cmd.Env = env
			said, err := cmd.CombinedOutput()
			require.Equal(t, plainErr == nil, err == nil, "%s", said)
			report, err := os.ReadFile(live)
			require.NoError(t, err)
			wantFindings, want := results(t, out.Bytes())
			gotFindings, got := results(t, report)
			require.Equal(t, wantFindings, gotFindings)
			require.Equal(t, want, got)
		})
	}
}

// TestRunGears follows a program that writes tens of megabytes a second until an
// interrupt ends it, in memory that does not grow.
func TestRunGears(t *testing.T) {
	env := mesaEnvironment(t, "glxgears")
	var errs bytes.Buffer
	cmd := exec.Command("outflow", "run", "--", "glxgears")
	cmd.Env = append(env, "TMPDIR="+t.TempDir())
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	early := peakMemory(t, cmd.Process.Pid, 3*time.Second)
	late := peakMemory(t, cmd.Process.Pid, 5*time.Second)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	require.Equal(t, 143, cmd.ProcessState.ExitCode(), errs.String())
	require.Contains(t, errs.String(), "glxgears: clean")
	require.Contains(t, errs.String(), "glxgears was killed by signal 15")
	t.Logf("%d MB of memory, then %d MB", early, late)
	require.Less(t, late, 64)
}

// peakMemory returns the most memory in megabytes that a process has had after a
// while.
func peakMemory(t *testing.T, pid int, after time.Duration) int {
	t.Helper()
	time.Sleep(after)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(status), "VmHWM:")
	require.True(t, ok)
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return kilobytes >> 10
}
