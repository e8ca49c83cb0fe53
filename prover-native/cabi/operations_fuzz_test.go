package cabi

import (
	"bytes"
	"encoding/binary"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/fuzztest"
	"solidus.io/prover/statement"
)

// notOK are the seeds that end with an error, because success would take minutes, write files, or need a setup. The code
// before that error is reached.
var notOK = map[string]fault.Code{
	"HANDLE_CLOSE":     fault.UnknownHandle,
	"KEYS_OPEN":        fault.KeysMissing,
	"KEYS_INFO":        fault.KeysNoCircuit,
	"KEYS_WARM_UP":     fault.KeysNoCircuit,
	"KEYS_MAKE":        fault.MalformedRequest,
	"KEYS_FINGERPRINT": fault.MalformedRequest,
	"KEYS_REFRESH":     fault.KeysMissing,
	"KEYS_SHAPES":      fault.KeysMissing,
	"PROVE":            fault.KeysNoCircuit,
	"WALLET_STEP":      fault.KeysManifest,
	"PANIC":            fault.Internal,
}

func TestEveryOperationHasAGoodSeed(t *testing.T) {
	h := hostileOnce()
	all := seeds(t, h)
	for _, op := range operations {
		q, ok := all[op.Name]
		if !ok {
			if op.Name != "PANIC" {
				t.Errorf("%s has no seed", op.Name)
			}
			continue
		}
		code, result := split(t, Invoke(op.Number, h.aimed(op.Name, q.b)))
		if code != notOK[op.Name] {
			t.Errorf("%s: %v %q, want %v", op.Name, code, result, notOK[op.Name])
		}
		h.closeOpened(op.Name, code, result)
	}
}

// closeOpened closes the handle that a request opened.
func (h *hostile) closeOpened(name string, code fault.Code, result []byte) {
	switch name {
	case "SHARE_OPEN", "TREE_BUILD", "VERIFIER_OPEN", "KEYS_OPEN":
		if code == fault.OK {
			_ = handles.close(binary.BigEndian.Uint64(result))
		}
	}
}

// tooMuch reports requests that take too long or have effects outside the process. Other tests cover them.
func (h *hostile) tooMuch(name string, b []byte) bool {
	r := &reader{in: b}
	switch name {
	case "PANIC", "KEYS_OPEN", "KEYS_REFRESH", "KEYS_SHAPES":
		return name == "PANIC" || !bytes.Contains(b, []byte("/nowhere")) // any other path may be a device or a pipe
	case "KEYS_MAKE", "KEYS_FINGERPRINT":
		_, _ = r.network(), r.kind()
		return r.err == nil
	case "HANDLE_CLOSE":
		id := r.u64()
		return id >= h.share && id <= h.unregul
	case "TREE_BUILD":
		return len(b) > 1<<16
	}
	return false
}

// perInput bounds what one request may allocate: a fixed part for pairings and tables, and a multiple of its length.
func perInput(b []byte) uint64 { return 24<<20 + 256*uint64(len(b)) }

// challenge sends one request and checks the rules for every answer.
func (h *hostile) challenge(t *testing.T, op *operation, b []byte) {
	t.Helper()
	in := h.aimed(op.Name, b)
	if h.tooMuch(op.Name, in) {
		return
	}
	var reply []byte
	fuzztest.Bounded(t, perInput(in), func() { reply = Invoke(op.Number, in) })
	code, result := split(t, reply)
	if code == fault.Internal {
		t.Fatalf("%s: %s\n%x", op.Name, result, b)
	}
	if code.String() == "" || len(reply) > 1<<16 {
		t.Fatalf("%s answers with %d bytes of %v", op.Name, len(reply), code)
	}
	for _, v := range in {
		if v != 0 {
			t.Fatalf("%s left the request in memory", op.Name)
		}
	}
	h.closeOpened(op.Name, code, result)
}

