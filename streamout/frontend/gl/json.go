package gl

import (
	"encoding/json"

	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// ParseProgram reads the program of a JSON case. What the case leaves out is
// the default.
func ParseProgram(line []byte) (*Program, error) {
	p := NewProgram()
	if err := json.Unmarshal(line, p); err != nil {
		return nil, &frontend.Error{Message: err.Error()}
	}
	return p, nil
}
