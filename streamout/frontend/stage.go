package frontend

import (
	"encoding/json"
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
)

// stageNames are the stages as cases spell them. A program of none of the vertex
// stages captures as little as one of a fragment shader.
var stageNames = []struct {
	name  string
	stage pipe.Stage
}{
	{"vertex", pipe.Vertex}, {"tess_eval", pipe.TessEval}, {"geometry", pipe.Geometry},
	{"tess_ctrl", pipe.TessCtrl}, {"fragment", pipe.Fragment}, {"compute", pipe.Compute},
	{"none", pipe.Fragment}, {"vs", pipe.Vertex}, {"ds", pipe.TessEval}, {"gs", pipe.Geometry}, {"domain", pipe.TessEval}, {"hull", pipe.TessCtrl}, {"pixel", pipe.Fragment},
}

// Stage is the stage of a case, which may be absent.
type Stage struct {
	stage pipe.Stage
	given bool
}

// StageOf returns a stage that is there.
func StageOf(s pipe.Stage) Stage { return Stage{s, true} }

// Or returns the stage, or another one when it is absent.
func (s Stage) Or(absent pipe.Stage) pipe.Stage {
	if !s.given {
		return absent
	}
	return s.stage
}

// UnmarshalJSON reads a stage: "vertex", "tess_eval", "geometry", those of
// Direct3D, or one that captures nothing.
func (s *Stage) UnmarshalJSON(b []byte) error {
	*s = Stage{}
	if string(b) == "null" {
		return nil
	}
	var name string
	if err := json.Unmarshal(b, &name); err != nil {
		return fmt.Errorf("%s is no stage, want vertex, tess_eval or geometry", b)
	}
	for _, n := range stageNames {
		if n.name == name {
			*s = StageOf(n.stage)
			return nil
		}
	}
	if stage, ok := pipe.ParseStage(name); ok {
		*s = StageOf(stage)
		return nil
	}
	return fmt.Errorf("%q is no stage, want vertex, tess_eval or geometry", name)
}

// IsPoints says whether a topology that was stated is that of points; none is.
func IsPoints(topology string) bool {
	return topology == "" || topology == "points" || topology == "point_list"
}

// StreamFault tells why the outputs of a stage cannot belong to a stream; "" is
// that they can. Lines and triangles have streams above 0 where the device says
// so.
func StreamFault(stage pipe.Stage, topology string, stream int, linesTriangles bool) string {
	switch {
	case stream == 0:
		return ""
	case stage != pipe.Geometry:
		return fmt.Sprintf("stream %d needs a geometry shader, not a %s shader", stream, stage)
	case !IsPoints(topology) && !linesTriangles:
		return fmt.Sprintf("stream %d needs points, not %s", stream, topology)
	}
	return ""
}
