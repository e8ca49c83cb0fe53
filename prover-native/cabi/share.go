package cabi

import "solidus.io/prover/suite"

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
