package main

import (
	"bytes"
	"crypto/rand"
	"math/big"
	"slices"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
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
		name: "transfer", curve: ecc.BLS12_381,
		compile: func() (constraint.ConstraintSystem, error) { return transfer.Compile(network) },
		draw:    func() (task, error) { return sampleTransfer(network) },
	}, nil
}

// sampleTransfer is a payment with two received coins, a withdrawal and every limit in force. The bases of the shown
// signatures are random points, because signatures are checked outside the circuit and are no part of proving. The core is
// random too: the link hashes it.
func sampleTransfer(network hash.NetworkTag) (task, error) {
	s, err := newSample(network)
	if err != nil {
		return nil, err
	}
	return func() (frontend.Circuit, error) { return linked(s.witness, s.core) }, nil
}

// sampled is a transfer that can be proved.
type sampled struct {
	pkAuth  jubjub.Point
	witness *transfer.Witness
	core    [32]byte
}

func newSample(network hash.NetworkTag) (*sampled, error) {
	d := &drawing{}
	h := hash.New(network)
	spendKey := d.key()
	plan := &transfer.Plan{
		Network: network, Nk: d.field(), PkAuth: jubjub.MulBase(&spendKey),
		Cc:        transfer.Compliance{Rho: d.field(), Period: 202606, Sent: 1000, Count: 3, Held: 2000, Com: d.field()},
		In:        [2]transfer.Input{{Value: 700, Rho: d.field()}, {Value: 500, Origin: hash.OriginMint, Rho: d.field()}},
		Recipient: d.field(), Paid: 450, Withdrawn: 20, Period: 202606, D: d.field(), Seed: d.field(), EntryR: d.field(),
		Blindings: [2]clause.Blinding{{S: d.field(), B: d.field()}, {S: d.field(), B: d.field()}},
	}
	out, err := transfer.Prepare(plan)
	if err != nil {
		return nil, err
	}
	w := &transfer.Witness{
		Network: network, Owner: clause.Owner{Nk: plan.Nk, Alpha: d.key()}, Cc: plan.Cc, In: plan.In,
		Paid: plan.Paid, Recipient: plan.Recipient, Seed: plan.Seed, EntryR: plan.EntryR, Blindings: plan.Blindings,
		ShowCcBlind: d.field(), ShowBlind: [2]fr.Element{d.field(), d.field()},
	}
	_, serialKey := h.Address(plan.Nk, &plan.PkAuth)
	w.Public = transfer.Public{
		SnCc: h.Serial(serialKey, w.Cc.Rho),
		Sn:   [2]fr.Element{h.Serial(serialKey, w.In[0].Rho), h.Serial(serialKey, w.In[1].Rho)},
		Out:  out.Out, D: plan.D, Withdrawn: plan.Withdrawn, Period: plan.Period,
		VSent: 3000, VTotal: 10000, VHeld: 300000, VEscrow: 2000, VCount: 50,
	}
	d.show(h, w, out.Apk)
	if w.Public.Rk, err = w.Owner.RandomisedKey(&plan.PkAuth); err != nil {
		return nil, err
	}
	if err := d.sanctions(w, out.Apk); err != nil {
		return nil, err
	}
	s := &sampled{pkAuth: plan.PkAuth, witness: w, core: d.core()}
	return s, d.err
}

// linked computes the link and the assignment.
func linked(w *transfer.Witness, core [32]byte) (frontend.Circuit, error) {
	link, err := w.Bind(core)
	if err != nil {
		return nil, err
	}
	defer link.Wipe()
	return w.Assign(link)
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

func (d *drawing) key() jubjub.Scalar {
	s, err := jubjub.RandomScalar()
	d.keep(err)
	return s
}

func (d *drawing) core() (core [32]byte) {
	_, err := rand.Read(core[:])
	d.keep(err)
	return core
}

// show shows the spent coins, each on a random base.
func (d *drawing) show(h *hash.Hasher, w *transfer.Witness, apk fr.Element) {
	cc := h.Compliance(&hash.Compliance{
		Apk: apk, Rho: w.Cc.Rho, Period: w.Cc.Period, Sent: w.Cc.Sent, Count: w.Cc.Count, Held: w.Cc.Held, Com: w.Cc.Com,
	})
	w.Public.ShowCc = d.shown(&cc, &w.ShowCcBlind)
	for i, in := range w.In {
		coin := h.Coin(in.Origin, in.Value, apk, in.Rho)
		w.Public.Show[i] = d.shown(&coin, &w.ShowBlind[i])
	}
}

func (d *drawing) shown(hm, o *fr.Element) clause.Shown {
	t := d.field()
	var base bls.G1Affine
	base.ScalarMultiplicationBase(t.BigInt(new(big.Int)))
	return clause.Show(&base, hm, o)
}

// list is a sanction list of random keys.
func (d *drawing) list(network hash.NetworkTag) (*sanction.Tree, error) {
	keys := make([]sanction.Key, listedKeys)
	for i := range keys {
		listed := d.field()
		keys[i] = sanction.KeyOf(&listed)
	}
	slices.SortFunc(keys, func(a, b sanction.Key) int { return bytes.Compare(a[:], b[:]) })
	return sanction.Build(network, keys)
}

func (d *drawing) sanctions(w *transfer.Witness, apk fr.Element) error {
	tree, err := d.list(w.Network)
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
