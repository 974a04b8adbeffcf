package dump

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
)

// Schema names the version of the JSON that this package writes.
const Schema = "outflow/1"

// placeJSON begins every object that is about one operation.
type placeJSON struct {
	Schema string `json:"schema"`
	Type   string `json:"type"`
	Trace  string `json:"trace,omitempty"`
	Call   Uint   `json:"call"`
	Line   int    `json:"line,omitempty"`
	Method string `json:"method"`
}

func placeOf(kind, traceName string, op *pipe.Op) placeJSON {
	_, method := op.Call.Name()
	return placeJSON{Schema, kind, traceName, Uint(op.No), op.Pos.Line, method}
}

// Uint is a number that is a decimal string in JSON once it is too large for a
// double to hold exactly.
type Uint uint64

// MarshalJSON returns the number, as a string above 2^53-1.
func (u Uint) MarshalJSON() ([]byte, error) {
	s := strconv.FormatUint(uint64(u), 10)
	if u > 1<<53-1 {
		s = `"` + s + `"`
	}
	return []byte(s), nil
}

// Address is a handle that is a hexadecimal string in JSON, null for NULL.
type Address pipe.Handle

// MarshalJSON returns the address in Mesa's spelling.
func (a Address) MarshalJSON() ([]byte, error) {
	if a == 0 {
		return []byte("null"), nil
	}
	return []byte(`"` + pipe.Handle(a).String() + `"`), nil
}

// WriteJSON writes v as one line.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
