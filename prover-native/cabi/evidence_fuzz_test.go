package cabi

import (
	"bytes"
	"encoding/binary"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/fuzztest"
	"solidus.io/prover/statement"
)

// accepted are requests that a verifier answers with OK, one for each kind of statement.
func accepted(t testing.TB, h *hostile) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range evidenceNames {
		all[name] = verification(t, h, name).b
		if got := h.verdict(t, name, all[name]); got != fault.OK {
			t.Fatalf("%s: the seed is not accepted: %v", name, got)
		}
	}
	return all
}

// verdict is a request's verdict, or the code of its refusal.
func (h *hostile) verdict(t testing.TB, name string, b []byte) fault.Code {
	t.Helper()
	var reply []byte
	fuzztest.Bounded(t, perInput(b), func() { reply = Invoke(number(t, name), bytes.Clone(b)) })
	code, result := split(t, reply)
	switch {
	case code == fault.Internal:
		t.Fatalf("%s: %s", name, result)
	case code != fault.OK:
		return code
	case len(result) != 4:
		t.Fatalf("%s: a verdict of %d bytes", name, len(result))
	}
	return fault.Code(binary.BigEndian.Uint32(result))
}

// families are the families of the requests.
var families = map[string]statement.Family{
	"VERIFY_TRANSFER": statement.FamilyTransfer, "VERIFY_UNREGULATED": statement.FamilyTransferUnregulated,
	"VERIFY_REGISTER": statement.FamilyRegister, "VERIFY_MINT": statement.FamilyMint, "VERIFY_RECOVER": statement.FamilyRecover,
}

// proofAt returns the offset of the proof's bytes in a request. Its length precedes them.
func proofAt(t testing.TB, name string, b []byte) int {
	t.Helper()
	at := bytes.Index(b, binary.BigEndian.AppendUint32(nil, uint32(statement.ProofBytes(families[name]))))
	if at < 0 {
		t.Fatal("the request has no proof")
	}
	return at + 4
}

// neverAccepted fails the test when a request that differs from an accepted one is accepted too. A difference within A, B and
// C is allowed: anyone who sees a proof can randomise it (TestNegatedProofIsStillAProof), and nothing depends on its bytes.
// The link after them has no second form.
func (h *hostile) neverAccepted(t *testing.T, name string, original, changed []byte) {
	t.Helper()
	if h.verdict(t, name, changed) != fault.OK || bytes.Equal(original, changed) {
		return
	}
	at := proofAt(t, name, original)
	if len(original) == len(changed) && bytes.Equal(original[:at], changed[:at]) &&
		bytes.Equal(original[at+groth.ProofBytes:], changed[at+groth.ProofBytes:]) {
		t.Logf("%s: another proof of the same statement", name)
		return
	}
	for i := range min(len(original), len(changed)) {
		if original[i] != changed[i] {
			t.Fatalf("%s: accepted with byte %d of %d changed", name, i, len(original))
		}
	}
	t.Fatalf("%s: accepted with %d bytes instead of %d", name, len(changed), len(original))
}

// Every byte of an accepted request matters: with one flipped bit it is refused.
func TestEveryByteIsBound(t *testing.T) {
	h, random := hostileOnce(), fuzztest.Random(t)
	for name, b := range accepted(t, h) {
		step := max(1, len(b)/fuzztest.Rounds(150))
		for i := 8 + random.IntN(step); i < len(b); i += step {
			changed := bytes.Clone(b)
			changed[i] ^= 1 << random.IntN(8)
			h.neverAccepted(t, name, b, changed)
		}
	}
}

func TestMutatedEvidenceIsRefused(t *testing.T) {
	h, random := hostileOnce(), fuzztest.Random(t)
	for name, b := range accepted(t, h) {
		for range fuzztest.Rounds(100) {
			h.neverAccepted(t, name, b, append(bytes.Clone(b[:8]), fuzztest.Mutate(random, b[8:])...))
		}
	}
}

// (-A, -B, C) proves the same as (A, B, C): proofs are malleable, and the identity of a request leaves them out.
func TestNegatedProofIsStillAProof(t *testing.T) {
	h := hostileOnce()
	for name, b := range accepted(t, h) {
		at := proofAt(t, name, b)
		proof, err := groth.Decode(b[at : at+groth.ProofBytes])
		if err != nil {
			t.Fatal(err)
		}
		proof.A.Neg(&proof.A)
		proof.B.Neg(&proof.B)
		a, g2 := proof.A.RawBytes(), proof.B.RawBytes()
		changed := bytes.Clone(b)
		copy(changed[at:], a[:])
		copy(changed[at+len(a):], g2[:])
		if got := h.verdict(t, name, changed); got != fault.OK {
			t.Errorf("%s: the negated proof is refused with %v", name, got)
		}
	}
}

