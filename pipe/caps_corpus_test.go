package pipe

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProfilesAgainstRecordedCaps compares profiles with what the same drivers
// answered in real traces of Mesa 20.3, whose capabilities are numbers.
func TestProfilesAgainstRecordedCaps(t *testing.T) {
	corpus := os.Getenv("OUTFLOW_CORPUS")
	if corpus == "" {
		t.Skip("OUTFLOW_CORPUS names no folder of traces")
	}
	for file, driver := range map[string]string{"osmesa-llvmpipe.xml.gz": "llvmpipe", "osmesa-softpipe.xml.gz": "softpipe"} {
		t.Run(driver, func(t *testing.T) {
			recorded, screen := recordedCaps(t, filepath.Join(corpus, "mesa-20.3.5", file), "20.3.5")
			profile, ok := ProfileFromScreenName(screen)
			require.True(t, ok)
			require.Equal(t, driver, profile.Name)
			for _, f := range capFields {
				require.True(t, f.field(&recorded).Known, f.name)
			}
			require.Equal(t, recorded, profile.Caps.Or(recorded), "the profile contradicts the driver")
		})
	}
}

var capLine = regexp.MustCompile(`method='(get_param|get_name)'|<arg name='param'><int>(\d+)</int>|<ret><int>(\d+)</int>|<ret><string>([^<]*)`)

// recordedCaps reads the capabilities and the screen's name from a trace that
// has each element on a line of its own.
func recordedCaps(t *testing.T, path, release string) (c Caps, screen string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Skip("the corpus has no such trace: ", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	method, param := "", ""
	for lines.Scan() {
		if len(lines.Bytes()) > 200 {
			continue
		}
		m := capLine.FindStringSubmatch(lines.Text())
		switch {
		case m == nil:
		case m[1] != "":
			method, param = m[1], m[2]
		case m[2] != "":
			param = m[2]
		case m[3] != "" && method == "get_param":
			number, _ := strconv.ParseUint(param, 10, 64)
			value, _ := strconv.ParseUint(m[3], 10, 64)
			if name, ok := CapName(release, number); ok {
				c.Set(name, value)
			}
			method = ""
		case m[4] != "" && method == "get_name":
			screen, method = m[4], ""
		}
	}
	require.NoError(t, lines.Err())
	return c, screen
}
