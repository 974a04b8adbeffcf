//go:build !race

package streamout

const raceDetector = false
