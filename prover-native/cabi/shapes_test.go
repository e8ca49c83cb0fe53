package cabi

import (
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// claimPlan is a plan of a claim of 16 with what its prover receives.
type claimPlan struct {
	*plan // of which the inputs are not used
	in    []transfer.Input
	shows []presentation
	alpha jubjub.Scalar
	tree  *sanction.Tree
	core  [32]byte
}

// claimOf claims a number of coins of 100, 101, ..., and pays as the plan of a transfer does.
func claimOf(t testing.TB, w *simtest.World, coins int) *claimPlan {
	t.Helper()
	x := &claimPlan{plan: transferPlan(w), alpha: w.KeyScalar(), core: [32]byte(w.Bytes(32))}
	cc := complianceHash(w.Network, &x.owner.apk, &x.cc)
	x.shows = append(x.shows, newShow(t, w, cc))
	for i := range transfer.Claim16.Inputs {
		in, hm := transfer.Input{Rho: w.Field(), Dummy: true}, cc
		if i < coins {
			in.Value, in.Origin, in.Dummy = 100+uint64(i), hash.Origin(i%3), false
			hm = w.Network.Hasher().Coin(in.Origin, in.Value, x.owner.apk, in.Rho)
		}
		x.in, x.shows = append(x.in, in), append(x.shows, newShow(t, w, hm))
	}
	var err error
	x.tree, err = sanction.Build(w.Network.Tag(), []sanction.Key{{0, 1}, {0, 2}})
	must(t, err)
	return x
}

func (x *claimPlan) limits() *statement.Limits {
	return &statement.Limits{MaxPerTransfer: 3000, MaxPerPeriod: 10_000, MaxHeld: 300_000, MaxEscrow: 2000, MaxTransfersPerPeriod: 50}
}

// planBody is the plan as PREPARE_SHAPE and a witness hold it.
func (x *claimPlan) planBody() []byte {
	q := new(request).field(x.owner.nk).key(x.owner.pk).field(x.owner.apk)
	q.field(x.cc.Rho).u32(x.cc.Period).u64(x.cc.Sent).u32(x.cc.Count).u64(x.cc.Held).field(x.cc.Com)
	for _, in := range x.in {
		q.u64(in.Value).u8(uint8(in.Origin)).field(in.Rho).flag(in.Dummy)
	}
	q.flag(x.escrow).field(x.recipient).u64(x.paid).u64(x.withdrawn).u32(x.period)
	return q.field(x.d).field(x.seed).field(x.entryR).blindings(x.blindings[:]).b
}

func (x *claimPlan) body(t testing.TB) []byte {
	t.Helper()
	q := new(request).raw(x.core[:]).raw(x.planBody()).keyScalar(x.alpha)
	for i := range x.shows {
		q.presentation(&x.shows[i])
	}
	q.limits(x.limits()).field(x.tree.Root())
	for _, apk := range []suite.Field{x.owner.apk, x.recipient} {
		q.path(t, x.tree, &apk)
	}
	return q.b
}

func (x *claimPlan) prepare() *request {
	return new(request).sized([]byte(simtest.NetworkID)).u8(uint8(statement.FamilyClaim16)).raw(x.planBody())
}

func (n *notary) claim(t testing.TB, coins int) *proved {
	t.Helper()
	w, x := n.regulated, claimOf(t, n.regulated, coins)
	s := &statement.Transfer{
		Family: statement.FamilyClaim16, Period: x.period, Withdrawn: x.withdrawn, Context: [32]byte(w.Bytes(32)),
		Serials: []suite.Field{x.owner.serial(w, x.cc.Rho)},
	}
	e := &statement.Evidence{CircuitVersion: simtest.Version, Shows: []suite.Shown{x.shows[0].shown}}
	for i := range x.in {
		s.Serials, e.Shows = append(s.Serials, x.owner.serial(w, x.in[i].Rho)), append(e.Shows, x.shows[1+i].shown)
	}
	x.d = s.InputDigest(w.Network)
	reply := ok(t, "PREPARE_SHAPE", x.prepare())
	s.Outputs = tail(t, reply[:len(reply)-8-8-suite.FieldBytes], 2)
	core, err := s.Core(w.Network)
	must(t, err)
	e.RK, e.KeySignature = x.owner.sign(t, x.alpha, core)
	return &proved{
		family: s.Family, name: "VERIFY_TRANSFER", core: core,
		witness: func(core [32]byte) []byte { x.core = core; return x.body(t) },
		request: func(proof []byte) *request {
			e.Proof = proof
			return new(request).u64(n.verifiers[w.Kind]).transfer(s, e).limits(x.limits()).field(x.tree.Root())
		},
	}
}

// What PREPARE_SHAPE says is what the circuit's package prepares, and what a recover over the claim opens.
func TestPreparedShape(t *testing.T) {
	h := hostileOnce()
	x := claimOf(t, h.regulated, 11)
	plan := &transfer.ManyPlan{
		Network: h.regulated.Network.Tag(), Nk: x.owner.nk, PkAuth: x.owner.pk, Cc: x.cc, In: x.in,
		Payments:  []transfer.Payment{{Recipient: x.recipient, Paid: x.paid}},
		Withdrawn: x.withdrawn, Period: x.period, D: x.d, Seed: x.seed, EntryR: x.entryR, Blindings: append([]clause.Blinding(nil), x.blindings[:]...),
	}
	want, err := transfer.PrepareMany(plan)
	must(t, err)
	r := &reader{in: ok(t, "PREPARE_SHAPE", x.prepare())}
	if r.origin() != hash.OriginPayment || r.u64() != x.paid || r.field() != x.recipient || r.field() != want.Rho[0] {
		t.Error("another coin of the payee")
	}
	// 100 + ... + 110 of eleven coins
	held := x.cc.Held + 1155 - x.paid - x.withdrawn
	if r.field() != x.owner.apk || r.field() != want.Rho[1] || r.u32() != x.period || r.u64() != x.paid || r.u32() != 1 || r.u64() != held || r.field() != want.Next.Com {
		t.Error("another compliance coin")
	}
	for j := range want.Messages {
		if r.field() != want.Messages[j] {
			t.Errorf("message %d", j)
		}
	}
	for j, coin := range r.blindedCoins(2) {
		if coin.Cm != want.Out[j].Cm || !coin.K.Equal(&want.Out[j].K) {
			t.Errorf("output %d", j)
		}
	}
	entry := plan.Entry(h.regulated.Network.Hasher())
	if in1, in2 := r.u64(), r.u64(); in1 != 828 || in2 != 327 || r.field() != entry.Counterparty {
		t.Errorf("halves %d and %d, or other details", in1, in2)
	}
	must(t, r.end())
}

func TestPrepareShapeRefusesOtherFamilies(t *testing.T) {
	x := claimOf(t, hostileOnce().regulated, 3)
	for _, family := range []statement.Family{0, 3, 4, 6, 8, 255} {
		refused(t, fault.WrongFamily, "PREPARE_SHAPE", new(request).sized([]byte(simtest.NetworkID)).u8(uint8(family)).raw(x.planBody()))
	}
}

// Each of the seventeen shown signatures must open to its own coin.
func TestShownSignaturesOfAShapeMustOpen(t *testing.T) {
	h := hostileOnce()
	w := h.regulated
	for _, i := range []int{0, 1, 9, 16} {
		x := claimOf(t, w, 10)
		x.shows[i].opening = w.Scalar()
		h.refuses(t, statement.FamilyClaim16, x.body(t), fault.WitnessInvalid, "does not open")
		x = claimOf(t, w, 10)
		x.shows[i] = newShow(t, w, w.Field())
		h.refuses(t, statement.FamilyClaim16, x.body(t), fault.WitnessInvalid, "is not of this coin")
	}
	x := claimOf(t, w, 10)
	x.in[11].Value = 1 // a dummy
	h.refuses(t, statement.FamilyClaim16, x.body(t), fault.WitnessInvalid, "dummy")
	x = claimOf(t, w, 10)
	h.refuses(t, statement.FamilyClaim16, append(x.body(t), 0), fault.MalformedRequest, "trailing")
}
