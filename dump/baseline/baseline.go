package baseline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// header begins a written baseline.
const header = "# Findings that are known: one a line. Delete a line to see its finding again.\n"

// Baseline counts the known findings by identity. The zero value knows none.
type Baseline struct {
	known map[string]int
	total int
}

// Read reads a baseline. A malformed line is an error that names it.
func Read(r io.Reader) (*Baseline, error) {
	b := &Baseline{}
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if problem := b.addLine(text); problem != nil {
			return nil, fmt.Errorf("%d: %w", line, problem)
		}
		if err == io.EOF {
			return b, nil
		}
	}
}

// addLine adds what a line of a baseline says.
func (b *Baseline) addLine(text string) error {
	entry := strings.TrimSpace(text)
	if entry == "" || entry[0] == '#' {
		return nil
	}
	count := 1
	if word, rest, ok := strings.Cut(entry, "\t"); ok {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return fmt.Errorf("count is %q, want a number above 0 before the tab", word)
		}
		count, entry = n, strings.TrimSpace(rest)
	}
	b.add(unescape(entry), count)
	return nil
}

// ReadFile reads the baseline of a file. Errors name the file.
func ReadFile(name string) (*Baseline, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := Read(f)
	var names *fs.PathError
	if err != nil && !errors.As(err, &names) {
		err = fmt.Errorf("%s:%w", name, err)
	}
	return b, err
}

// Add makes one more finding of this identity known.
func (b *Baseline) Add(identity string) { b.add(identity, 1) }

func (b *Baseline) add(identity string, count int) {
	if b.known == nil {
		b.known = map[string]int{}
	}
	b.known[identity] += count
	b.total += count
}

// Take tells whether a finding is known, and uses one of its occurrences up:
// the third of two known ones is new. A nil baseline knows none.
func (b *Baseline) Take(identity string) bool {
	if b == nil || b.known[identity] == 0 {
		return false
	}
	b.known[identity]--
	b.total--
	return true
}

// Left is how many known findings have not been taken: after a run, those
// that are gone.
func (b *Baseline) Left() int {
	if b == nil {
		return 0
	}
	return b.total
}

// Write writes the baseline, sorted.
func (b *Baseline) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString(header)
	for _, identity := range slices.Sorted(maps.Keys(b.known)) {
		switch n := b.known[identity]; {
		case n == 1:
			fmt.Fprintln(out, escape(identity))
		case n > 1:
			fmt.Fprintf(out, "%d\t%s\n", n, escape(identity))
		}
	}
	return out.Flush()
}

// WriteFile writes the baseline to a file, in place of what it holds.
func (b *Baseline) WriteFile(name string) error {
	var text strings.Builder
	if err := b.Write(&text); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text.String()), 0o666)
}

// escape keeps an identity on one line and apart from counts and comments.
func escape(s string) string {
	plain := s != "" && s[0] != '#' && s[0] != '"' && strings.TrimSpace(s) == s
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] != 0x7f
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}

func unescape(s string) string {
	if s[0] == '"' {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return s
}
