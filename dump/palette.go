package dump

import "github.com/outflow-gpu/outflow/streamout"

// Palette fits text to where it is read. The zero Palette colours nothing.
type Palette struct {
	// Enabled colours text, as terminals do.
	Enabled bool
	// Columns is how wide pictures and tables may be, 100 when 0.
	Columns int
}

func (p Palette) columns() int {
	if p.Columns <= 0 {
		return 100
	}
	return p.Columns
}

func (p Palette) paint(code, s string) string {
	if !p.Enabled {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Severity returns the word of a severity, coloured.
func (p Palette) Severity(s streamout.Severity) string {
	switch s {
	case streamout.Error:
		return p.paint("1;31", s.String())
	case streamout.Warning:
		return p.paint("1;33", s.String())
	case streamout.Note:
		return p.paint("1;36", s.String())
	}
	return s.String()
}

// Clean returns words of praise, coloured.
func (p Palette) Clean(s string) string { return p.paint("1;32", s) }

// Name returns the name of something, coloured.
func (p Palette) Name(s string) string { return p.paint("36", s) }

// Dim returns what matters less, coloured.
func (p Palette) Dim(s string) string { return p.paint("2", s) }

// Strong returns what matters, coloured.
func (p Palette) Strong(s string) string { return p.paint("1", s) }
