package trace

import (
	"runtime"
	"sync"
)

// maxWorkers is where more workers no longer help: one goroutine cuts blocks.
const maxWorkers = 8

// ahead is how many batches, beside one for each worker, may be cut before the
// consumer takes them: with fewer, processors are put to sleep and woken more often
// than a batch is worth.
const ahead = 6

// pipeline reads blocks in one goroutine and parses them in others. Batches come
// out in the order of the trace.
type pipeline struct {
	ordered chan *Batch // in the trace's order, parsed once their ready says so
	work    chan *Batch
	stop    chan struct{}
	starved chan struct{} // the consumer waits, and has released what it will
	once    sync.Once
	running sync.WaitGroup // the goroutines
}

// workers returns how many goroutines parse; 1 means that the reader does it.
func (o Options) workers() int {
	n := o.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, maxWorkers)
}

// startPipeline starts the goroutines. They end at the end of the source, or
// after halt.
func (r *Reader) startPipeline() *pipeline {
	p := &pipeline{
		ordered: make(chan *Batch, r.workers+ahead),
		work:    make(chan *Batch, r.workers+ahead),
		stop:    make(chan struct{}),
		starved: make(chan struct{}),
	}
	r.blocks.WaitForLarge(p.spare)
	for i := range r.workers {
		parser := r.parser(i)
		p.running.Go(func() {
			for b := range p.work {
				parser.parse(b)
				b.ready <- struct{}{}
			}
		})
	}
	p.running.Go(func() {
		p.cut(r)
		close(p.work)
		close(p.ordered)
	})
	return p
}

// cut reads blocks until the end, or halt.
func (p *pipeline) cut(r *Reader) {
	for {
		b := r.batch()
		if !r.blocks.Next(&b.block) {
			r.recycle(b)
			return
		}
		select {
		case p.ordered <- b:
		case <-p.stop:
			return
		}
		p.work <- b // the workers always get there
	}
}

// next returns the next batch, parsed, or nil at the end.
func (p *pipeline) next() *Batch {
	var b *Batch
	select {
	case b = <-p.ordered:
	case p.starved <- struct{}{}:
		b = <-p.ordered
	}
	if b != nil {
		<-b.ready
	}
	return b
}

// spare waits for the buffer of a long call, which the consumer releases in time,
// unless it keeps its batches.
func (p *pipeline) spare(spare <-chan []byte) []byte {
	select {
	case b := <-spare:
		return b
	case <-p.starved:
	case <-p.stop:
	}
	select {
	case b := <-spare:
		return b
	default:
		return nil
	}
}

// halt lets the goroutines end once they have done what they are at.
func (p *pipeline) halt() { p.once.Do(func() { close(p.stop) }) }
