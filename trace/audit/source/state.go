package source

import "maps"

// bits is what may be true of one object's member at one point.
type bits uint8

const (
	maybeUnset   bits = 1 << iota // no write has been seen
	maybePartly                   // only the count is cleared
	maybeSet                      // written, or not known
	maybeTouched                  // another member has been written
)

// unset tells that no way to this point sets the member.
func (b bits) unset() bool { return b&maybeSet == 0 && b&(maybeUnset|maybePartly) != 0 }

// state is the bits of every object, by number, on the ways that reach a
// point. A dead state is that of a point which no way reaches.
type state struct {
	dead  bool
	objs  []bits
	alias map[string]string // pointer variable: key of the object it points to
}

func (s *state) get(id int) bits {
	if id < len(s.objs) {
		return s.objs[id]
	}
	return 0
}

func (s *state) set(id int, b bits) {
	for len(s.objs) <= id {
		s.objs = append(s.objs, 0)
	}
	s.objs[id] = b
}

func (s *state) clone() state {
	return state{dead: s.dead, objs: append([]bits(nil), s.objs...), alias: maps.Clone(s.alias)}
}

// join adds the ways of o.
func (s *state) join(o state) {
	if o.dead {
		return
	}
	if s.dead {
		*s = o.clone()
		return
	}
	for id, b := range o.objs {
		s.set(id, s.get(id)|b)
	}
	for name, key := range o.alias {
		if _, ok := s.alias[name]; !ok {
			s.point(name, key)
		}
	}
}

// point makes the pointer variable name stand for the object key; an empty key
// makes it stand for itself.
func (s *state) point(name, key string) {
	if key == "" {
		delete(s.alias, name)
		return
	}
	if s.alias == nil {
		s.alias = map[string]string{}
	}
	s.alias[name] = key
}
