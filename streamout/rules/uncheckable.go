package rules

// Unseen is a demand on stream output that neither a trace nor a live stack can
// show broken, so that no rule checks it.
type Unseen struct {
	// ID is the name that the rule would have.
	ID string
	// Reason says what would have to be seen.
	Reason string
}

// Uncheckable returns the demands that no rule checks, and why, by object.
func Uncheckable() []Unseen {
	return []Unseen{
		// info
		{"so-bitfield-truncation", "what builds an info here refuses a number that does not fit; one that a trace holds is an error of the so-*-range rules"},
		// binding
		{"so-set-offsets-short", "a trace prints as many offsets as num_targets says, and a live stack hands over a slice: the memory behind it, which iris reads, is not seen"},
		{"so-restart-same-target", "whether the data of the target were read before is not seen: reads through persistent maps and by other processes are not calls"},
		{"so-cso-bypass", "the shadow of the CSO context is above the interface, and a call does not tell who made it"},
		{"so-bind-no-hazard-barrier", "the barriers are calls of Vulkan and D3D; Gallium orders a bind by itself, and what a front end left out is gone by then"},
		// lifetime
		{"so-target-direct-destroy", "reference counts are fields of the objects, not arguments of calls"},
		{"so-unsaved-meta-state", "a call does not tell that it belongs to a blit or clear of a state tracker, which is what would have to restore the targets"},
		{"so-cso-unrestored", "saving and restoring of the CSO context are no calls of the interface"},
		{"so-refcount-negative", "reference counts are fields of the objects, not arguments of calls"},
		// shader
		{"so-position-transformed", "whether the position was transformed shows in a pass of the driver, and the capability that asks for it is not stream output's"},
		{"so-xfb-compaction", "the pass runs before the create: only the shader before and after it would tell; `outflow preserve` compares two levels of one run"},
		{"so-info-lost", "one level does not show what the level above handed over: `outflow preserve` compares two, `outflow audit` reads the sources"},
		{"so-variant-link", "variants are made inside the driver, without a create; the draw that needs one is so-fake-draw-lower"},
		// target
		{"so-target-create-context", "the context is a field that the driver fills in, not an argument of calls"},
		{"so-target-reference-init", "reference counts are fields of the objects, not arguments of calls"},
		// zeroing
		{"so-uninit-padding", "neither a trace nor the packed form has padding; `outflow audit` looks for structs that are hashed without being zeroed"},
		{"so-builder-order", "what a helper zeroed is zero when the call is made: `outflow audit` reads the order in the sources"},
		{"so-virgl-chunk", "how a shader is cut into chunks for the host is below the interface"},
		{"so-virgl-field-mask", "a number that wide is an error of so-register-range, so-component-count or so-buffer-range already"},
		{"so-cache-roundtrip", "what comes out of a cache is a create like any other: only the run that filled it could be compared with"},
		{"so-tc-copy", "a demand on layers, which this one meets: what is kept of a call is copied"},
		{"so-trace-roundtrip", "a demand on the writer and reader of traces, which their tests hold"},
		{"so-dump-loss", "a demand on dumps, which their tests hold: util_dump_stream_output_info leaves out dst_offset and stream"},
		{"so-host-compat", "the same demand as so-num-outputs-virgl"},
		// draw
		{"so-raster-stream-nonzero-api", "Gallium has no field for the rasterized stream: what the API asked for is above the interface, and refused by the translators"},
		{"so-ds-feedback-meta", "draws of a driver's own blitter are below the interface"},
		{"so-degenerate-drop", "which primitives are degenerate hangs on what the shader computes"},
		// query
		{"so-query-pair-two-counters", "how a program reads the result that it got is not seen: a call returns both numbers"},
		{"so-query-index-softpipe-old", "a trace does not tell the version of its driver; a stream that is counted wrong shows as so-query-result-predicted"},
	}
}