// Parts of two accepted requests of one kind, exchanged at any place, make no third one.
func TestSplicedRequestsAreRefused(t *testing.T) {
	h, random := hostileOnce(), fuzztest.Random(t)
	first, second := accepted(t, h), accepted(t, h)
	for name, a := range first {
		b := second[name]
		for range fuzztest.Rounds(60) {
			from := 8 + random.IntN(len(a)-8)
			to := from + 1 + random.IntN(len(a)-from)
			spliced := bytes.Clone(a)
			copy(spliced[from:to], b[from:to])
			if bytes.Equal(spliced, b) {
				continue
			}
			h.neverAccepted(t, name, a, spliced)
		}
	}
}

var evidenceNames = []string{"VERIFY_TRANSFER", "VERIFY_UNREGULATED", "VERIFY_REGISTER", "VERIFY_MINT", "VERIFY_RECOVER"}

// xor changes b from an offset on. Differences rather than values keep a corpus meaningful where signatures differ by process.
func xor(b []byte, offset uint16, patch []byte) []byte {
	changed := bytes.Clone(b)
	for i, v := range patch {
		if at := 8 + int(offset) + i; at < len(changed) {
			changed[at] ^= v
		}
	}
	return changed
}

// FuzzEvidence changes accepted statements and their evidence. With renew, the payer signs the changed statement, so that
// only the proof is against it.
func FuzzEvidence(f *testing.F) {
	h := hostileOnce()
	all := accepted(f, h)
	for i, name := range evidenceNames {
		at := uint16(proofAt(f, name, all[name]) - 8)
		link, end := at+groth.ProofBytes, at+uint16(statement.ProofBytes(families[name]))
		for _, offset := range []uint16{0, 2, 50, 300, at, at + 96, at + 288, link, link + 32, link + 128, end - 32, end, end + 8} {
			f.Add(uint8(i), offset, []byte{1}, false)
		}
	}
	f.Add(uint8(0), uint16(3), []byte{0, 0, 1}, true)
	f.Add(uint8(1), uint16(300), []byte{1}, true)
	f.Fuzz(func(t *testing.T, which uint8, offset uint16, patch []byte, renew bool) {
		name := evidenceNames[int(which)%len(evidenceNames)]
		b := xor(all[name], offset, patch)
		if renew {
			b = h.signedAgain(t, name, b)
		}
		h.neverAccepted(t, name, all[name], b)
	})
}

// signedAgain replaces the payer's signature in a request that still decodes. The statement then differs from the proved one.
func (h *hostile) signedAgain(t *testing.T, name string, b []byte) []byte {
	t.Helper()
	w := h.regulated
	if name == "VERIFY_UNREGULATED" {
		w = h.unregulated
	} else if name != "VERIFY_TRANSFER" {
		return b
	}
	r := &reader{in: b[8:]}
	s, e := r.transfer()
	if r.err != nil || s.CheckShape() != nil {
		return b
	}
	before, proof := len(b)-len(r.in), bytes.Clone(e.Proof)
	x := w.Transfer(t)
	x.Statement, x.Evidence = s, e
	w.Sign(t, x)
	x.Evidence.Proof = proof
	q := new(request).raw(b[:8]).transfer(s, e).raw(b[before:])
	return q.b
}

// FuzzBatch changes one item of a batch: its own verdict changes, no other's does.
func FuzzBatch(f *testing.F) {
	h := hostileOnce()
	var items [3][]byte
	for i := range items {
		items[i] = verification(f, h, "VERIFY_TRANSFER").b[8:]
	}
	proof := uint16(proofAt(f, "VERIFY_TRANSFER", items[0]))
	for _, offset := range []uint16{0, 60, 500, proof, proof + 300, proof + groth.ProofBytes, proof + groth.ProofBytes + 128} {
		f.Add(uint8(offset), offset, []byte{1})
	}
	f.Fuzz(func(t *testing.T, which uint8, offset uint16, patch []byte) {
		bad := int(which) % len(items)
		q := new(request).u64(h.verifier).u32(uint32(len(items)))
		unchanged := true
		for i := range items {
			item := items[i]
			if i == bad {
				item = xor(append(make([]byte, 8), items[i]...), offset, patch)[8:]
				unchanged = bytes.Equal(item, items[i])
			}
			q.sized(item)
		}
		code, result := split(t, Invoke(number(t, "VERIFY_TRANSFERS"), q.b))
		if code != fault.OK || len(result) != 4*len(items) {
			t.Fatalf("%v with %d bytes", code, len(result))
		}
		for i := range items {
			got := fault.Code(binary.BigEndian.Uint32(result[4*i:]))
			switch {
			case i != bad && got != fault.OK:
				t.Fatalf("item %d suffers from item %d: %v", i, bad, got)
			case i == bad && got == fault.OK && !unchanged:
				h.neverAccepted(t, "VERIFY_TRANSFER", append(new(request).u64(h.verifier).b, items[i]...),
					xor(append(new(request).u64(h.verifier).b, items[i]...), offset, patch))
			case i == bad && unchanged && got != fault.OK:
				t.Fatalf("the untouched item is refused: %v", got)
			}
		}
	})
}
