package house

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inlined are the small functions that run for each byte, value or call of a
// trace: a call for each would show in the time that a gigabyte takes.
var inlined = map[string][]string{
	"./internal/markup": {"at", "isSpace", "isNameByte", "decimal", "(*Parser).node", "(*Parser).next", "(*Parser).scalar"},
	"./pipe": {"Value.node", "Value.Exists", "Value.Kind", "Value.Role", "Value.RawName", "Value.RawText", "Value.Next",
		"Value.First", "Value.Open", "MakeValues", "(*Values).Share", "(*Values).textLen"},
	"./trace": {"isDigit", "slotsOf", "shift", "(*repeater).follow", "(*repeater).found", "(*dialect).learned", "decoder",
		"(*Batch).values", "(*Batch).find", "continues"},
	"./streamout":  {"(*View).CleanTarget", "(*View).Clean", "(*Draft).With"},
	"./pipe/state": {"(*Context).TargetBound", "(*At).mark"},
}

var canInline = regexp.MustCompile(`can inline (\S+)`)

func TestHotFunctionsAreInlined(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to ask")
	}
	for pkg, want := range inlined {
		build := exec.Command("go", "build", "-gcflags=-m", pkg)
		build.Dir = "../.."
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
		var can []string
		for _, m := range canInline.FindAllSubmatch(out, -1) {
			can = append(can, strings.TrimSuffix(string(m[1]), "[go.shape...]"))
		}
		require.Subset(t, can, want, pkg)
	}
}
