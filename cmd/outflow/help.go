package main

// runHelp prints the table of verbs, or the usage of one.
func runHelp(c *cli, args []string) int {
	operands, code, done := c.parse(flagSet("help"), args)
	switch {
	case done:
		return code
	case len(operands) == 0:
		c.printVerbs(c.stdout)
		return exitClean
	case len(operands) > 1:
		return c.fail("help: one verb at a time")
	}
	v, ok := findVerb(operands[0])
	if !ok {
		return c.fail("%s: no such verb; `outflow help` lists them", operands[0])
	}
	if v.name == "help" {
		c.printUsage(c.stdout, flagSet("help"))
		return exitClean
	}
	return v.run(c, []string{"--help"})
}
