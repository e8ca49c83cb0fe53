// Package fuzztest holds what fuzz targets share: seeds, deterministic mutations, and bounds on memory. It is imported by tests.
//
// A target's seeds and a few thousand mutations of them run in every plain go test; go test -fuzz goes on from there, guided by
// coverage. ./solidus fuzz runs every target of the module.
package fuzztest

import (
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"testing"
)

// Rounds is how many mutations a plain test run tries per seed; SOLIDUS_FUZZ_ROUNDS sets another number.
func Rounds(ordinary int) int {
	if n, err := strconv.Atoi(os.Getenv("SOLIDUS_FUZZ_ROUNDS")); err == nil && n > 0 {
		return n
	}
	return ordinary
}

// Random is the source of a deterministic run. SOLIDUS_FUZZ_SEED sets another seed; a test that fails says which it had.
func Random(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("SOLIDUS_FUZZ_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("replay with SOLIDUS_FUZZ_SEED=%d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))
}

// interesting are values at which decoders change their minds.
var interesting = [][]byte{
	{0}, {1}, {0x40}, {0x80}, {0xc0}, {0xff}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0x7f, 0xff, 0xff, 0xff}, {0x80, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff},
	{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
}

// Mutate returns another byte string made of seed by one to four small changes.
func Mutate(random *rand.Rand, seed []byte) []byte {
	b := append([]byte(nil), seed...)
	for range 1 + random.IntN(4) {
		b = mutateOnce(random, b)
	}
	return b
}

func mutateOnce(random *rand.Rand, b []byte) []byte {
	if len(b) == 0 {
		return append(b, byte(random.Uint32()))
	}
	at := random.IntN(len(b))
	switch random.IntN(8) {
	case 0:
		b[at] ^= 1 << random.IntN(8)
	case 1:
		b[at] = byte(random.Uint32())
	case 2:
		copy(b[at:], interesting[random.IntN(len(interesting))])
	case 3: // one more or one less, with its carry
		delta := byte(1)
		if random.IntN(2) == 0 {
			delta = 0xff
		}
		b[at] += delta
	case 4:
		return b[:at]
	case 5:
		return append(b[:at:at], append([]byte{byte(random.Uint32())}, b[at:]...)...)
	case 6:
		return append(b[:at:at], b[min(at+1+random.IntN(48), len(b)):]...)
	default: // a part of itself somewhere else, as for exchanged fields
		from := random.IntN(len(b))
		copy(b[at:], b[from:min(from+1+random.IntN(96), len(b))])
	}
	return b
}

// Allocated is how many bytes of heap a call takes, whatever happens to them afterwards.
func Allocated(call func()) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	call()
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before
}

// Bounded fails the test when a call allocates more than limit bytes. What the runtime books for other goroutines in the same
// time is counted too, so limits are generous; a decoder that allocates by an attacker's number exceeds them at once.
func Bounded(t testing.TB, limit uint64, call func()) {
	t.Helper()
	if n := Allocated(call); n > limit {
		t.Fatalf("%d bytes allocated for one input, at most %d expected", n, limit)
	}
}

// Flat fails the test when the live heap after many calls is larger than after the first tenth of them by more than limit.
func Flat(t testing.TB, rounds int, limit uint64, call func(i int)) {
	t.Helper()
	warm := max(rounds/10, 1)
	for i := range warm {
		call(i)
	}
	before := live()
	for i := warm; i < rounds; i++ {
		call(i)
	}
	if after := live(); after > before+limit {
		t.Fatalf("the live heap grew from %d to %d bytes in %d inputs", before, after, rounds-warm)
	}
}

// live is the heap in use after a collection.
func live() uint64 {
	runtime.GC()
	runtime.GC() // what finalisers and pools held the first time
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
