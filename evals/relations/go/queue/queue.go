// Package queue holds print jobs until somebody prints them.
package queue

import (
	"errors"
	"sync"
)

// Limit is how many jobs a queue takes.
const Limit = 100

// ErrFull says that no job is taken any more.
var ErrFull = errors.New("queue: full")

// Job is one thing to print.
type Job struct {
	ID    int
	Pages []string
	owner *Owner //= uses queue/queue.go Owner
}

// Owner asked for a job.
type Owner struct {
	Name string
}

// Queue is first in, first out.
type Queue struct {
	mu   sync.Mutex
	jobs []*Job //= uses queue/queue.go Job
	log  Logger //= uses queue/log.go Logger
}

// New makes an empty queue.
func New(log Logger) *Queue { //= uses queue/log.go Logger; uses queue/queue.go Queue
	return &Queue{log: log} //= calls queue/queue.go Queue
}

// Push adds a job at the end.
func (q *Queue) Push(job *Job) error { //= uses queue/queue.go Queue; uses queue/queue.go Job
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.full() { //= calls queue/queue.go Queue.full
		return ErrFull //= uses queue/queue.go ErrFull
	}
	q.jobs = append(q.jobs, job)
	q.log.Note(label(job)) //= calls queue/log.go Logger.Note; calls queue/log.go label
	return nil
}

// Pop takes the first job, nil when there is none.
func (q *Queue) Pop() *Job { //= uses queue/queue.go Queue; uses queue/queue.go Job
	if len(q.jobs) == 0 {
		return nil
	}
	job := q.jobs[0]
	q.jobs = q.jobs[1:]
	return job
}

func (q *Queue) full() bool { //= uses queue/queue.go Queue
	return len(q.jobs) >= Limit //= uses queue/queue.go Limit
}

// OwnerName of a job.
func (j *Job) OwnerName() string { //= uses queue/queue.go Job
	if j.owner == nil {
		return ""
	}
	return j.owner.String() //= calls queue/log.go Owner.String
}
