package gl

import "github.com/outflow-gpu/outflow/streamout/frontend"

// ParseProgram reads the program of a JSON case. What the case leaves out is
// the default. The error is a *frontend.Error.
func ParseProgram(line []byte) (*Program, error) {
	p := NewProgram()
	if err := frontend.ReadLine(line, p); err != nil {
		return nil, err
	}
	return p, nil
}
