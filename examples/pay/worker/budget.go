// Package worker takes refunds from the queue and sends them.
package worker

import (
	"sync"
	"time"
)

// RetryBudget allows retries only while they are a small share of all requests.
// Without it a provider that is slow is kept down by our own retries.
type RetryBudget struct {
	Share  float64       // of the requests in the window that may be retries, 0.1 for ten percent
	Window time.Duration // one minute in production

	mu       sync.Mutex
	requests []time.Time
	retries  []time.Time
}

// Allow reports whether one more retry fits the budget, and counts it when it does.
func (b *RetryBudget) Allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests = recent(b.requests, now, b.Window)
	b.retries = recent(b.retries, now, b.Window)
	if float64(len(b.retries)+1) > b.Share*float64(len(b.requests)+1) {
		return false
	}
	b.retries = append(b.retries, now)
	return true
}

// Sent counts a first attempt.
func (b *RetryBudget) Sent(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests = append(b.requests, now)
}

func recent(times []time.Time, now time.Time, window time.Duration) []time.Time {
	kept := times[:0]
	for _, t := range times {
		if now.Sub(t) < window {
			kept = append(kept, t)
		}
	}
	return kept
}
