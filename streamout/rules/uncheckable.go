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
	}
}
