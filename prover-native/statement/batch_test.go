package statement

import (
	"slices"
	"testing"

	"solidus.io/prover/fault"
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
		_, items := w.items(t, family, 5)
		for n := range len(items) + 1 {
			for i, err := range w.verifier.VerifyTransfers(items[:n]) {
				if err != nil {
					t.Fatalf("%v, %d of %d: %v", kind, i, n, err)
				}
			}
		}
	}
}

// Whatever is broken and wherever it stands, each item gets the verdict it would get alone.
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

func TestItemsWithoutLimitsAreRefused(t *testing.T) {
	w := newWorld(t, Regulated)
	_, items := w.items(t, FamilyTransfer, 2)
	items[0].Root = nil
	verdicts := w.verifier.VerifyTransfers(items)
	refused(t, verdicts[0], fault.MalformedRequest)
	must(t, verdicts[1])
}

func BenchmarkBatch16(b *testing.B) {
	w := newWorld(b, Regulated)
	_, items := w.items(b, FamilyTransfer, 16)
	for b.Loop() {
		for _, err := range w.verifier.VerifyTransfers(items) {
			must(b, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*16), "us/transfer")
}

func BenchmarkTransfer(b *testing.B) {
	w := newWorld(b, Regulated)
	r := w.request(b, FamilyTransfer)
	for b.Loop() {
		must(b, w.verify(r))
	}
}
