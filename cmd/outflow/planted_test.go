package main

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// plant is a fault put into a trace of a program that did nothing wrong.
type plant struct {
	name   string
	trace  string
	edit   func(r *recorded)
	rule   string // "" for what stays legal
	also   string // what must follow from the fault, by name
	driver string // the profile it is checked for, "" for none
	// as is the severity of the rule, Silent for whichever it is.
	as streamout.Severity
}

const (
	separate     = "separate.llvmpipe.xml.gz"
	interleaved  = "interleaved.llvmpipe.xml.gz"
	streams      = "streams.llvmpipe.xml.gz"
	pause        = "pause.llvmpipe.xml.gz"
	drawauto     = "drawauto.llvmpipe.xml.gz"
	queries      = "queries.llvmpipe.xml.gz"
	tessellation = "tessellation.llvmpipe.xml.gz"
	contexts     = "contexts.llvmpipe.xml.gz"
	doubles      = "doubles.llvmpipe.xml.gz"
	registers    = "registers.llvmpipe.xml.gz"
	overflow     = "overflow.llvmpipe.xml.gz"
	overflows    = "overflow-queries.llvmpipe.xml.gz"
	strideOnly   = "stride-only.llvmpipe.xml.gz"
	matrices     = "matrices.llvmpipe.xml.gz"
	qualifiers   = "qualifiers.llvmpipe.xml.gz"
	clip         = "clip.llvmpipe.xml.gz"

	separateTGSI  = "separate.softpipe-tgsi.xml.zst"
	arraysTGSI    = "arrays.softpipe-tgsi.xml.zst"
	adjacencyTGSI = "adjacency.softpipe-tgsi.xml.zst"
)

// found are the findings of a check: how many each rule has, and how severe.
type found struct {
	count    map[string]int
	severity map[string]streamout.Severity
}

// checkText checks a trace as `check --min-severity note` does.
func checkText(t *testing.T, text, driver string, say bool) found {
	t.Helper()
	f := found{map[string]int{}, map[string]streamout.Severity{}}
	opts := streamout.Options{Rules: rules.All(), Report: func(finding *streamout.Finding) {
		id := finding.Rule.ID
		f.count[id]++
		f.severity[id] = max(f.severity[id], finding.Severity)
		if say {
			t.Logf("call %d %s: %v: %s [%s]", finding.No, finding.Method, finding.Severity, finding.Message, id)
		}
	}}
	if driver != "" {
		profile, ok := pipe.ProfileByName(driver)
		require.True(t, ok, "no profile %s", driver)
		opts.Profile = &profile
	}
	reader, err := trace.NewReader(strings.NewReader(text), trace.Options{Name: "planted"})
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, follow(reader, streamout.NewTrack(opts)))
	return f
}

// check returns the rules that say more than they do of the trace as it was
// recorded, notes included, with their severities.
func (p *plant) check(t *testing.T) map[string]streamout.Severity {
	t.Helper()
	r := record(t, p.trace)
	before := checkText(t, r.text(), p.driver, false)
	p.edit(r)
	after := checkText(t, r.text(), p.driver, true)
	maps.DeleteFunc(after.severity, func(id string, _ streamout.Severity) bool { return after.count[id] <= before.count[id] })
	return after.severity
}

// plants are the faults of TestPlantedFaults.
func plants() []plant {
	return slices.Concat(infoPlants(), capPlants(), profilePlants(), textPlants(), streamPlants(), gapPlants(), leftoverPlants(), stagePlants(),
		targetPlants(), bindingPlants(), slotPlants(), orderPlants(),
		lifetimePlants(), changePlants(), drawPlants(), rasterPlants(), hazardPlants(), drawAutoPlants(), queryPlants(), tracePlants(),
		depthStencilPlants())
}

// TestPlantedFaults puts one fault at a time into traces of programs that did
// nothing wrong: each is named by its rule, and nothing else is said.
func TestPlantedFaults(t *testing.T) {
	for _, p := range plants() {
		t.Run(p.name, func(t *testing.T) {
			found := p.check(t)
			require.Contains(t, found, p.rule)
			if p.as != streamout.Silent {
				require.Equal(t, p.as, found[p.rule])
			}
			delete(found, p.rule)
			for _, follower := range strings.Fields(p.also) {
				require.Contains(t, found, follower, "listed as a follower but not found")
				delete(found, follower)
			}
			require.Empty(t, found, "unrelated findings")
		})
	}
}

// TestEveryRuleIsPlanted holds that the table has a fault for each rule of the
// catalog.
func TestEveryRuleIsPlanted(t *testing.T) {
	planted := map[string]bool{}
	for _, p := range plants() {
		planted[p.rule] = true
	}
	for _, r := range rules.All() {
		require.True(t, planted[r.ID], "no plant for %s", r.ID)
		delete(planted, r.ID)
	}
	require.Empty(t, planted, "no such rules")
}

// TestLegalChanges changes the same traces in ways that stay legal: there is
// nothing to warn of, but where the change says so.
func TestLegalChanges(t *testing.T) {
	all := slices.Concat(legalChanges(), legalSizes())
	require.GreaterOrEqual(t, len(all), 15)
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			for rule, s := range p.check(t) {
				require.LessOrEqual(t, s, max(p.as, streamout.Note), rule)
			}
		})
	}
}

// TestUntouchedTraces demands that the traces are clean before anything is put
// into them, and that taking them apart and together changes nothing.
func TestUntouchedTraces(t *testing.T) {
	names := map[string]bool{}
	for _, p := range slices.Concat(plants(), legalChanges()) {
		names[p.trace] = true
	}
	for name := range names {
		for rule, s := range checkText(t, record(t, name).text(), "", true).severity {
			require.Less(t, s, streamout.Warning, "%s: %s", name, rule)
		}
		r, err := trace.NewReader(strings.NewReader(record(t, name).text()), trace.Options{})
		require.NoError(t, err)
		for range r.Records() {
			continue
		}
		require.True(t, r.Ending().Complete)
		require.Zero(t, r.Ending().Malformed)
		require.NoError(t, r.Close())
	}
}

// TestHostileNumbers sends numbers that no program can have meant through a
// whole check: it answers, and does not allocate by them.
func TestHostileNumbers(t *testing.T) {
	for _, n := range []string{"129", "3203391149", "4294967295", "18446744073709551615"} {
		for _, field := range []string{"num_outputs", "register_index", "start_component", "num_components", "output_buffer", "dst_offset", "stream"} {
			r := record(t, separate)
			r.number("create_vs_state", 0, field, 0, n)
			var out bytes.Buffer
			code := run([]string{"check", "-"}, strings.NewReader(r.text()), &out, io.Discard)
			require.Equal(t, exitFound, code, "%s %s: %s", field, n, out.String())
			if n != "129" { // which is a legal dst_offset, of a stride that is too small
				require.Contains(t, out.String(), n)
			}
		}
	}
}
