package cabi

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

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

// scheme is for operations that do not depend on the network: they do not hash to the curve.
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
