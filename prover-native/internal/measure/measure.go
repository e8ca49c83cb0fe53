// Package measure reports the processor time of benchmarks beside the elapsed time. On a shared machine the elapsed time also
// contains the work of other processes.
package measure

import (
	"testing"

	"solidus.io/prover/internal/machine"
)

// Loop runs work as b.Loop does. It reports the microseconds of processor time and of elapsed time for each of the n items of
// a run. Set-up before the call does not count.
func Loop(b *testing.B, n int, work func()) {
	b.Helper()
	before := machine.ProcessorTime()
	for b.Loop() {
		work()
	}
	items := float64(b.N * n)
	b.ReportMetric(float64((machine.ProcessorTime()-before).Microseconds())/items, "cpu-us/item")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/items, "us/item")
}
