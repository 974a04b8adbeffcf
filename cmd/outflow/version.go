package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// runVersion prints the version that the build recorded, and with what it was
// built.
func runVersion(c *cli, args []string) int {
	operands, code, done := c.parse(flagSet("version"), args)
	switch {
	case done:
		return code
	case len(operands) > 0:
		return c.fail("version takes no operands")
	}
	fmt.Fprintf(c.stdout, "outflow %s %s %s/%s\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitClean
}

// buildVersion returns the module's version, or the revision it was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(len(s.Value), 12)]
		}
	}
	return "devel"
}
