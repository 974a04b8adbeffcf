package cso

import (
	"bytes"
	"sync"

	"github.com/outflow-gpu/outflow/pipe"
)

// DefaultLimit is how many objects of a kind Gallium's own cache keeps
// (cso_cache.c).
const DefaultLimit = 4096

// numStateKinds is how many kinds of state objects there are: the first of
// pipe's kinds.
const numStateKinds = int(pipe.KindVertexElements) + 1

// Cache finds the driver's object for a content: the hash leads to the
// candidates, their bytes decide. It holds objects of every kind of state,
// counted for each kind apart.
//
// An object is held, by whoever uses it, or idle. Only idle objects are evicted,
// so what is bound or saved stays. An Add that finds a kind at its limit or
// above first evicts, least recently used first, as many as are above the limit
// and a quarter of the limit (at least one); when fewer are idle, fewer. A kind
// whose objects are all held grows past its limit until some are released.
//
// A Cache may be used by several goroutines.
type Cache struct {
	mu    sync.Mutex
	limit int
	kinds [numStateKinds]kindCache
}

// kindCache is the part of a Cache for one kind.
type kindCache struct {
	byHash map[uint64]*Entry // chained by nextSame
	idle   Entry             // head of the ring of idle entries, least recently used next
	stats  Stats
}

// Entry is one cached object. Its Key and Object never change.
type Entry struct {
	key      Key
	object   pipe.Handle
	holds    int
	gone     bool // evicted or removed
	nextSame *Entry
	// The ring of idle entries; nil while held.
	prev, next *Entry
}

// Key returns the content of the object; it must not be set.
func (e *Entry) Key() *Key { return &e.key }

// Object returns the driver's object.
func (e *Entry) Object() pipe.Handle { return e.object }

// Stats counts what a Cache did for a kind.
type Stats struct {
	Objects    int    // cached now
	Held       int    // of these, in use
	Hits       uint64 // lookups that found their content
	Misses     uint64 // lookups that did not
	Collisions uint64 // comparisons of equal hashes and different bytes
	Added      uint64
	Evicted    uint64
	Removed    uint64
}

// NewCache returns an empty cache that keeps up to limit objects of each kind; 0
// means no limit.
func NewCache(limit int) *Cache {
	c := &Cache{limit: max(limit, 0)}
	for i := range c.kinds {
		k := &c.kinds[i]
		k.byHash = make(map[uint64]*Entry)
		k.idle.prev, k.idle.next = &k.idle, &k.idle
	}
	return c
}

// Hold finds the object of a content and holds it until Release is called once
// for each Hold. It is nil when there is none. A hit allocates nothing.
func (c *Cache) Hold(key *Key) *Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.kind(key)
	e := k.find(key)
	if e == nil {
		k.stats.Misses++
		return nil
	}
	k.stats.Hits++
	k.hold(e)
	return e
}

// Add caches the object of a content, held once. It copies the key. Where the
// content is cached already, by another goroutine since the Hold that missed,
// the entry there is held and returned: when its object is not the one given,
// the caller's is superfluous and its to delete. The caller deletes the evicted
// objects, too; they are of the key's kind.
func (c *Cache) Add(key *Key, object pipe.Handle) (e *Entry, evicted []pipe.Handle) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.kind(key)
	if e = k.find(key); e != nil {
		k.hold(e)
		return e, nil
	}
	if over := k.stats.Objects - c.limit; c.limit > 0 && over >= 0 {
		evicted = k.evict(over + max(1, c.limit/4))
	}
	e = &Entry{key: key.Clone(), object: object, holds: 1, nextSame: k.byHash[key.hash]}
	k.byHash[key.hash] = e
	k.stats.Objects++
	k.stats.Held++
	k.stats.Added++
	return e, evicted
}

// Release gives up one Hold of an entry, or the one that Add began with. The
// last one makes the object idle. An entry that was removed takes no harm.
func (c *Cache) Release(e *Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.gone || e.holds == 0 {
		return
	}
	if e.holds--; e.holds > 0 {
		return
	}
	k := c.kind(&e.key)
	k.stats.Held--
	e.prev, e.next = k.idle.prev, &k.idle
	e.prev.next, e.next.prev = e, e
}

// Remove takes an object out of the cache, held or not: nobody finds it any
// more. What becomes of the object is the caller's business.
func (c *Cache) Remove(e *Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.gone {
		return
	}
	k := c.kind(&e.key)
	k.drop(e)
	k.stats.Removed++
}

// Drain takes out everything, held or not, and returns the objects of a kind in
// no order.
func (c *Cache) Drain(kind pipe.Kind) []pipe.Handle {
	if !kind.IsState() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := &c.kinds[kind]
	var objects []pipe.Handle
	for _, e := range k.byHash {
		for ; e != nil; e = e.nextSame {
			objects = append(objects, e.object)
			k.drop(e)
			k.stats.Removed++
		}
	}
	return objects
}

// Stats returns the counts of a kind, zero for a kind that is no state.
func (c *Cache) Stats(kind pipe.Kind) Stats {
	if !kind.IsState() {
		return Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kinds[kind].stats
}

// kind returns the part for a key. A key that was never set has the first kind
// and bytes that equal no other's.
func (c *Cache) kind(key *Key) *kindCache { return &c.kinds[key.kind] }

func (k *kindCache) find(key *Key) *Entry {
	for e := k.byHash[key.hash]; e != nil; e = e.nextSame {
		if bytes.Equal(e.key.bytes, key.bytes) {
			return e
		}
		k.stats.Collisions++
	}
	return nil
}

func (k *kindCache) hold(e *Entry) {
	if e.holds++; e.holds == 1 {
		k.stats.Held++
		e.unlinkIdle()
	}
}

func (e *Entry) unlinkIdle() {
	e.prev.next, e.next.prev = e.next, e.prev
	e.prev, e.next = nil, nil
}

// evict takes out at most n idle objects.
func (k *kindCache) evict(n int) []pipe.Handle {
	var objects []pipe.Handle
	for ; n > 0 && k.idle.next != &k.idle; n-- {
		e := k.idle.next
		objects = append(objects, e.object)
		k.drop(e)
		k.stats.Evicted++
	}
	return objects
}

// drop unlinks an entry from everything. Its nextSame stays, for who walks the chain.
func (k *kindCache) drop(e *Entry) {
	if first := k.byHash[e.key.hash]; first != e {
		for first.nextSame != e {
			first = first.nextSame
		}
		first.nextSame = e.nextSame
	} else if e.nextSame != nil {
		k.byHash[e.key.hash] = e.nextSame
	} else {
		delete(k.byHash, e.key.hash)
	}
	if e.holds > 0 {
		k.stats.Held--
	} else {
		e.unlinkIdle()
	}
	e.gone = true
	k.stats.Objects--
}
