// Package measure reports the processor time of benchmarks beside the clock's: on a shared machine the clock also counts
// what others do.
package measure

import (
	"syscall"
	"testing"
)

// Loop runs work as b.Loop does and reports the microseconds for each of the n items of a run, of the processor and of the
// clock. Setting up before it does not count.
func Loop(b *testing.B, n int, work func()) {
	b.Helper()
	before := processorMicros(b)
	for b.Loop() {
		work()
	}
	items := float64(b.N * n)
	b.ReportMetric(float64(processorMicros(b)-before)/items, "cpu-us/item")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/items, "us/item")
}

func processorMicros(b *testing.B) int64 {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return (use.Utime.Nano() + use.Stime.Nano()) / 1000
}
