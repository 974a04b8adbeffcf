package main

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// flagName returns a flag as it is written.
func flagName(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// The words of package flag about a flag that is not there, one that lacks its
// value and one whose value cannot be read.
var (
	flagUnknown = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
	flagBare    = regexp.MustCompile(`^flag needs an argument: -(.*)$`)
	flagValue   = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([^:]*): `)
)

// flagFault says what is wrong with a flag as the verbs do, and what was
// expected where package flag does not say it.
func flagFault(fs *flag.FlagSet, err error) string {
	text := err.Error()
	if m := flagUnknown.FindStringSubmatch(text); m != nil {
		return "there is no flag " + flagName(m[1])
	}
	if m := flagBare.FindStringSubmatch(text); m != nil {
		return flagName(m[1]) + " needs a value"
	}
	m := flagValue.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	if want := wantedValue(fs.Lookup(m[2])); want != "" {
		return fmt.Sprintf("%s is %s, want %s", m[2], m[1], want)
	}
	return fmt.Sprintf("%s is %s: %s", m[2], m[1], strings.TrimPrefix(text, m[0]))
}

// wantedValue says what the value of a flag must be, "" when its own error does.
func wantedValue(f *flag.Flag) string {
	if f == nil {
		return ""
	}
	getter, ok := f.Value.(flag.Getter)
	if !ok {
		return ""
	}
	switch getter.Get().(type) {
	case bool:
		return "true or false"
	case int, int64:
		return "a number"
	case uint, uint64:
		return "a number from 0 on"
	case float64:
		return "a number"
	case time.Duration:
		return "a time such as 2s or 500ms"
	}
	return ""
}

// isSet says whether a flag was given.
func isSet(fs *flag.FlagSet, name string) bool {
	return firstSet(fs, func(given string) bool { return given == name }) != ""
}

// firstSet returns the first flag that was given and fits, "" for none.
func firstSet(fs *flag.FlagSet, fits func(name string) bool) (first string) {
	fs.Visit(func(f *flag.Flag) {
		if first == "" && fits(f.Name) {
			first = f.Name
		}
	})
	return first
}
