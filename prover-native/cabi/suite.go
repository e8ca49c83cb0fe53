package cabi

import (
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// verdicts are the codes that answer "no" to a question about a value, rather than say that the question is wrong.
var verdicts = map[fault.Code]bool{
	fault.FieldNotCanonical:     true,
	fault.ScalarNotCanonical:    true,
	fault.PointNotCanonical:     true,
	fault.IdentityPoint:         true,
	fault.PointNotOnCurve:       true,
	fault.PointNotInSubgroup:    true,
	fault.BadLength:             true,
	fault.RetrySeed:             true,
	fault.PartialInvalid:        true,
	fault.ShareInvalid:          true,
	fault.SignatureInvalid:      true,
	fault.ShownSignatureInvalid: true,
	fault.KeySignatureInvalid:   true,
}

// answer writes whether err is nil, or passes an error that is no verdict on.
func (w *writer) answer(err error) error {
	if err != nil && !verdicts[fault.CodeOf(err)] {
		return err
	}
	w.flag(err == nil)
	return nil
}

func publicKey(r *reader, w *writer) error {
	a := r.scalar()
	defer a.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	pk, err := suite.PublicKey(&a)
	w.point(&pk)
	return err
}

func apk(r *reader, w *writer) error {
	n, nk, pk := r.network(), r.field(), r.point()
	defer nk.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	e := n.Hasher().Apk(nk, &pk)
	w.field(&e)
	return nil
}

func serialKey(r *reader, w *writer) error {
	n, nk, pk := r.network(), r.field(), r.point()
	defer nk.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	e := n.Hasher().SerialKey(nk, &pk)
	defer e.SetZero()
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
	n, seed, d := r.network(), r.field(), r.field()
	if err := r.end(); err != nil {
		return err
	}
	rho0, rho1 := n.Hasher().Rhos(seed, d)
	w.field(&rho0)
	w.field(&rho1)
	return nil
}

func (r *reader) kind() statement.Kind {
	k := statement.Kind(r.u8())
	if r.err == nil && k != statement.Regulated && k != statement.Unregulated {
		r.fail(fault.New(fault.MalformedRequest, "unknown kind of network"))
	}
	return k
}

// messageOf is a coin's message in the domain of the network's kind.
func messageOf(n *statement.Network, k statement.Kind, value uint64, owner, rho suite.Field) suite.Field {
	if k == statement.Unregulated {
		return n.Hasher().CoinUnregulated(value, owner, rho)
	}
	return n.Hasher().Coin(value, owner, rho)
}

func coinMessage(r *reader, w *writer) error {
	n, kind, value, owner, rho := r.network(), r.kind(), r.u64(), r.field(), r.field()
	if err := r.end(); err != nil {
		return err
	}
	hm := messageOf(n, kind, value, owner, rho)
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
		Com: r.field(), Paid: r.u64(), In1: r.u64(), In2: r.u64(), Withdraw: r.u64(), Period: r.u32(),
		Counterparty: r.field(), R: r.field(),
	}
	if err := r.end(); err != nil {
		return err
	}
	com := n.Hasher().Entry(&e)
	w.field(&com)
	return nil
}

func blind(r *reader, w *writer) error {
	n, hm, s, b, d := r.network(), r.field(), r.field(), r.scalar(), r.field()
	defer b.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	cm := n.Hasher().Commit(s, hm)
	k, err := n.Scheme().Blind(&hm, &cm, &d, &b)
	w.field(&cm)
	w.point(&k)
	return err
}

func blindBase(r *reader, w *writer) error {
	n, cm, d := r.network(), r.field(), r.field()
	if err := r.end(); err != nil {
		return err
	}
	h, err := n.Scheme().BlindBase(&cm, &d)
	w.point(&h)
	return err
}

func checkPartial(r *reader, w *writer) error {
	n, member, coin, d := r.network(), r.member(), r.coin(), r.field()
	if r.err != nil {
		return r.err
	}
	point := r.unchecked()
	if err := r.end(); err != nil {
		return w.answer(err)
	}
	return w.answer(n.Scheme().CheckPartial(&member, &coin.Cm, &d, &coin.K, &point))
}

