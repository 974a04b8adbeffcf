//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// live is an `outflow run` on its way, in a process group of its own.
type live struct {
	t    *testing.T
	cmd  *exec.Cmd
	errs bytes.Buffer
	dir  string // its working and temporary directory
}

// startRun starts the program of a shell script under outflow run. The script
// writes its process number into the file pid. With trace, the file trace.xml is
// there.
func startRun(t *testing.T, trace []byte, script string) *live {
	t.Helper()
	r := &live{t: t, dir: t.TempDir()}
	require.NoError(t, os.Mkdir(filepath.Join(r.dir, "tmp"), 0o700))
	if trace != nil {
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, "trace.xml"), trace, 0o600))
	}
	r.cmd = exec.Command("outflow", "run", "--grace", "100ms", "--", "sh", "-c", "echo $$ >pid.new; mv pid.new pid; "+script)
	r.cmd.Dir, r.cmd.Stderr = r.dir, &r.errs
	r.cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(r.dir, "tmp"))
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, r.cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) })
	return r
}

// program waits for the program and returns its process number.
func (r *live) program() int {
	r.t.Helper()
	for range 1000 {
		if text, err := os.ReadFile(filepath.Join(r.dir, "pid")); err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			require.NoError(r.t, err)
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatal("the program was never started")
	return 0
}

// ends waits for outflow, demands the exit code and that nothing is left of the
// FIFO, and returns what was said.
func (r *live) ends(code int) string {
	r.t.Helper()
	_ = r.cmd.Wait()
	require.Equal(r.t, code, r.cmd.ProcessState.ExitCode(), r.errs.String())
	left, err := os.ReadDir(filepath.Join(r.dir, "tmp"))
	require.NoError(r.t, err)
	require.Empty(r.t, left, "the FIFO is left")
	return r.errs.String()
}

// recordedText returns the text of a recorded trace.
func recordedText(t *testing.T) []byte {
	t.Helper()
	f, err := os.Open("../../testdata/traces/arrays.llvmpipe.xml.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return text
}

const writeForever = "while :; do cat trace.xml; done >$GALLIUM_TRACE"

// TestRunKilled kills a program that writes without end, at random moments.
func TestRunKilled(t *testing.T) {
	text := recordedText(t)
	kills := 50
	if testing.Short() {
		kills = 5
	}
	random := rand.New(rand.NewPCG(13, 1))
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGHUP}
	for i := range kills {
		s := signals[i%len(signals)]
		t.Run(fmt.Sprint(i, " ", s), func(t *testing.T) {
			r := startRun(t, text, writeForever)
			pid := r.program()
			time.Sleep(time.Duration(random.IntN(60_000)) * time.Microsecond)
			require.NoError(t, syscall.Kill(pid, s))
			said := r.ends(128 + int(s))
			require.Contains(t, said, fmt.Sprintf("outflow: run: sh was killed by signal %d", s))
			require.NotContains(t, said, "panic")
			require.Equal(t, 1, strings.Count(said, " calls; ")+strings.Count(said, "wrote no trace"), "one summary: %s", said)
		})
	}
}

// TestRunInterrupted holds that an interrupt ends both, whether a terminal sends
// it to all or somebody to outflow alone, and that a third one kills.
func TestRunInterrupted(t *testing.T) {
	text := recordedText(t)
	t.Run("all", func(t *testing.T) {
		r := startRun(t, text, writeForever)
		r.program()
		require.NoError(t, syscall.Kill(-r.cmd.Process.Pid, syscall.SIGINT))
		require.Contains(t, r.ends(130), "was killed by signal 2")
	})
	t.Run("outflow alone", func(t *testing.T) {
		r := startRun(t, text, writeForever)
		r.program()
		require.NoError(t, r.cmd.Process.Signal(syscall.SIGINT))
		require.Contains(t, r.ends(130), "was killed by signal 2")
	})
	t.Run("terminated", func(t *testing.T) {
		r := startRun(t, text, writeForever)
		r.program()
		require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
		require.Contains(t, r.ends(143), "was killed by signal 15")
	})
	t.Run("stubborn", func(t *testing.T) {
		r := startRun(t, text, "trap '' INT; : >ready; exec sleep 60 >$GALLIUM_TRACE")
		r.program()
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(r.dir, "ready"))
			return err == nil
		}, 20*time.Second, 10*time.Millisecond)
		// Equal signals that come at once are one, so three may not be enough.
		done := make(chan struct{})
		defer close(done)
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(100 * time.Millisecond):
					_ = r.cmd.Process.Signal(syscall.SIGINT)
				}
			}
		}()
		require.Contains(t, r.ends(137), "was killed by signal 9")
	})
	t.Run("ends well", func(t *testing.T) {
		r := startRun(t, text, "trap 'cat trace.xml >$GALLIUM_TRACE; exit 0' INT; : >ready; while :; do sleep 0.02; done")
		r.program()
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(r.dir, "ready"))
			return err == nil
		}, 20*time.Second, 10*time.Millisecond)
		require.NoError(t, syscall.Kill(-r.cmd.Process.Pid, syscall.SIGINT))
		require.Contains(t, r.ends(0), "clean")
	})
}

// TestRunKeepsMemory holds that memory does not grow with the trace: a program
// that makes and destroys shaders and targets is followed over many times the
// memory that is allowed.
func TestRunKeepsMemory(t *testing.T) {
	text := recordedText(t)
	times := 1 + (600<<20)/len(text)
	if testing.Short() {
		times = 1 + (100<<20)/len(text)
	}
	r := startRun(t, text, fmt.Sprintf("i=0; while [ $i -lt %d ]; do cat trace.xml; i=$((i+1)); done >$GALLIUM_TRACE", times))
	peak := r.watchMemory()
	said := r.ends(0)
	require.Contains(t, said, fmt.Sprintf("began %d traces", times))
	kilobytes := <-peak
	if kilobytes == 0 {
		t.Skip("this system does not tell the memory of a process")
	}
	t.Logf("%d MB of trace, %d MB of memory", times*len(text)>>20, kilobytes>>10)
	require.Less(t, kilobytes>>10, 96)
}

// watchMemory reads the most memory that outflow has had resident, in KiB, until
// it ends. What the system accounts at the end is no use: it counts the process
// that forked.
func (r *live) watchMemory() <-chan int {
	peak := make(chan int, 1)
	go func() {
		most := 0
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
			at := bytes.Index(status, []byte("VmHWM:"))
			if err != nil || at < 0 { // ended, or no such file on this system
				peak <- most
				return
			}
			if fields := bytes.Fields(status[at:]); len(fields) > 1 {
				kilobytes, _ := strconv.Atoi(string(fields[1]))
				most = max(most, kilobytes)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return peak
}
