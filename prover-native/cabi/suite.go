package cabi

import (
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// verdicts are the codes that mean "no" to a question about a value. All other codes mean that the question is wrong.
var verdicts = map[fault.Code]bool{
	fault.FieldNotCanonical:     true,
	fault.ScalarNotCanonical:    true,
	fault.PointNotCanonical:     true,
	fault.IdentityPoint:         true,
	fault.PointNotOnCurve:       true,
	fault.PointNotInSubgroup:    true,
	fault.BadLength:             true,
	fault.PartialInvalid:        true,
	fault.ShareInvalid:          true,
	fault.SignatureInvalid:      true,
	fault.ShownSignatureInvalid: true,
	fault.KeySignatureInvalid:   true,
	fault.LinkInvalid:           true,
}

// answer writes whether err is nil. It returns errors that are not verdicts.
func (w *writer) answer(err error) error {
	if err != nil && !verdicts[fault.CodeOf(err)] {
		return err
	}
	w.flag(err == nil)
	return nil
}

func publicKey(r *reader, w *writer) error {
	a := r.keyScalar()
	defer a.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	pk, err := suite.PublicKey(&a)
	w.key(&pk)
	return err
}

func apk(r *reader, w *writer) error {
	n, nk, pk := r.network(), r.field(), r.key()
	defer nk.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	e := n.Hasher().Apk(nk, &pk)
	w.field(&e)
	return nil
}

func serialKey(r *reader, w *writer) error {
	n, nk, pk := r.network(), r.field(), r.key()
	defer nk.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	e := n.Hasher().SerialKey(nk, &pk)
	defer e.SetZero()
	w.field(&e)
	return nil
}

// commitment is c_m of a message under its secret s.
func commitment(r *reader, w *writer) error {
	n, s, hm := r.network(), r.field(), r.field()
	defer s.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	e := n.Hasher().Commit(s, hm)
	w.field(&e)
	return nil
}

func serial(r *reader, w *writer) error {
	n, key, rho := r.network(), r.field(), r.field()
	defer key.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	e := n.Hasher().Serial(key, rho)
	w.field(&e)
	return nil
}

func rhos(r *reader, w *writer) error {
	n, seed, d, outputs := r.network(), r.field(), r.field(), r.parts()
	if err := r.end(); err != nil {
		return err
	}
	for _, rho := range n.Hasher().OutputRhos(outputs, seed, d) {
		w.field(&rho)
	}
	return nil
}

func (r *reader) kind() statement.Kind {
	k := statement.Kind(r.u8())
	if r.err == nil && k != statement.Regulated && k != statement.Unregulated {
		r.fail(fault.New(fault.MalformedRequest, "unknown kind of network"))
	}
	return k
}

// messageOf returns a coin's message with the hash tag of the network's kind.
func messageOf(n *statement.Network, k statement.Kind, origin hash.Origin, value uint64, owner, rho suite.Field) suite.Field {
	if k == statement.Unregulated {
		return n.Hasher().CoinUnregulated(value, owner, rho)
	}
	return n.Hasher().Coin(origin, value, owner, rho)
}

func coinMessage(r *reader, w *writer) error {
	n, kind, origin, value, owner, rho := r.network(), r.kind(), r.origin(), r.u64(), r.field(), r.field()
	if err := r.end(); err != nil {
		return err
	}
	if kind == statement.Unregulated && origin != hash.OriginPayment {
		return fault.New(fault.MalformedRequest, "coins of unregulated networks have no origin")
	}
	hm := messageOf(n, kind, origin, value, owner, rho)
	w.field(&hm)
	return nil
}

func complianceMessage(r *reader, w *writer) error {
	n, owner := r.network(), r.field()
	cc := r.compliance()
	if err := r.end(); err != nil {
		return err
	}
	hm := complianceHash(n, &owner, &cc)
	w.field(&hm)
	return nil
}

func complianceHash(n *statement.Network, owner *suite.Field, cc *transfer.Compliance) suite.Field {
	return n.Hasher().Compliance(&hash.Compliance{
		Apk: *owner, Rho: cc.Rho, Period: cc.Period, Sent: cc.Sent, Count: cc.Count, Held: cc.Held, Com: cc.Com,
	})
}

func history(r *reader, w *writer) error {
	n := r.network()
	e := hash.Entry{
		Com: r.field(), Paid: r.u64(), In1: r.u64(), In2: r.u64(), Withdraw: r.u64(), Origin1: r.origin(), Origin2: r.origin(),
		Escrow: r.flag(), Period: r.u32(), Counterparty: r.field(), R: r.field(),
	}
	if err := r.end(); err != nil {
		return err
	}
	com := n.Hasher().Entry(&e)
	w.field(&com)
	return nil
}

func randomisedKey(r *reader, w *writer) error {
	pk, alpha := r.uncheckedKey(), r.keyScalar()
	defer alpha.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	rk, err := suite.RandomisedKey(&pk, &alpha)
	w.key(&rk)
	return err
}

func signCore(r *reader, w *writer) error {
	a, alpha, core := r.keyScalar(), r.keyScalar(), r.array32()
	defer a.SetZero()
	defer alpha.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	sig, err := suite.SignCore(&a, &alpha, core)
	w.bytes(sig)
	return err
}

func verifyCore(r *reader, w *writer) error {
	rk, core, sig := r.uncheckedKey(), r.array32(), r.sized()
	if err := r.end(); err != nil {
		return w.answer(err)
	}
	return w.answer(suite.VerifyCore(&rk, core, sig))
}

func checkCommittee(r *reader, _ *writer) error {
	c := r.committee()
	if err := r.end(); err != nil {
		return err
	}
	return c.Check()
}
