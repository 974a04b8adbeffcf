package dump

import (
	"io"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

type captureJSON struct {
	placeJSON
	Primitive string               `json:"primitive"`
	Generated [4]*Uint             `json:"generated"`
	Written   [4]*Uint             `json:"written"`
	Overflow  [4]*Uint             `json:"overflow"`
	AtMost    *[4]*Uint            `json:"generatedAtMost,omitempty"`
	Targets   []capturedTargetJSON `json:"targets"`
	Auto      *autoDrawJSON        `json:"drawAuto,omitempty"`
	Unknown   string               `json:"unknown,omitempty"`
}

type capturedTargetJSON struct {
	Slot     int     `json:"slot"`
	Stream   int     `json:"stream"`
	Target   Address `json:"target"`
	Resource Address `json:"resource"`
	First    *Uint   `json:"firstByte"`
	End      *Uint   `json:"endByte"`
	Filled   *Uint   `json:"filledBytes"`
	Size     *Uint   `json:"sizeBytes"`
}

type autoDrawJSON struct {
	Target   Address `json:"target"`
	Stride   *Uint   `json:"strideBytes"`
	Vertices *Uint   `json:"vertices"`
}

type resumeJSON struct {
	placeJSON
	Targets []filledTargetJSON `json:"targets"`
}

type filledTargetJSON struct {
	Slot     int     `json:"slot"`
	Target   Address `json:"target"`
	Resource Address `json:"resource"`
	Filled   *Uint   `json:"filledBytes"`
}

type queryJSON struct {
	placeJSON
	Query     Address `json:"query"`
	QueryType string  `json:"queryType"`
	Index     Uint    `json:"index"`
	Predicted []*Uint `json:"predicted"`
	Recorded  []*Uint `json:"recorded"`
	Agrees    *bool   `json:"agrees"`
}

type readbackJSON struct {
	placeJSON
	Resource Address `json:"resource"`
	Offset   Uint    `json:"offset"`
	Size     Uint    `json:"size"`
	Hex      *string `json:"hex"`
	Unknown  string  `json:"unknown,omitempty"`
}

// known returns a count that is known, else nil, which is null in JSON.
func known(c streamout.Count) *Uint {
	if !c.Known() {
		return nil
	}
	u := Uint(c.Low)
	return &u
}

func knownStreams(counts [pipe.MaxVertexStreams]streamout.Count) (out [4]*Uint) {
	for s, c := range counts {
		out[s] = known(c)
	}
	return out
}

// CaptureJSON writes what a draw captured as an object of type "capture".
func CaptureJSON(w io.Writer, traceName string, d *streamout.CapturedDraw) error {
	o := captureJSON{placeJSON: placeOf("capture", traceName, d.Op), Primitive: d.Mode.String(),
		Generated: knownStreams(d.Generated), Written: knownStreams(d.Written), Overflow: knownStreams(d.Dropped),
		Targets: []capturedTargetJSON{}, Unknown: d.Why}
	var most [4]*Uint
	for s, c := range d.Generated {
		if c.Bounded() {
			most[s] = known(streamout.Exactly(c.High))
		}
		if !c.Known() {
			o.AtMost = &most
		}
	}
	for i := range d.Targets {
		o.Targets = append(o.Targets, capturedTarget(&d.Targets[i]))
	}
	if d.Auto != nil {
		o.Auto = &autoDrawJSON{Address(d.Auto.Target), known(d.Auto.StrideBytes), known(d.Auto.Vertices)}
	}
	return WriteJSON(w, &o)
}

func capturedTarget(t *streamout.CapturedTarget) capturedTargetJSON {
	o := capturedTargetJSON{Slot: t.Slot, Stream: t.Stream, Target: Address(t.Handle)}
	if t.Target == nil {
		return o
	}
	o.Resource, o.Filled = Address(t.Target.Resource), known(t.Filled)
	o.Size = known(streamout.Exactly(uint64(t.Target.Size)))
	if t.Known {
		o.First, o.End = known(streamout.Exactly(t.First)), known(streamout.Exactly(t.End))
	}
	return o
}

// ResumeJSON writes how far resumed targets are filled as an object of type
// "resume".
func ResumeJSON(w io.Writer, traceName string, r *streamout.Resume) error {
	o := resumeJSON{placeOf("resume", traceName, r.Op), nil}
	for _, t := range r.Targets {
		o.Targets = append(o.Targets, filledTargetJSON{t.Slot, Address(t.Target.Handle), Address(t.Target.Resource), known(t.Filled)})
	}
	return WriteJSON(w, &o)
}

// QueryJSON writes a query's result and what was predicted as an object of type
// "query". SO_STATISTICS has two numbers: written and needed.
func QueryJSON(w io.Writer, traceName string, p *streamout.QueryPrediction) error {
	o := queryJSON{placeJSON: placeOf("query", traceName, p.Op), Query: Address(p.Query.Handle),
		QueryType: p.Query.Type.String(), Index: Uint(p.Query.Index), Predicted: []*Uint{known(p.Value)}}
	two := p.Query.Type == pipe.QueryStreamOutputStatistics
	if two {
		o.Predicted = append(o.Predicted, known(p.Needed))
	}
	if p.Recorded.Known && !p.Recorded.Composite {
		o.Recorded = []*Uint{known(streamout.Exactly(p.Recorded.Value))}
		if two {
			o.Recorded = append(o.Recorded, known(streamout.Exactly(p.Recorded.Needed)))
		}
		if agrees := !p.Differs(); !agrees || p.Value.Known() && (!two || p.Needed.Known()) {
			o.Agrees = &agrees
		}
	}
	return WriteJSON(w, &o)
}

// ReadbackJSON writes a read of a captured buffer as an object of type
// "readback".
func ReadbackJSON(w io.Writer, traceName string, r *streamout.Readback) error {
	o := readbackJSON{placeJSON: placeOf("readback", traceName, r.Op), Resource: Address(r.Resource.Handle),
		Offset: Uint(r.Offset), Size: Uint(r.Size), Unknown: r.Unknown}
	if r.Unknown == "" {
		digits := string(pipe.BytesBlob(r.Bytes).AppendHex(nil))
		o.Hex = &digits
	}
	return WriteJSON(w, &o)
}
