package main

import "time"

// reading is a stretch of wall-clock and of processor time.
type reading struct{ wall, cpu time.Duration }

func (r *reading) add(o reading) {
	r.wall += o.wall
	r.cpu += o.cpu
}

// stopwatch reads both clocks.
type stopwatch struct {
	wall time.Time
	cpu  time.Duration
}

func start() *stopwatch { return &stopwatch{time.Now(), cpuTime()} }

// lap is the time since the start or the last lap.
func (s *stopwatch) lap() reading {
	now, cpu := time.Now(), cpuTime()
	r := reading{now.Sub(s.wall), cpu - s.cpu}
	s.wall, s.cpu = now, cpu
	return r
}
