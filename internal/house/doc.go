// Package house holds the tests of how the module is built: which package may
// import which, that each one introduces itself, and that files stay short.
// There is no code here to import.
package house
