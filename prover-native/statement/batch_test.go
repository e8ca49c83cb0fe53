package statement

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/measure"
	"solidus.io/prover/suite"
)

func (w *world) items(t testing.TB, family Family, n int) ([]*request, []Item) {
	t.Helper()
	var requests []*request
	var items []Item
	for range n {
		r := w.request(t, family)
		requests = append(requests, r)
		items = append(items, Item{r.s, r.e, &r.limits, &r.root})
	}
	return requests, items
}

func TestBatchesOfTransfers(t *testing.T) {
	for kind, family := range map[Kind]Family{Regulated: FamilyTransfer, Unregulated: FamilyTransferUnregulated} {
		w := newWorld(t, kind)
		_, items := w.items(t, family, 24)
		for _, n := range []int{0, 1, 2, 3, 5, 24} {
			for i, err := range w.verifier.VerifyTransfers(items[:n]) {
				if err != nil {
					t.Fatalf("%v, %d of %d: %v", kind, i, n, err)
				}
			}
		}
	}
}

// Whatever is broken and wherever it is in the batch, each item gets the verdict that it gets alone.
//
//spec:id V-05 V-06
func TestABatchGivesEveryItemItsOwnVerdict(t *testing.T) {
	w := newWorld(t, Regulated)
	requests, items := w.items(t, FamilyTransfer, len(violations)+4)
	for i, v := range violations {
		v.breaks(t, w, requests[i])
	}
	verdicts := w.verifier.VerifyTransfers(items)
	for i := range items {
		want := fault.OK
		if i < len(violations) {
			want = violations[i].want
		}
		if got := fault.CodeOf(verdicts[i]); got != want {
			t.Errorf("item %d: %v, want %v", i, got, want)
		}
	}
	slices.Reverse(items)
	slices.Reverse(verdicts)
	for i, err := range w.verifier.VerifyTransfers(items) {
		if fault.CodeOf(err) != fault.CodeOf(verdicts[i]) {
			t.Errorf("reversed, item %d: %v, before %v", i, err, verdicts[i])
		}
	}
}

// Items with up to three faults each, in random mixtures with good ones.
//
//spec:id V-05
func TestBatchesOfMixedFaults(t *testing.T) {
	w := newWorld(t, Regulated)
	for round, share := range []float64{0, 0.1, 0.3, 0.6, 1} {
		n := 1 + rand.IntN(30)
		requests, items := w.items(t, FamilyTransfer, n)
		faults := make([][]string, n)
		for i, r := range requests {
			if rand.Float64() >= share {
				continue
			}
			// the cheapest rule last: its fault may leave parts out that the others change
			chosen := rand.Perm(len(violations))[:1+rand.IntN(3)]
			slices.Sort(chosen)
			slices.Reverse(chosen)
			for _, at := range chosen {
				violations[at].breaks(t, w, r)
				faults[i] = append(faults[i], violations[at].name)
			}
		}
		for i, err := range w.verifier.VerifyTransfers(items) {
			got, want := fault.CodeOf(err), fault.CodeOf(w.verify(requests[i]))
			if got != want || (got == fault.OK) != (faults[i] == nil) {
				t.Errorf("round %d, %d of %d (%s): %v, alone %v", round, i, n, strings.Join(faults[i], ", "), got, want)
			}
		}
	}
}

// Faults of two links or proofs that would cancel out if both weighed the same.
func TestFaultsDoNotCancelOut(t *testing.T) {
	w := newWorld(t, Regulated)
	requests, items := w.items(t, FamilyTransfer, 6)
	e := random(t)
	link(func(_ testing.TB, _ *world, l *suite.Link) { l.Blind.Add(&l.Blind, &e) })(t, w, requests[1])
	link(func(_ testing.TB, _ *world, l *suite.Link) { l.Blind.Sub(&l.Blind, &e) })(t, w, requests[4])
	for range 4 {
		for i, err := range w.verifier.VerifyTransfers(items) {
			want := fault.OK
			if i == 1 || i == 4 {
				want = fault.LinkInvalid
			}
			if got := fault.CodeOf(err); got != want {
				t.Fatalf("item %d: %v, want %v", i, got, want)
			}
		}
	}
}

func TestItemsWithoutLimitsAreRefused(t *testing.T) {
	w := newWorld(t, Regulated)
	_, items := w.items(t, FamilyTransfer, 2)
	items[0].Root = nil
	verdicts := w.verifier.VerifyTransfers(items)
	refused(t, verdicts[0], fault.MalformedRequest)
	must(t, verdicts[1])
}

// BenchmarkTransfers measures the verification of batches, of which no part was seen before. Use -cpu 1: one batch has one
// processor.
func BenchmarkTransfers(b *testing.B) {
	w := newWorld(b, Regulated)
	_, items := w.items(b, FamilyTransfer, 256)
	for _, n := range []int{1, 4, 16, 64, 256} {
		b.Run(fmt.Sprintf("batch=%d", n), func(b *testing.B) {
			measure.Loop(b, n, func() {
				suite.Forget()
				for _, err := range w.verifier.VerifyTransfers(items[:n]) {
					must(b, err)
				}
			})
		})
	}
}

// BenchmarkStages measures the parts of the verification of a batch of 64.
func BenchmarkStages(b *testing.B) {
	w := newWorld(b, Regulated)
	const n = 64
	_, items := w.items(b, FamilyTransfer, n)
	x := &batch{verifier: w.verifier, family: FamilyTransfer, key: w.verifier.keys.Transfer, items: items, verdicts: make([]error, n)}
	x.opened = make([]*opened, n)
	all := x.open()
	for _, stage := range []struct {
		name string
		work func() error
	}{
		{"open", func() error { suite.Forget(); x.open(); return nil }}, // decoding, digests, bases, keys
		{"subgroups", func() error { return x.inSubgroup(all) }},
		{"key-signatures", func() error { return x.keysSign(all) }},
		{"presentations", func() error { return x.showsHold(all) }},
		{"links", func() error { return x.linksHold(all) }},
		{"proofs", func() error { x.proofsHold(all); return nil }},
	} {
		b.Run(stage.name, func(b *testing.B) { measure.Loop(b, n, func() { must(b, stage.work()) }) })
	}
}

// BenchmarkPoisoned measures the verdicts on a batch of 64 transfers of which some are bad. The last one is their cost one by
// one.
func BenchmarkPoisoned(b *testing.B) {
	w := newWorld(b, Regulated)
	const n = 64
	_, good := w.items(b, FamilyTransfer, n)
	run := func(name string, bad int, work func()) {
		b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "-"), bad), func(b *testing.B) {
			measure.Loop(b, n, func() { suite.Forget(); work() })
		})
	}
	for _, name := range []string{"another root", "z_1", "shown signature", "key signature", "k of order 3"} {
		breaks := violations[slices.IndexFunc(violations, func(v violation) bool { return v.name == name })].breaks
		requests, items := w.items(b, FamilyTransfer, n)
		for _, r := range requests {
			breaks(b, w, r)
		}
		for _, bad := range []int{0, 1, 3, 13, n} {
			batch := slices.Clone(good)
			for i := range bad {
				at := i * n / bad
				batch[at] = items[at]
			}
			run(name, bad, func() { w.verifier.VerifyTransfers(batch) })
		}
	}
	run("one by one", 0, func() {
		for _, i := range good {
			must(b, w.verifier.VerifyTransfer(i.Statement, i.Evidence, i.Limits, i.Root))
		}
	})
}
