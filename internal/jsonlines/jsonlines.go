package jsonlines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// MaxLine is the longest line that is read as a case, in bytes without its newline. A longer line is
// skipped without being kept and answered with an error.
const MaxLine = 16 << 20

// Answer works out one case, which comes without its "id" and is valid only during the call; the result
// must marshal to a JSON object without a member named "id". An error becomes the case's "error" text.
type Answer func(c Case) (result any, err error)

// Report is what became of the cases of a run.
type Report struct {
	Impossible int      // cases that were answered with an error
	PassedOver []string // names of members that no answer read: the first of them, each once
}

// maxPassedOver is how many names a report has at most.
const maxPassedOver = 20

// Run reads cases from in until its end and writes one line of answer for each to out; lines of white
// space alone are not cases. The error is that of reading or writing, never that of a case.
func Run(in io.Reader, out io.Writer, answer Answer) (Report, error) {
	return run(in, out, answer, MaxLine)
}

func run(in io.Reader, out io.Writer, answer Answer, maxLine int) (report Report, err error) {
	r := bufio.NewReaderSize(in, 64<<10)
	w := bufio.NewWriter(out)
	lines := lineReader{r: r, max: maxLine}
	c := Case{}
	for {
		line, tooLong, err := lines.next()
		if err == nil {
			if text := report.reply(c, line, tooLong, maxLine, answer); text != nil {
				if _, err := w.Write(text); err != nil {
					return report, err
				}
			}
		}
		// Someone may be waiting for this answer before sending the next case.
		if err != nil || r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return report, err
			}
		}
		if errors.Is(err, io.EOF) {
			return report, nil
		}
		if err != nil {
			return report, err
		}
	}
}

// reply is the whole line of answer, nil when line holds no case. The case is read into c.
func (p *Report) reply(c Case, line []byte, tooLong bool, maxLine int, answer Answer) []byte {
	if tooLong {
		return p.failure(nil, fmt.Errorf("line is longer than %d bytes", maxLine))
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if err := c.parse(line); err != nil {
		return p.failure(nil, err)
	}
	id := c["id"]
	delete(c, "id")
	result, err := answer(c)
	if err != nil {
		return p.failure(id, err)
	}
	text, err := object(id, result)
	if err != nil {
		return p.failure(id, err)
	}
	p.note(c)
	return text
}

// note keeps the names that are left of a case.
func (p *Report) note(c Case) {
	var more []string
	for name := range c {
		if !slices.Contains(p.PassedOver, name) {
			more = append(more, name)
		}
	}
	slices.Sort(more)
	p.PassedOver = append(p.PassedOver, more[:min(len(more), maxPassedOver-len(p.PassedOver))]...)
}

func (p *Report) failure(id json.RawMessage, err error) []byte {
	p.Impossible++
	text, err := object(id, struct {
		Error string `json:"error"`
	}{err.Error()})
	if err != nil {
		panic(err) // a string always marshals
	}
	return text
}

// object marshals result with "id" as its first member.
func object(id json.RawMessage, result any) ([]byte, error) {
	if id == nil {
		id = json.RawMessage("null")
	}
	if !utf8.Valid(id) {
		id = bytes.ToValidUTF8(id, []byte("\ufffd"))
	}
	var b bytes.Buffer
	b.WriteString(`{"id":`)
	b.Write(id)
	mark := b.Len()
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		return nil, err
	}
	text := b.Bytes()
	if text[mark] != '{' {
		return nil, fmt.Errorf("answer of type %T is not a JSON object", result)
	}
	if text[mark+1] == '}' {
		return append(text[:mark], "}\n"...), nil
	}
	text[mark] = ','
	return text, nil
}

// lineReader cuts lines, keeping at most max bytes of one.
type lineReader struct {
	r   *bufio.Reader
	max int
	buf []byte
}

// next returns the next line without its newline, valid until the next call. A last line without a
// newline counts; after it comes io.EOF.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	l.buf = l.buf[:0]
	read := false
	for {
		part, err := l.r.ReadSlice('\n')
		read = read || len(part) > 0
		ended := err == nil
		if ended {
			part = part[:len(part)-1]
		}
		if len(l.buf)+len(part) > l.max {
			tooLong = true
		}
		if !tooLong {
			l.buf = append(l.buf, part...)
		}
		switch {
		case ended, errors.Is(err, io.EOF) && read:
			return l.buf, tooLong, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}
