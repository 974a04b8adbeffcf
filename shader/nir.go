package shader

func parseNIR(o *Outputs, text []byte, cut bool) {}
