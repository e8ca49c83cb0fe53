package cabi

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

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
	share, n := lookup[*suite.Share](r), r.network()
	o, j := r.output()
	k := r.unchecked()
	if err := r.end(); err != nil {
		return err
	}
	p, err := n.Scheme().Sign(share, o, j, &k)
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

// orderBytes is the shortest length of an order: a count, D and a period.
const orderBytes = 1 + suite.FieldBytes + 4

// shareSignAll signs the outputs of many statements. Every order has a verdict of its own, and its signatures follow where
// the verdict is OK. An order that does not decode does not affect the others.
func shareSignAll(r *reader, w *writer) error {
	share, n := lookup[*suite.Share](r), r.network()
	count := r.count(4 + orderBytes)
	if count > maxBatch {
		return fault.Newf(fault.MalformedRequest, "%d orders, at most %d", count, maxBatch)
	}
	verdicts := make([]error, count)
	orders, places := make([]suite.OutputsToSign, 0, count), make([]int, 0, count)
	for i := range count {
		part := &reader{in: r.sized()}
		if r.err != nil {
			return r.err
		}
		order := part.order()
		if verdicts[i] = part.end(); verdicts[i] == nil {
			orders, places = append(orders, order), append(places, i)
		}
	}
	if err := r.end(); err != nil {
		return err
	}
	signed, refused, err := n.Scheme().SignAll(share, orders)
	if err != nil {
		return err
	}
	signatures := make([][]suite.G1, count)
	for at, i := range places {
		signatures[i], verdicts[i] = signed[at], refused[at]
	}
	for i := range count {
		if err := w.verdict(verdicts[i]); err != nil {
			return err
		}
		for j := range signatures[i] {
			w.point(&signatures[i][j])
		}
	}
	return nil
}

func (r *reader) order() suite.OutputsToSign {
	var o suite.OutputsToSign
	parts := r.parts()
	if parts == 0 {
		r.fail(fault.New(fault.MalformedRequest, "an order without outputs"))
	}
	for range parts {
		c := r.coin()
		o.Coins = append(o.Coins, suite.Blinded{Cm: c.Cm, K: c.K})
	}
	o.D, o.Period = r.field(), r.u32()
	return o
}
