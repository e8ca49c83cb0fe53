package main

import (
	"time"

	"solidus.io/prover/internal/machine"
)

// reading is a duration in elapsed time and in processor time.
type reading struct{ wall, cpu time.Duration }

func (r *reading) add(o reading) {
	r.wall += o.wall
	r.cpu += o.cpu
}

// stopwatch measures both.
type stopwatch struct {
	wall time.Time
	cpu  time.Duration
}

func start() *stopwatch { return &stopwatch{time.Now(), machine.ProcessorTime()} }

// lap returns the time since the start or the last lap.
func (s *stopwatch) lap() reading {
	now, cpu := time.Now(), machine.ProcessorTime()
	r := reading{now.Sub(s.wall), cpu - s.cpu}
	s.wall, s.cpu = now, cpu
	return r
}
