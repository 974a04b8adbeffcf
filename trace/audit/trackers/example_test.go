package trackers_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/trace/audit"
	"github.com/outflow-gpu/outflow/trace/audit/trackers"
)

// A good utility, and its twin that forgets to restore the targets.
func Example() {
	hud := trackers.HUD()
	fmt.Println(audit.Run(trackers.Scene, hud.Layer()).Failed())
	for _, fault := range trackers.UtilityFaults() {
		if fault.Name == "targets are not restored" {
			fmt.Println(audit.Run(trackers.Scene, hud.Broken(fault)))
		}
	}
	// Output:
	// false
	// error: call 33 above draw_vbo: targets[0]: 4096 B at 0 B of a buffer above, NULL below [so-targets-lost] (and 99 times more)
}
