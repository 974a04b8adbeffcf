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
const ahead = 3

// enough is how many cut batches keep the consumer busy: with that many waiting, the
// goroutine that cuts parses too, while the text is in its processor's cache.
const enough = 2

// pipeline cuts blocks in one goroutine, and parses them where there is time: in the
// same one, in others, or where the consumer takes them. Batches come out in the
// order of the trace.
type pipeline struct {
	ordered chan *Batch  // in the trace's order
	work    chan *Batch  // those for goroutines that only parse, nil without any
	parser  *blockParser // of the consumer
	stop    chan struct{}
	starved chan struct{} // the consumer waits, and has released what it will
	once    sync.Once
	running sync.WaitGroup // the goroutines
}

// workers returns how many goroutines share the work, the caller's among them.
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
		parser:  r.parser(0),
		stop:    make(chan struct{}),
		starved: make(chan struct{}),
	}
	r.blocks.WaitForLarge(p.spare)
	const cutterAndConsumer = 2
	if r.workers > cutterAndConsumer {
		p.work = make(chan *Batch, r.workers+ahead)
	}
	for i := cutterAndConsumer; i < r.workers; i++ {
		parser := r.parser(i)
		p.running.Go(func() {
			for b := range p.work {
				parser.parse(b)
				b.ready <- struct{}{}
			}
		})
	}
	parser := r.parser(1)
	p.running.Go(func() {
		p.cut(r, parser)
		if p.work != nil {
			close(p.work)
		}
		close(p.ordered)
	})
	return p
}

// cut reads blocks until the end, or halt.
func (p *pipeline) cut(r *Reader, parser *blockParser) {
	for {
		b := r.batch()
		if !r.blocks.Next(&b.block) {
			r.recycle(b)
			return
		}
		consumerBusy := len(p.ordered) >= enough
		if consumerBusy {
			parser.parse(b)
			b.ready <- struct{}{}
		}
		b.unparsed = !consumerBusy && p.work == nil
		select {
		case p.ordered <- b:
		case <-p.stop:
			return
		}
		if !consumerBusy && p.work != nil {
			p.work <- b // the workers always get there
		}
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
	switch {
	case b == nil:
	case b.unparsed:
		p.parser.parse(b)
	default:
		<-b.ready
	}
	return b
}

// spare waits for the buffer of a long call, which the consumer releases in time,
// unless it keeps its batches.
func (p *pipeline) spare(back <-chan []byte) []byte {
	select {
	case b := <-back:
		return b
	case <-p.starved:
	case <-p.stop:
	}
	select {
	case b := <-back:
		return b
	default:
		return nil
	}
}

// halt lets the goroutines end once they have done what they are at.
func (p *pipeline) halt() { p.once.Do(func() { close(p.stop) }) }
