package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
)

// Level is a result's severity in SARIF's words.
type Level string

// The levels that a result may have (SARIF 2.1.0, 3.27.10).
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNote    Level = "note"
)

// Rule describes one kind of finding.
type Rule struct {
	ID    string
	Title string // one sentence
	Help  string // more, optional
	Level Level  // when a result does not say; empty means warning
}

// Place is a point in a file. File is a relative path with slashes, or empty
// when there is none; Line counts from 1, 0 means the whole file.
type Place struct {
	File    string
	Line    int
	Message string // for a related place or a step; optional
}

// Result is one finding.
type Result struct {
	RuleID  string
	Level   Level
	Message string
	Place   Place
	Related []Place // other places that matter, in order
	Steps   []Place // the way to the fault, in order; optional
	// Identity tells the finding from all others of the run, whatever line it
	// stands on; it becomes the fingerprint.
	Identity string
	// Properties are added as they are; optional.
	Properties map[string]any
}

// Log is one run of a tool.
type Log struct {
	Tool    string
	Version string // may be empty
	Rules   []Rule
	Results []Result
}

// schemaURI is where SARIF 2.1.0's JSON schema is published.
const schemaURI = "https://json.schemastore.org/sarif-2.1.0.json"

// fingerprintName names how the fingerprint is made, so that it may change.
const fingerprintName = "outflowIdentity/v1"

// Write writes the log as one indented JSON document. A result whose rule is
// not listed gets no ruleIndex.
func Write(w io.Writer, l *Log) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(document(l))
}

type text struct {
	Text string `json:"text"`
}

type file struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool       tool     `json:"tool"`
	ColumnKind string   `json:"columnKind"`
	Results    []result `json:"results"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Rules   []rule `json:"rules"`
}

type rule struct {
	ID      string        `json:"id"`
	Short   text          `json:"shortDescription"`
	Help    *text         `json:"help,omitempty"`
	Default configuration `json:"defaultConfiguration"`
}

type configuration struct {
	Level Level `json:"level"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    *int              `json:"ruleIndex,omitempty"`
	Level        Level             `json:"level"`
	Message      text              `json:"message"`
	Locations    []location        `json:"locations,omitempty"`
	Related      []location        `json:"relatedLocations,omitempty"`
	CodeFlows    []codeFlow        `json:"codeFlows,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Properties   map[string]any    `json:"properties,omitempty"`
}

type location struct {
	ID       int       `json:"id,omitempty"`
	Physical *physical `json:"physicalLocation,omitempty"`
	Message  *text     `json:"message,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI string `json:"uri"`
}

type region struct {
	StartLine int `json:"startLine"`
}

type codeFlow struct {
	ThreadFlows []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	Locations []flowLocation `json:"locations"`
}

type flowLocation struct {
	Location location `json:"location"`
}

func document(l *Log) file {
	r := run{
		Tool:       tool{driver{Name: l.Tool, Version: l.Version, Rules: []rule{}}},
		ColumnKind: "utf16CodeUnits", Results: []result{},
	}
	index := map[string]int{}
	for _, in := range l.Rules {
		index[in.ID] = len(r.Tool.Driver.Rules)
		out := rule{ID: in.ID, Short: text{in.Title}, Default: configuration{in.Level}}
		if in.Level == "" {
			out.Default.Level = LevelWarning
		}
		if in.Help != "" {
			out.Help = &text{in.Help}
		}
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, out)
	}
	for i := range l.Results {
		r.Results = append(r.Results, encode(&l.Results[i], index))
	}
	return file{Schema: schemaURI, Version: "2.1.0", Runs: []run{r}}
}

func encode(in *Result, index map[string]int) result {
	out := result{RuleID: in.RuleID, Level: in.Level, Message: text{in.Message}, Properties: in.Properties}
	if i, ok := index[in.RuleID]; ok {
		out.RuleIndex = &i
	}
	if in.Place.File != "" {
		out.Locations = []location{place(in.Place)}
	}
	for i, p := range in.Related {
		loc := place(p)
		loc.ID = i + 1
		out.Related = append(out.Related, loc)
	}
	if len(in.Steps) > 0 {
		var flow threadFlow
		for _, p := range in.Steps {
			flow.Locations = append(flow.Locations, flowLocation{place(p)})
		}
		out.CodeFlows = []codeFlow{{[]threadFlow{flow}}}
	}
	if in.Identity != "" {
		sum := sha256.Sum256([]byte(in.Identity))
		out.Fingerprints = map[string]string{fingerprintName: hex.EncodeToString(sum[:16])}
	}
	return out
}

func place(p Place) location {
	var loc location
	if p.File != "" {
		loc.Physical = &physical{Artifact: artifact{uri(p.File)}}
		if p.Line > 0 {
			loc.Physical.Region = &region{p.Line}
		}
	}
	if p.Message != "" {
		loc.Message = &text{p.Message}
	}
	return loc
}

// uri escapes a path for use as a relative URI reference (RFC 3986).
func uri(path string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/+@,=", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}
