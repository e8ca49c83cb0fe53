package cabi

import (
	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// blind makes the blinded coins of all outputs of a statement, because each base depends on every commitment.
func blind(r *reader, w *writer) error {
	n, d, period := r.network(), r.field(), r.u32()
	var messages []suite.Field
	var blindings []clause.Blinding
	defer func() { clear(blindings) }()
	for range r.parts() {
		messages = append(messages, r.field())
		blindings = append(blindings, r.blinding())
	}
	if err := r.end(); err != nil {
		return err
	}
	coins, err := clause.Blind(n.Hasher(), &d, period, messages, blindings)
	if err != nil {
		return err
	}
	for i := range coins {
		w.blinded(&coins[i].Cm, &coins[i].K)
	}
	return nil
}

func blindBase(r *reader, w *writer) error {
	n := r.network()
	o, j := r.output()
	if err := r.end(); err != nil {
		return err
	}
	h, err := n.Scheme().BlindBase(o, j)
	w.point(&h)
	return err
}

// checkPartial answers false also for a point that is not one.
func checkPartial(r *reader, w *writer) error {
	n, member := r.network(), r.member()
	o, j := r.output()
	k := r.unchecked()
	if r.err != nil {
		return r.err
	}
	point := r.unchecked()
	if err := r.end(); err != nil {
		return w.answer(err)
	}
	return w.answer(n.Scheme().CheckPartial(&member, o, j, &k, &point))
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
	n, c := r.network(), r.committeeKey()
	o, j := r.output()
	k := r.unchecked()
	if r.err != nil {
		return r.err
	}
	combined := r.unchecked()
	if err := r.end(); err != nil {
		return w.answer(err)
	}
	return w.answer(n.Scheme().CheckBlinded(c, o, j, &k, &combined))
}

// committeeKey is the part of a committee that verification needs.
func (r *reader) committeeKey() *suite.Committee {
	return &suite.Committee{X: r.g2(), Y: r.g2()}
}

func unblind(r *reader, w *writer) error {
	n, y1 := r.network(), r.point()
	o, j := r.output()
	combined, b := r.unchecked(), r.scalar()
	defer b.SetZero()
	if err := r.end(); err != nil {
		return err
	}
	sig, err := n.Scheme().Unblind(&suite.Committee{Y1: y1}, o, j, &combined, &b)
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
