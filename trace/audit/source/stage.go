package source

import "strings"

// stage is a shader stage, as far as names tell it.
type stage uint8

const (
	stageVertex stage = 1 << iota
	stageGeometry
	stageTessEval
	stageTessCtrl
	stageFragment
	stageCompute
	stageMesh
)

const streaming = stageVertex | stageGeometry | stageTessEval

var stageNames = []struct {
	bit  stage
	name string
}{
	{stageVertex, "vertex"}, {stageTessCtrl, "tess-ctrl"}, {stageTessEval, "tess-eval"},
	{stageGeometry, "geometry"}, {stageFragment, "fragment"}, {stageCompute, "compute"}, {stageMesh, "mesh"},
}

func (s stage) String() string {
	var names []string
	for _, n := range stageNames {
		if s&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ",")
}

// never tells that no stage of s can stream out; an unknown stage may.
func (s stage) never() bool { return s != 0 && s&streaming == 0 }

var stageWords = map[string]stage{
	"vs": stageVertex, "vertex": stageVertex, "vp": stageVertex, "vert": stageVertex, "vertprog": stageVertex, "vps": stageVertex,
	"gs": stageGeometry, "geometry": stageGeometry, "gp": stageGeometry, "geom": stageGeometry,
	"tes": stageTessEval, "tesseval": stageTessEval, "tep": stageTessEval,
	"tcs": stageTessCtrl, "tessctrl": stageTessCtrl, "tcp": stageTessCtrl,
	"fs": stageFragment, "fragment": stageFragment, "frag": stageFragment, "fp": stageFragment, "ps": stageFragment,
	"pixel": stageFragment, "fragprog": stageFragment,
	"cs": stageCompute, "compute": stageCompute, "kernel": stageCompute,
	"ms": stageMesh, "mesh": stageMesh, "task": stageMesh, "ts": stageMesh,
}

// stageOf reads the stages that a name speaks of.
func stageOf(name string) stage {
	var s stage
	words := splitName(name)
	for i, w := range words {
		if w == "tess" && i+1 < len(words) {
			switch words[i+1] {
			case "eval", "evaluation":
				s |= stageTessEval
			case "ctrl", "control":
				s |= stageTessCtrl
			}
		}
		s |= stageWords[w]
	}
	return s
}

// splitName cuts an identifier into lower-case words at _ and at capitals.
func splitName(name string) []string {
	var words []string
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' || c == '.' || c == '>' || c == '-' || c == '&' || c == '*' || c == '[' || c == ']':
			flush(i)
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z':
			flush(i)
		}
	}
	flush(len(name))
	return words
}
