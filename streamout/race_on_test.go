//go:build race

package streamout

// raceDetector is on: pools of the library drop what they hold at random then,
// so that allocations cannot be counted.
const raceDetector = true
