package source_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace/audit/source"
)

// site is a row of the list of sites that people judged.
type site struct {
	file, function, verdict, expect string
	line                            int
}

// judgedSites reads audit/r1.tsv beside the corpus: the sites of Mesa
// 861a029ddb3.
func judgedSites(t *testing.T) []site {
	t.Helper()
	corpus := os.Getenv("OUTFLOW_CORPUS")
	if corpus == "" {
		t.Skip("OUTFLOW_CORPUS is not set: no judged sites")
	}
	f, err := os.Open(filepath.Join(corpus, "..", "audit", "r1.tsv"))
	if err != nil {
		t.Skipf("no judged sites: %v", err)
	}
	defer f.Close()
	var sites []site
	for in := bufio.NewScanner(f); in.Scan(); {
		col := strings.Split(in.Text(), "\t")
		line, err := strconv.Atoi(col[2])
		if len(col) < 12 || err != nil {
			continue
		}
		name, _, _ := strings.Cut(col[1], " ")
		sites = append(sites, site{file: col[0], function: name, line: line, verdict: col[7], expect: col[11]})
	}
	require.NotEmpty(t, sites)
	return sites
}

// TestJudgedSites compares the audit of Mesa 861a029ddb3 with the judgement of
// every site in it: each fault that must be found is, and nothing that must
// never be reported stands at warning or above. OUTFLOW_C_TREE is the tree.
func TestJudgedSites(t *testing.T) {
	sites := judgedSites(t)
	root := os.Getenv("OUTFLOW_C_TREE")
	if root == "" {
		t.Skip("OUTFLOW_C_TREE is not set: no Mesa tree at 861a029ddb3")
	}
	rep, err := source.Directory(os.DirFS(root), source.Options{Root: root})
	require.NoError(t, err)

	table := map[string]map[string]int{}
	used := map[string]bool{}
	for _, s := range sites {
		got := "silent"
		for _, f := range rep.Findings {
			if f.File == s.file && (f.Line == s.line || s.expect != "never" && f.Function == s.function && strings.HasPrefix(s.verdict, string(f.Verdict))) {
				got = f.Severity.String()
				used[f.Key()] = true
			}
		}
		if table[s.expect] == nil {
			table[s.expect] = map[string]int{}
		}
		table[s.expect][got]++
		switch {
		case s.expect == "must" && got == "silent":
			t.Errorf("missed: %s:%d %s %s", s.file, s.line, s.function, s.verdict)
		case s.expect == "never" && (got == "warning" || got == "error"):
			t.Errorf("reported: %s:%d %s", s.file, s.line, s.function)
		}
	}
	for _, f := range rep.Findings {
		if !used[f.Key()] {
			t.Errorf("at no judged site: %s", f.Text())
		}
	}
	for _, expect := range []string{"must", "may", "never"} {
		t.Logf("%-5s  error %d  warning %d  note %d  silent %d", expect,
			table[expect]["error"], table[expect]["warning"], table[expect]["note"], table[expect]["silent"])
	}
}
