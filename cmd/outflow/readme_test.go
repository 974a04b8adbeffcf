package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// consoleBlock is a fenced block of commands and what they print.
var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestDocumentedCommands runs every command that the README and the pages of
// docs show, and demands the output that stands behind it. With -update it
// writes the output there.
func TestDocumentedCommands(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	t.Chdir(root)
	t.Setenv("NO_COLOR", "1")
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			got := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
				return "```console\n" + replay(t, consoleBlock.FindStringSubmatch(block)[1]) + "```"
			})
			if *update && got != string(text) {
				require.NoError(t, os.WriteFile(page, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got)
		})
	}
}

// replay runs the commands of a block and returns the block with what they
// print. "$ echo $?" prints the exit code of the command before.
func replay(t *testing.T, block string) string {
	var out strings.Builder
	code := 0
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
		if !ok {
			continue
		}
		out.WriteString(line)
		if command == "echo $?" {
			out.WriteString(string(rune('0'+code)) + "\n")
			continue
		}
		var printed string
		printed, code = execute(t, command)
		out.WriteString(printed)
	}
	return out.String()
}

// execute runs one documented command in this process, with < for its input.
func execute(t *testing.T, command string) (printed string, code int) {
	if command == "go test ./..." {
		return "", 0 // this is it
	}
	words := strings.Fields(command)
	if rest, ok := strings.CutPrefix(command, "go run ./cmd/outflow "); ok {
		words = append([]string{"outflow"}, strings.Fields(rest)...)
	} else {
		require.Equal(t, "outflow", words[0], "a documented command runs outflow: %s", command)
	}
	var stdin, stdout bytes.Buffer
	if n := len(words); n > 2 && words[n-2] == "<" {
		text, err := os.ReadFile(words[n-1])
		require.NoError(t, err)
		stdin.Write(text)
		words = words[:n-2]
	}
	code = run(words[1:], &stdin, &stdout, &stdout)
	return stdout.String(), code
}
