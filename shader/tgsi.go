package shader

import "github.com/outflow-gpu/outflow/pipe"

const noStage pipe.Stage = 0xff

func tgsiStage(text []byte) pipe.Stage { return noStage }

func parseTGSI(o *Outputs, text []byte, cut bool) {}
