package frontend

import (
	"errors"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
	"github.com/outflow-gpu/outflow/pipe"
)

// ReadCase takes the declarations of an API out of a JSON case. Members of the
// case itself that they have no field for are left in it; inside a nested object
// such a member is an error. The error is a *[Error].
func ReadCase(c jsonlines.Case, into any) error {
	if err := c.Take(into); err != nil {
		return &Error{Message: err.Error()}
	}
	return nil
}

// ReadLine is [ReadCase] of JSON text.
func ReadLine(line []byte, into any) error {
	c, err := jsonlines.Parse(line)
	if err != nil {
		return &Error{Message: err.Error()}
	}
	return ReadCase(c, into)
}

// Answer is a translation, or why there is none, as the answer to a JSON case.
type Answer struct {
	Info     *InfoJSON      `json:"info,omitempty"`
	Warnings *[]WarningJSON `json:"warnings,omitempty"`
	Error    string         `json:"error,omitempty"`
	Rule     string         `json:"rule,omitempty"`
}

// InfoJSON is a stream output info in JSON. Strides and offsets are in dwords.
type InfoJSON struct {
	NumOutputs uint32       `json:"numOutputs"`
	Stride     [4]uint16    `json:"stride"`
	Output     []OutputJSON `json:"output"`
}

// OutputJSON is one output of an info in JSON.
type OutputJSON struct {
	RegisterIndex  uint64 `json:"registerIndex"`
	StartComponent uint64 `json:"startComponent"`
	NumComponents  uint64 `json:"numComponents"`
	OutputBuffer   uint64 `json:"outputBuffer"`
	DstOffset      uint64 `json:"dstOffset"`
	Stream         uint64 `json:"stream"`
}

// WarningJSON is a warning or note in JSON.
type WarningJSON struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

// NewAnswer returns the answer for what a translator returned.
func NewAnswer(t *Translation, err error) *Answer {
	if err != nil {
		a := &Answer{Error: err.Error()}
		var e *Error
		if errors.As(err, &e) {
			a.Error, a.Rule = e.Message, e.Rule
		}
		return a
	}
	warnings := []WarningJSON{}
	for _, d := range t.Said {
		warnings = append(warnings, WarningJSON{d.Rule, d.Severity.String(), d.Message})
	}
	return &Answer{Info: NewInfoJSON(&t.Info), Warnings: &warnings}
}

// NewInfoJSON returns the JSON form of an info.
func NewInfoJSON(i *pipe.StreamOutputInfo) *InfoJSON {
	j := &InfoJSON{NumOutputs: i.NumOutputs, Stride: i.Stride, Output: []OutputJSON{}}
	for _, o := range i.Numbers().Output {
		j.Output = append(j.Output, OutputJSON(o))
	}
	return j
}
