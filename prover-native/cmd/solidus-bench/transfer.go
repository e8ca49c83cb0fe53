package main

import (
	"bytes"
	"errors"
	"math/big"
	"slices"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/sanction"
)

// benchmarkNetwork is the network of the measured circuit. No committee has keys for it.
const benchmarkNetwork = "solidus-benchmark"

// listedKeys is the length of the sanction list. The tree's depth, and so the cost of a proof, does not depend on it.
const listedKeys = 1000

func transferSubject() (subject, error) {
	network, err := hash.NetworkTagOf(benchmarkNetwork)
	if err != nil {
		return subject{}, err
	}
	return subject{
		name:   "transfer",
		empty:  &transfer.Circuit{Network: network},
		assign: func() (frontend.Circuit, error) { return sampleTransfer(network) },
	}, nil
}

// sampleTransfer is a payment with two received coins, a withdrawal and every limit in force. The bases of the shown
// signatures are random points, because signatures are checked outside the circuit and are no part of proving.
func sampleTransfer(network hash.NetworkTag) (*transfer.Circuit, error) {
	d := &drawing{}
	h := hash.New(network)
	spendKey := d.scalar()
	plan := &transfer.Plan{
		Network: network, Nk: d.field(), PkAuth: timesBase(&spendKey),
		Cc:        transfer.Compliance{Rho: d.field(), Period: 202606, Sent: 1000, Count: 3, Held: 2000, Com: d.field()},
		Recipient: d.field(), Paid: 450, Withdrawn: 20, Period: 202606, D: d.field(), EntryR: d.field(),
		S: [2]fr.Element{d.field(), d.field()}, B: [2]blsfr.Element{d.scalar(), d.scalar()},
	}
	spent := d.spend(h, plan)
	out, err := d.outputs(plan)
	if err != nil {
		return nil, err
	}
	w := &transfer.Witness{
		Network: network, Nk: plan.Nk, Alpha: d.scalar(), Cc: plan.Cc, In: plan.In,
		Paid: plan.Paid, Recipient: plan.Recipient, Seed: plan.Seed, EntryR: plan.EntryR, S: plan.S, B: plan.B,
		ShowCcBlind: d.scalar(), ShowBlind: [2]blsfr.Element{d.scalar(), d.scalar()},
	}
	serialKey := h.SerialKey(plan.Nk, &plan.PkAuth)
	w.Public = transfer.Public{
		SnCc: h.Serial(serialKey, w.Cc.Rho),
		Sn:   [2]fr.Element{h.Serial(serialKey, w.In[0].Rho), h.Serial(serialKey, w.In[1].Rho)},
		Out:  out.Out, D: plan.D, Withdrawn: plan.Withdrawn, Period: plan.Period,
		VSent: 3000, VTotal: 10000, VHeld: 300000, VCount: 50,
	}
	w.Public.Rk = plus(plan.PkAuth, timesBase(&w.Alpha))
	w.Public.ShowCc = d.show(&spent[0], &w.ShowCcBlind)
	for i := range w.Public.Show {
		w.Public.Show[i] = d.show(&spent[1+i], &w.ShowBlind[i])
	}
	if err := d.sanctions(w, out.Apk); err != nil {
		return nil, err
	}
	if d.err != nil {
		return nil, d.err
	}
	return w.Assign()
}

// drawing draws random values and keeps the first error.
type drawing struct{ err error }

func (d *drawing) keep(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *drawing) field() fr.Element {
	var e fr.Element
	_, err := e.SetRandom()
	d.keep(err)
	return e
}

func (d *drawing) scalar() blsfr.Element {
	var e blsfr.Element
	_, err := e.SetRandom()
	d.keep(err)
	return e
}

// spend draws the spent coins until every message has an exponent, and returns the messages: compliance coin, coins.
func (d *drawing) spend(h *hash.Hasher, p *transfer.Plan) (hm [3]fr.Element) {
	apk := h.Apk(p.Nk, &p.PkAuth)
	draw := func(message func(rho fr.Element) fr.Element) (rho, hm fr.Element) {
		for d.err == nil {
			rho = d.field()
			if hm = message(rho); hasExponent(&hm) {
				break
			}
		}
		return rho, hm
	}
	p.Cc.Rho, hm[0] = draw(func(rho fr.Element) fr.Element {
		return h.Compliance(&hash.Compliance{
			Apk: apk, Rho: rho, Period: p.Cc.Period, Sent: p.Cc.Sent, Count: p.Cc.Count, Held: p.Cc.Held, Com: p.Cc.Com,
		})
	})
	for i, value := range []uint64{700, 500} {
		p.In[i].Value = value
		p.In[i].Rho, hm[1+i] = draw(func(rho fr.Element) fr.Element { return h.Coin(value, apk, rho) })
	}
	return hm
}

func hasExponent(hm *fr.Element) bool {
	_, err := gadgets.Exponent(hm)
	return err == nil
}

// outputs draws seeds until both new messages have an exponent.
func (d *drawing) outputs(p *transfer.Plan) (*transfer.Outputs, error) {
	for {
		p.Seed = d.field()
		out, err := transfer.Prepare(p)
		if d.err != nil || !errors.Is(err, transfer.ErrRetrySeed) {
			return out, err
		}
	}
}

// show returns h' and M' = m h' + o g1 on a random h'.
func (d *drawing) show(hm *fr.Element, o *blsfr.Element) transfer.Shown {
	t := d.scalar()
	s := transfer.Shown{H: timesBase(&t)}
	m, err := gadgets.Exponent(hm)
	d.keep(err)
	s.M.ScalarMultiplication(&s.H, m.BigInt(new(big.Int)))
	s.M = plus(s.M, timesBase(o))
	return s
}

func (d *drawing) sanctions(w *transfer.Witness, apk fr.Element) error {
	keys := make([]sanction.Key, listedKeys)
	for i := range keys {
		listed := d.field()
		keys[i] = sanction.KeyOf(&listed)
	}
	slices.SortFunc(keys, func(a, b sanction.Key) int { return bytes.Compare(a[:], b[:]) })
	tree, err := sanction.Build(w.Network, keys)
	if err != nil {
		return err
	}
	w.Public.Root = tree.Root()
	sender, err := tree.Path(&apk)
	if err != nil {
		return err
	}
	recipient, err := tree.Path(&w.Recipient)
	if err != nil {
		return err
	}
	w.SenderPath, w.RecipientPath = *sender, *recipient
	return nil
}

func timesBase(s *blsfr.Element) (p bls.G1Affine) {
	p.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	return p
}

func plus(p, q bls.G1Affine) bls.G1Affine {
	p.Add(&p, &q)
	return p
}
