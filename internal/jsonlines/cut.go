package jsonlines

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"
)

// The text is known to be valid JSON, so that its parts are found by their ends
// alone.

// eachMember yields the members of an object in their order.
func eachMember(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for rest := skipSpace(text[1:]); rest[0] != '}'; {
			var key, value []byte
			key, rest = cutValue(rest)
			value, rest = cutValue(skipSpace(skipSpace(rest)[1:])) // behind the colon
			if !yield(unquote(key), value) {
				return
			}
			rest = skipComma(rest)
		}
	}
}

// eachElement yields the elements of an array.
func eachElement(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := skipSpace(text[1:]); rest[0] != ']'; {
			var value []byte
			value, rest = cutValue(rest)
			if !yield(value) {
				return
			}
			rest = skipComma(rest)
		}
	}
}

func skipSpace(text []byte) []byte {
	for text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r' {
		text = text[1:]
	}
	return text
}

func skipComma(text []byte) []byte {
	if text = skipSpace(text); text[0] == ',' {
		text = skipSpace(text[1:])
	}
	return text
}

// cutValue cuts the value that the text begins with.
func cutValue(text []byte) (value, rest []byte) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += stringLength(text[i:]) - 1
			if depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth == 0 {
				return text[:i], text[i:] // a number or word, the last of its list
			}
			if depth--; depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return text[:i], text[i:]
			}
		}
	}
	return text, nil
}

// stringLength is how long the string is that the text begins with, its quotes
// included.
func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// unquote returns what a string says.
func unquote(text []byte) string {
	if inner := text[1 : len(text)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	if json.Unmarshal(text, &s) != nil {
		return string(text)
	}
	return s
}
