package trace

import (
	"bytes"

	"github.com/outflow-gpu/outflow/pipe"
)

// usualNodes is room for the nodes of a block of n bytes, as they are in most traces.
func usualNodes(n int) int { return min(n, defaultBlock) / 48 }

// longNodes has what nodes of a long call are kept in until the next one comes, as an
// array may have millions. Any goroutine may use it.
type longNodes chan []pipe.Node

// manyNodes is how many nodes are too many to keep in every batch.
const manyNodes = 1 << 18

// room returns room for the nodes of a text: what is there already, where that suffices.
func (l longNodes) room(nodes []pipe.Node, text []byte) []pipe.Node {
	const tagsPerNode = 4 // of Mesa's: <elem><uint>0</uint></elem>
	want := max(bytes.Count(text, []byte{'<'})/tagsPerNode, usualNodes(len(text)))
	if cap(nodes) >= want {
		return nodes
	}
	select {
	case nodes = <-l:
	default:
	}
	if cap(nodes) >= want {
		return nodes
	}
	return make([]pipe.Node, 0, want)
}

// put takes back many nodes, and returns what is to be kept of them in their batch.
func (l longNodes) put(nodes []pipe.Node) []pipe.Node {
	if cap(nodes) <= manyNodes {
		return nodes
	}
	select {
	case l <- nodes:
	default:
	}
	return nil
}
