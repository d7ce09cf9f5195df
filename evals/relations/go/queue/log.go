package queue

import "fmt"

// Logger takes lines.
type Logger interface {
	Note(line string)
}

// Memory is a Logger that keeps lines.
type Memory struct {
	Lines []string
}

// Note keeps a line.
func (m *Memory) Note(line string) { //= uses queue/log.go Memory
	m.Lines = append(m.Lines, line)
}

func (o *Owner) String() string { //= uses queue/queue.go Owner
	return "owner " + o.Name
}

func label(job *Job) string { //= uses queue/queue.go Job
	return fmt.Sprintf("%d by %s", job.ID, job.OwnerName()) //= calls queue/queue.go Job.OwnerName
}
