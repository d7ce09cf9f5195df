package worker

import (
	"context"
	"testing"

	"example.org/press/queue" //= imports queue/log.go
)

func TestRun(t *testing.T) {
	p, err := Refill(&queue.Memory{}, &queue.Job{ID: 1}) //= calls worker/worker.go Refill; tested_by worker/worker.go Refill; calls queue/log.go Memory; tested_by queue/log.go Memory; calls queue/queue.go Job; tested_by queue/queue.go Job
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Run(context.Background()); got != 1 { //= calls worker/worker.go Printer.Run; tested_by worker/worker.go Printer.Run
		t.Fatalf("printed %d", got)
	}
}
