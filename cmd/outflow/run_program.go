package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

// program is the program that outflow run runs.
type program struct {
	cmd     *exec.Cmd
	signals chan os.Signal
	ended   chan struct{}
}

// programEnd is how a program ended.
type programEnd struct {
	exit   int
	signal int    // that killed it, 0 when none did
	words  string // what is to be said of it, "" when nothing is
}

// code is the exit code as a shell gives it.
func (e programEnd) code() int {
	if e.signal != 0 {
		return exitKilled + e.signal
	}
	return e.exit
}

// interruptPatience is how long a program has to end by the interrupt that a
// terminal sends to all its processes, before outflow hands its own on.
const interruptPatience = 500 * time.Millisecond

// startProgram starts the program with standard input, output and error as they
// are. Signals that would end outflow are the program's from then on.
func startProgram(c *cli, command, env []string) (*program, error) {
	p := &program{cmd: exec.Command(command[0], command[1:]...), signals: make(chan os.Signal, 8), ended: make(chan struct{})}
	p.cmd.Env = env
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = c.stdin, c.stdout, c.stderr
	// Only where these are no files: do not wait for who inherited them.
	p.cmd.WaitDelay = interruptPatience
	signal.Notify(p.signals, runSignals...)
	if err := p.cmd.Start(); err != nil {
		p.stopForwarding()
		return nil, err
	}
	go p.forward()
	return p, nil
}

// startFailed says why a program could not be started, and returns the exit
// code that env(1) gives.
func startFailed(c *cli, err error) int {
	c.fail("run: %v", err)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return exitNoProgram
	}
	return exitCannotRun
}

// forward hands signals to the program. An interrupt most likely came from the
// terminal, which sent it to the program too: it is handed on to one that does
// not end by it, and the third of them kills.
func (p *program) forward() {
	interrupts := 0
	for {
		select {
		case s := <-p.signals:
			switch {
			case s == os.Interrupt:
				interrupts++
				p.interrupt(interrupts)
			case forwarded(s):
				_ = p.cmd.Process.Signal(s)
			}
		case <-p.ended:
			return
		}
	}
}

func (p *program) interrupt(count int) {
	if count > 2 {
		_ = p.cmd.Process.Kill()
		return
	}
	go func() {
		select {
		case <-time.After(interruptPatience):
			_ = p.cmd.Process.Signal(os.Interrupt)
		case <-p.ended:
		}
	}()
}

// stopForwarding gives signals back. Interrupts that come while the rest of the
// trace is read are not outflow's end: the FIFO is to be removed.
func (p *program) stopForwarding() { signal.Stop(p.signals) }

// wait waits for the program and says how it ended.
func (p *program) wait() programEnd {
	err := p.cmd.Wait()
	close(p.ended)
	state := p.cmd.ProcessState
	if state == nil {
		return programEnd{exit: exitRunFailed, words: fmt.Sprintf("could not be waited for: %v", err)}
	}
	if number, name := killedBy(state); number != 0 {
		return programEnd{signal: number, words: fmt.Sprintf("was killed by signal %d (%s)", number, name)}
	}
	end := programEnd{exit: state.ExitCode()}
	if end.exit != 0 {
		end.words = fmt.Sprintf("ended with exit code %d", end.exit)
	}
	return end
}