func combine(r *reader, w *writer) error {
	c := &suite.Committee{F: int(r.u32())}
	if c.F < 1 || c.N() > suite.MaxAuthorities {
		r.fail(fault.New(fault.CommitteeInvalid, ""))
	}
	n := r.count(4 + suite.G1Bytes)
	if n > suite.MaxAuthorities {
		return fault.New(fault.QuorumSize, "")
	}
	var partials []suite.Partial
	for range n {
		partials = append(partials, suite.Partial{Index: int(r.u32()), Point: r.unchecked()})
	}
	if err := r.end(); err != nil {
		return err
	}
	p, err := scheme.Combine(c, partials)
	w.point(&p)
	return err
}

func verifyBlinded(r *reader, w *writer) error {
	n, c, coin, d := r.network(), r.committeeKey(), r.coin(), r.field()
	if r.err != nil {
		return r.err
	}
	combined := r.unchecked()
	if err := r.end(); err != nil {
		return w.answer(err)
	}
	return w.answer(n.Scheme().CheckBlinded(c, &coin.Cm, &d, &coin.K, &combined))
}

// committeeKey is the part of a committee that verification needs.
func (r *reader) committeeKey() *suite.Committee {
	return &suite.Committee{X: r.g2(), Y: r.g2()}
}

func unblind(r *reader, w *writer) error {
	n, y1, cm, d, combined, b := r.network(), r.point(), r.field(), r.field(), r.unchecked(), r.scalar()
	defer b.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	sig, err := n.Scheme().Unblind(&suite.Committee{Y1: y1}, &cm, &d, &combined, &b)
	w.point(&sig.S1)
	w.point(&sig.S2)
	return err
}

// scheme serves operations that do not depend on the network: they hash nothing to the curve.
var scheme = suite.New(nil)

func randomise(r *reader, w *writer) error {
	in, t := r.signature(), r.scalar()
	defer t.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	sig, err := scheme.Randomise(&in, &t)
	w.point(&sig.S1)
	w.point(&sig.S2)
	return err
}

func verify(r *reader, w *writer) error {
	n, c, hm := r.network(), r.committeeKey(), r.field()
	if r.err != nil {
		return r.err
	}
	sig := r.signature()
	if err := r.end(); err != nil {
		return w.answer(err)
	}
	return w.answer(n.Scheme().Verify(c, &hm, &sig))
}

func show(r *reader, w *writer) error {
	n, y1, sig, hm, t, o := r.network(), r.point(), r.signature(), r.field(), r.scalar(), r.scalar()
	defer t.SetZero()
	defer o.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	s, err := n.Scheme().Show(&suite.Committee{Y1: y1}, &sig, &hm, &t, &o)
	w.point(&s.H)
	w.point(&s.M)
	w.point(&s.S)
	return err
}

func verifyShown(r *reader, w *writer) error {
	c := r.committeeKey()
	if r.err != nil {
		return r.err
	}
	s := r.shown()
	if err := r.end(); err != nil {
		return w.answer(err)
	}
	return w.answer(scheme.VerifyShown(c, s))
}

func randomisedKey(r *reader, w *writer) error {
	pk, alpha := r.unchecked(), r.scalar()
	defer alpha.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	rk, err := suite.RandomisedKey(&pk, &alpha)
	w.point(&rk)
	return err
}

func signCore(r *reader, w *writer) error {
	a, alpha, core := r.scalar(), r.scalar(), r.array32()
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
	rk, core, sig := r.unchecked(), r.array32(), r.sized()
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

func shareOpen(r *reader, w *writer) error {
	index, x, y := int(r.u32()), r.sized(), r.sized()
	if err := r.end(); err != nil {
		return err
	}
	share, err := suite.NewShare(index, x, y)
	if err != nil {
		return err
	}
	id, err := handles.add(share)
	w.u64(id)
	return err
}

func shareSign(r *reader, w *writer) error {
	share, n, coin, d := lookup[*suite.Share](r), r.network(), r.coin(), r.field()
	if err := r.end(); err != nil {
		return err
	}
	p, err := n.Scheme().Sign(share, &coin.Cm, &d, &coin.K)
	w.point(&p)
	return err
}

func shareMatches(r *reader, w *writer) error {
	share, member := lookup[*suite.Share](r), r.member()
	if err := r.end(); err != nil {
		return err
	}
	return w.answer(share.Matches(&member))
}
