package trace

import (
	"fmt"
	"slices"
	"strings"
)

// Noise is a set of what differs between two recordings of one run although
// nothing is different.
type Noise uint16

// The kinds of noise.
const (
	NoiseTimes Noise = 1 << iota
	NoiseNumbers
	NoiseIndexMembers
	NoiseFences
	NoiseAddresses
	NoiseClocks
	NoiseUUIDs
	NoiseScheduling
	NoiseOutput

	// AllNoise is every kind.
	AllNoise = NoiseOutput<<1 - 1
)

// NoiseKind is a kind of noise with its name and what it stands for.
type NoiseKind struct {
	Noise      Noise
	Name, What string
}

var noises = [...]NoiseKind{
	{NoiseTimes, "times", "how long calls took"},
	{NoiseNumbers, "numbers", "the numbers of calls"},
	{NoiseIndexMembers, "index-members", "members of a draw without indices that Mesa leaves uninitialised: index.resource, index_bias, restart_index, min_index, max_index, has_user_indices; and min_index, max_index where index_bounds_valid is 0"},
	{NoiseFences, "fences", "calls about fences (fence_finish, fence_reference ...), which are made until the work is done, and the fence that flush returns"},
	{NoiseAddresses, "addresses", "addresses of the traced program's own memory: what a map returned, user buffers and user indices, loader_data, priv, data; whether they are NULL counts"},
	{NoiseClocks, "clocks", "results of get_timestamp, query_memory_info and of queries for TIMESTAMP and TIME_ELAPSED"},
	{NoiseUUIDs, "uuids", "results of get_driver_uuid, get_device_uuid and get_device_luid, which Mesa may read past their end"},
	{NoiseScheduling, "scheduling", "set_context_param, which moves threads to where the scheduler put others"},
	{NoiseOutput, "output", "lines between calls that are no part of the trace"},
}

// NoiseKinds returns each kind with its name and what it stands for.
func NoiseKinds() []NoiseKind { return slices.Clone(noises[:]) }

// ParseNoise reads names of noise with commas between, or "all".
func ParseNoise(s string) (Noise, error) {
	var set Noise
	for word := range strings.SplitSeq(s, ",") {
		word = strings.TrimSpace(word)
		n := Noise(0)
		for _, x := range noises {
			if x.Name == word {
				n = x.Noise
			}
		}
		switch {
		case word == "":
		case word == "all":
			set = AllNoise
		case n == 0:
			return 0, fmt.Errorf("%q is no kind of noise, want all or any of %s", word, AllNoise)
		}
		set |= n
	}
	return set, nil
}

// String returns the names with commas between.
func (n Noise) String() string {
	var names []string
	for _, x := range noises {
		if n&x.Noise != 0 {
			names = append(names, x.Name)
		}
	}
	return strings.Join(names, ",")
}

// methodPlan is what has to be known of a method to compare its calls.
type methodPlan struct {
	drop    Noise  // the whole call is noise of this kind
	results Noise  // so are its returned values and its arguments that are results
	kind    string // of the object that it creates or deletes
	how     creation
	// counted: equal creates may return one object, which is then deleted as often.
	counted       bool
	mapped        bool // returns an address of the program's memory
	draw, vertex  bool
	readsQuery    bool
	createsQuery  bool
	referFences   bool // dst and src are fences
	stateArgument string
}

// creation tells where a call says which object it makes or ends.
type creation uint8

const (
	createsNothing creation = iota
	createsRet
	createsTransfer // in the argument transfer or xfer
	deletesState
)

// planOf makes sense of a method's name, also of methods that are not known.
func planOf(method string) *methodPlan {
	p := &methodPlan{}
	switch method {
	case "draw_vbo":
		p.draw = true
	case "set_vertex_buffers":
		p.vertex = true
	case "get_timestamp", "query_memory_info":
		p.results = NoiseClocks
	case "get_driver_uuid", "get_device_uuid", "get_device_luid":
		p.results = NoiseUUIDs
	case "set_context_param":
		p.drop = NoiseScheduling
	case "get_query_result":
		p.readsQuery = true
	case "create_query":
		p.createsQuery = true
	case "flush":
		p.results = NoiseFences
	case "fence_reference":
		p.referFences = true
	}
	if strings.HasPrefix(method, "fence_") || strings.HasPrefix(method, "create_fence") {
		p.drop = NoiseFences
	}
	p.mapped = strings.HasSuffix(method, "_map") || method == "map_memory"
	p.create(method)
	if rest, ok := strings.CutPrefix(method, "bind_"); ok {
		p.stateArgument = stateKind(strings.TrimSuffix(strings.TrimSuffix(rest, "s"), "_state"))
	}
	return p
}

// create finds out what the method creates or deletes.
func (p *methodPlan) create(method string) {
	p.how = createsRet
	switch method {
	case "pipe_screen_create":
		p.kind = "screen"
		return
	case "context_create":
		p.kind = "context"
		return
	case "buffer_map", "texture_map", "transfer_map":
		p.kind, p.how = "transfer", createsTransfer
		return
	case "flush", "create_fence_fd":
		p.kind = "fence"
		return
	case "create_sampler_view":
		p.kind = "view"
		return
	case "create_stream_output_target":
		p.kind = "target"
		return
	case "create_batch_query":
		p.kind = "query"
		return
	case "create_vertex_state":
		p.kind = "vertex_state"
		return
	case "allocate_memory", "allocate_memory_fd":
		p.kind = "memory"
		return
	case "memobj_create_from_handle":
		p.kind = "memobj"
		return
	}
	if strings.HasPrefix(method, "resource_create") || strings.HasPrefix(method, "resource_from_") {
		p.kind = "resource"
		return
	}
	if rest, ok := strings.CutPrefix(method, "create_"); ok {
		rest, p.counted = strings.CutSuffix(rest, "_state")
		p.kind = stateKind(rest)
		return
	}
	p.how = createsNothing
	if rest, ok := strings.CutPrefix(method, "delete_"); ok {
		if rest, ok = strings.CutSuffix(rest, "_state"); ok {
			p.kind, p.how = stateKind(rest), deletesState
		}
	}
}

// stateKind returns the short word for what methods call a state object.
func stateKind(name string) string {
	switch name {
	case "compute":
		return "cs"
	case "depth_stencil_alpha":
		return "dsa"
	case "vertex_elements":
		return "velems"
	}
	if strings.HasSuffix(name, "sampler") {
		return "sampler"
	}
	return name
}