func TestMutatedRequestsOfEveryOperation(t *testing.T) {
	h, random := hostileOnce(), fuzztest.Random(t)
	all := seeds(t, h)
	for i := range operations {
		op := &operations[i]
		if q := all[op.Name]; q != nil {
			for range fuzztest.Rounds(60) {
				h.challenge(t, op, fuzztest.Mutate(random, q.b))
			}
		}
	}
}

// Memory stays bounded whatever the requests are: handles are closed, caches are limited.
func TestMemoryStaysFlat(t *testing.T) {
	h, random := hostileOnce(), fuzztest.Random(t)
	all := seeds(t, h)
	names := make([]*operation, 0, len(operations))
	for i := range operations {
		if all[operations[i].Name] != nil {
			names = append(names, &operations[i])
		}
	}
	open := len(handles.objects)
	fuzztest.Flat(t, fuzztest.Rounds(3000), 16<<20, func(i int) {
		op := names[i%len(names)]
		h.challenge(t, op, fuzztest.Mutate(random, all[op.Name].b))
	})
	if len(handles.objects) != open {
		t.Errorf("%d handles are open, %d were", len(handles.objects), open)
	}
}

func FuzzOperations(f *testing.F) {
	h := hostileOnce()
	for name, q := range seeds(f, h) {
		f.Add(number(f, name), q.b)
	}
	f.Fuzz(func(t *testing.T, n int, b []byte) {
		if op := find(n); op != nil {
			h.challenge(t, op, b)
		} else if code, _ := split(t, Invoke(n, bytes.Clone(b))); code != fault.UnknownOperation {
			t.Fatalf("%d: %v", n, code)
		}
	})
}

// readWitness checks a witness as PROVE does, up to the proof itself.
func (h *hostile) readWitness(t testing.TB, family uint8, body []byte) (*job, error) {
	t.Helper()
	set := lookup[*openSet](&reader{in: new(request).u64(h.keySet).b})
	j, err := readJob(set.Set, statement.Family(family), &reader{in: body})
	return j, invalid(err)
}

// witnesses are good witnesses from their core on.
func witnesses(t testing.TB, h *hostile) map[statement.Family][]byte {
	t.Helper()
	w := h.regulated
	registration := new(request).raw(w.Bytes(32)).raw(enrolment(w, newAccount(w), w.Field())).keyScalar(w.KeyScalar())
	return map[statement.Family][]byte{
		statement.FamilyTransfer:            transferPlan(w).toProve(t).body(t),
		statement.FamilyTransferUnregulated: exchangeOf(w).toProve(t, w).body(),
		statement.FamilyRegister:            registration.b,
		statement.FamilyMint:                append(w.Bytes(32), issue(w, 700, w.Field())...),
		statement.FamilyClaim16:             claimOf(t, w, 9).body(t),
		statement.FamilyPay8:                payOf(t, w, 5).body(t),
		statement.FamilyRecover:             new(request).raw(w.Bytes(32)).raw(twoBranches(w).body()).keyScalar(w.KeyScalar()).b,
	}
}

func TestWitnessSeedsAreAccepted(t *testing.T) {
	h := hostileOnce()
	for family, body := range witnesses(t, h) {
		if _, err := h.readWitness(t, uint8(family), body); err != nil {
			t.Errorf("family %d: %v", family, err)
		}
	}
}

// FuzzWitness changes the plaintext that a delegated prover receives.
func FuzzWitness(f *testing.F) {
	h := hostileOnce()
	for family, body := range witnesses(f, h) {
		f.Add(uint8(family), body)
	}
	f.Fuzz(func(t *testing.T, family uint8, body []byte) {
		var err error
		fuzztest.Bounded(t, perInput(body), func() { _, err = h.readWitness(t, family, body) })
		if code := fault.CodeOf(coded(err)); code == fault.Internal {
			t.Fatalf("family %d: %v", family, err)
		}
	})
}
