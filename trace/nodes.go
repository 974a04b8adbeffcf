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
const manyNodes = 1 << 16

// room returns room for the nodes of a text: what is there already, where that
// suffices. What is in a string may look like tags: the text's length bounds the room.
func (l longNodes) room(nodes []pipe.Node, text []byte) []pipe.Node {
	const bytesPerNode, endsPerNode = len("<elem><int>0</int></elem>"), 2
	want := min(len(text)/bytesPerNode, bytes.Count(text, []byte("</"))/endsPerNode)
	want = max(want, usualNodes(len(text)))
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
	return make([]pipe.Node, 0, want+want/16) // the next long call may be a little longer
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
