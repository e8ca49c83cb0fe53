package cabi

import (
	"bytes"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/fuzztest"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/suite"
)

// yes are questions about signatures and keys with the answer yes, and the bytes that the answer depends on.
type yes struct {
	name     string
	q        []byte
	from, to int
}

func yesses(t testing.TB, h *hostile) []yes {
	t.Helper()
	all, network := seeds(t, h), 4+len(simtest.NetworkID)
	whole := func(name string, from int) yes { return yes{name, h.aimed(name, all[name].b), from, len(all[name].b)} }
	// the index and the note key of a member belong to its name, gamma to its committee
	keys := network + 4 + 2*suite.G2Bytes
	partial, memberEnd := whole("CHECK_PARTIAL", network+4), network+memberBytes
	first, last := partial, partial
	first.to, last.from = keys, memberEnd
	return []yes{
		first, last,
		whole("VERIFY", network), whole("VERIFY_SHOWN", 0), whole("VERIFY_CORE", 0), whole("VERIFY_BLINDED", 0),
		{"SHARE_MATCHES", h.aimed("SHARE_MATCHES", all["SHARE_MATCHES"].b), 8, 8 + 4 + 2*suite.G2Bytes},
	}
}

// says asks a question with some bytes changed.
func (y *yes) says(t *testing.T, q []byte) bool {
	t.Helper()
	var reply []byte
	fuzztest.Bounded(t, perInput(q), func() { reply = Invoke(number(t, y.name), bytes.Clone(q)) })
	code, result := split(t, reply)
	if code == fault.Internal {
		t.Fatalf("%s: %s", y.name, result)
	}
	return code == fault.OK && bytes.Equal(result, []byte{1})
}

func (y *yes) changed(offset uint16, patch []byte) []byte {
	q, span := bytes.Clone(y.q), y.to-y.from
	for i, v := range patch {
		if i < span {
			q[y.from+(int(offset)+i)%span] ^= v
		}
	}
	return q
}

func TestYesSeedsAreYes(t *testing.T) {
	for _, y := range yesses(t, hostileOnce()) {
		if !y.says(t, y.q) {
			t.Errorf("%s says no", y.name)
		}
	}
}

// FuzzAnswers checks that no signature and no key stays valid with another byte in it.
func FuzzAnswers(f *testing.F) {
	all := yesses(f, hostileOnce())
	for i := range all {
		for _, offset := range []uint16{0, 31, 64, 96, 200, 250} {
			f.Add(uint8(i), offset, []byte{1})
			f.Add(uint8(i), offset, []byte{0, 0x80})
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, offset uint16, patch []byte) {
		y := &all[int(which)%len(all)]
		if q := y.changed(offset, patch); !bytes.Equal(q, y.q) && y.says(t, q) {
			t.Fatalf("%s: yes to other bytes at %d", y.name, offset)
		}
	})
}

// FuzzCommittee checks that an accepted committee differs from the dealt one at most where keys are not bound to each other:
// in its epoch and in the note keys.
func FuzzCommittee(f *testing.F) {
	h := hostileOnce()
	good := new(request).committee(h.regulated.Committee).b
	for _, offset := range []uint16{0, 4, 8, 200, 400, 500, 600, 1000} {
		f.Add(offset, []byte{1})
	}
	f.Fuzz(func(t *testing.T, offset uint16, patch []byte) {
		changed := xor(append(make([]byte, 8), good...), offset, patch)[8:]
		var reply []byte
		fuzztest.Bounded(t, perInput(changed), func() { reply = Invoke(number(t, "CHECK_COMMITTEE"), bytes.Clone(changed)) })
		code, result := split(t, reply)
		if code == fault.Internal {
			t.Fatalf("%s", result)
		}
		if code != fault.OK {
			return
		}
		r := &reader{in: changed}
		c := r.committee()
		c.Epoch = h.regulated.Committee.Epoch
		for i := range c.Members {
			c.Members[i].NoteKey = h.regulated.Committee.Members[i].NoteKey
		}
		if !bytes.Equal(new(request).committee(c).b, good) {
			t.Fatal("another committee is accepted")
		}
	})
}
