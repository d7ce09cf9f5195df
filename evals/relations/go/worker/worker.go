package worker

import (
	"context"

	"example.org/press/queue" //= imports queue/log.go
)

// Counter counts.
type Counter struct {
	n int
}

// Add one.
func (c *Counter) Add() { //= uses worker/worker.go Counter
	c.n++
}

// Printer prints what a queue holds.
type Printer struct {
	Counter //= extends worker/worker.go Counter
	source  *queue.Queue //= uses queue/queue.go Queue
	log     queue.Logger //= uses queue/log.go Logger
}

// NewPrinter prints from source.
func NewPrinter(source *queue.Queue) *Printer { //= uses queue/queue.go Queue; uses worker/worker.go Printer
	memory := &queue.Memory{} //= calls queue/log.go Memory
	return &Printer{source: source, log: memory} //= calls worker/worker.go Printer
}

// Run prints until the context ends or nothing is left.
func (p *Printer) Run(ctx context.Context) int { //= uses worker/worker.go Printer
	for ctx.Err() == nil {
		job := p.source.Pop() //= calls queue/queue.go Queue.Pop
		if job == nil {
			break
		}
		p.print(job) //= calls worker/worker.go Printer.print
	}
	return p.n
}

func (p *Printer) print(job *queue.Job) { //= uses worker/worker.go Printer; uses queue/queue.go Job
	p.Add() //= calls worker/worker.go Counter.Add
	p.log.Note(job.OwnerName()) //= calls queue/log.go Logger.Note; calls queue/queue.go Job.OwnerName
}

// Refill makes a printer of a new queue.
func Refill(log queue.Logger, jobs ...*queue.Job) (*Printer, error) { //= uses queue/log.go Logger; uses queue/queue.go Job; uses worker/worker.go Printer
	q := queue.New(log) //= calls queue/queue.go New
	for _, job := range jobs {
		if err := q.Push(job); err != nil { //= calls queue/queue.go Queue.Push
			return nil, err
		}
	}
	return NewPrinter(q), nil //= calls worker/worker.go NewPrinter
}
