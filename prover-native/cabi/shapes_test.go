package cabi

import (
	"math/big"
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

// shapedPlan is a plan of a transfer of another shape with what its prover receives.
type shapedPlan struct {
	*plan     // of which inputs, payment and blindings are not used
	family    statement.Family
	in        []transfer.Input
	payments  []transfer.Payment
	blindings []clause.Blinding
	shows     []presentation
	alpha     jubjub.Scalar
	tree      *sanction.Tree
	core      [32]byte
}

// claimOf claims a number of coins of 100, 101, ..., and pays as the plan of a transfer does.
func claimOf(t testing.TB, w *simtest.World, coins int) *shapedPlan {
	t.Helper()
	x := shapedOf(t, w, statement.FamilyClaim16, coins)
	x.payments[0] = transfer.Payment{Recipient: x.recipient, Paid: x.paid}
	return x
}

// payOf pays 30, 31, ... to a number of payees, out of one coin of 100.
func payOf(t testing.TB, w *simtest.World, payees int) *shapedPlan {
	t.Helper()
	x := shapedOf(t, w, statement.FamilyPay8, 1)
	for j := range payees {
		x.payments[j] = transfer.Payment{Recipient: w.Field(), Paid: 30 + uint64(j)}
	}
	return x
}

// shapedOf claims a number of coins and pays nobody.
func shapedOf(t testing.TB, w *simtest.World, family statement.Family, coins int) *shapedPlan {
	t.Helper()
	x := &shapedPlan{plan: transferPlan(w), family: family, alpha: w.KeyScalar(), core: [32]byte(w.Bytes(32))}
	cc := complianceHash(w.Network, &x.owner.apk, &x.cc)
	x.shows = append(x.shows, newShow(t, w, cc))
	for i := range shapes[family].Inputs {
		in, hm := transfer.Input{Rho: w.Field(), Dummy: true}, cc
		if i < coins {
			in.Value, in.Origin, in.Dummy = 100+uint64(i), hash.Origin(i%3), false
			hm = w.Network.Hasher().Coin(in.Origin, in.Value, x.owner.apk, in.Rho)
		}
		x.in, x.shows = append(x.in, in), append(x.shows, newShow(t, w, hm))
	}
	for range shapes[family].Payees {
		x.payments = append(x.payments, transfer.Payment{Recipient: x.owner.apk})
	}
	for range shapes[family].Outputs() {
		x.blindings = append(x.blindings, clause.Blinding{S: w.Field(), B: w.Scalar()})
	}
	var err error
	x.tree, err = sanction.Build(w.Network.Tag(), []sanction.Key{{0, 1}, {0, 2}})
	must(t, err)
	return x
}

func (x *shapedPlan) limits() *statement.Limits {
	return &statement.Limits{MaxPerTransfer: 3000, MaxPerPeriod: 10_000, MaxHeld: 300_000, MaxEscrow: 2000, MaxTransfersPerPeriod: 50}
}

// planBody is the plan as PREPARE_SHAPE and a witness hold it.
func (x *shapedPlan) planBody() []byte {
	q := new(request).field(x.owner.nk).key(x.owner.pk).field(x.owner.apk)
	q.field(x.cc.Rho).u32(x.cc.Period).u64(x.cc.Sent).u32(x.cc.Count).u64(x.cc.Held).field(x.cc.Com)
	for _, in := range x.in {
		q.u64(in.Value).u8(uint8(in.Origin)).field(in.Rho).flag(in.Dummy)
	}
	q.flag(x.escrow)
	for _, p := range x.payments {
		q.field(p.Recipient).u64(p.Paid)
	}
	return q.u64(x.withdrawn).u32(x.period).field(x.d).field(x.seed).field(x.entryR).blindings(x.blindings).b
}

func (x *shapedPlan) body(t testing.TB) []byte {
	t.Helper()
	return x.bodyUnder(t, x.limits())
}

func (x *shapedPlan) bodyUnder(t testing.TB, limits *statement.Limits) []byte {
	t.Helper()
	q := new(request).raw(x.core[:]).raw(x.planBody()).keyScalar(x.alpha)
	for i := range x.shows {
		q.presentation(&x.shows[i])
	}
	q.limits(limits).field(x.tree.Root()).path(t, x.tree, &x.owner.apk)
	for j := range x.payments {
		q.path(t, x.tree, &x.payments[j].Recipient)
	}
	return q.b
}

func (x *shapedPlan) prepare() *request {
	return new(request).sized([]byte(simtest.NetworkID)).u8(uint8(x.family)).raw(x.planBody())
}

func (x *shapedPlan) many(n *statement.Network) *transfer.ManyPlan {
	return &transfer.ManyPlan{
		Network: n.Tag(), Nk: x.owner.nk, PkAuth: x.owner.pk, Cc: x.cc, In: x.in, Payments: x.payments, Escrow: x.escrow,
		Withdrawn: x.withdrawn, Period: x.period, D: x.d, Seed: x.seed, EntryR: x.entryR,
		Blindings: append([]clause.Blinding(nil), x.blindings...),
	}
}

func (n *notary) shaped(t testing.TB, x *shapedPlan) *proved {
	t.Helper()
	w := n.regulated
	s := &statement.Transfer{
		Family: x.family, Period: x.period, Withdrawn: x.withdrawn, Context: [32]byte(w.Bytes(32)),
		Serials: []suite.Field{x.owner.serial(w, x.cc.Rho)},
	}
	e := &statement.Evidence{CircuitVersion: simtest.Version, Shows: []suite.Shown{x.shows[0].shown}}
	for i := range x.in {
		s.Serials, e.Shows = append(s.Serials, x.owner.serial(w, x.in[i].Rho)), append(e.Shows, x.shows[1+i].shown)
	}
	x.d = s.InputDigest(w.Network)
	reply := ok(t, "PREPARE_SHAPE", x.prepare())
	s.Outputs = tail(t, reply[:len(reply)-8-8-suite.FieldBytes], shapes[x.family].Outputs())
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
	plan := x.many(h.regulated.Network)
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
	for _, family := range []statement.Family{0, 3, 4, 6, 9, 255} {
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

// The coins of PREPARE_SHAPE are in the order of the payments, with the randomness of their outputs: the next compliance coin is between
// the first and the second.
func TestPreparedPayments(t *testing.T) {
	h := hostileOnce()
	x := payOf(t, h.regulated, 5)
	x.payments[3].Recipient = x.owner.apk // an own coin among the payments
	plan := x.many(h.regulated.Network)
	want, err := transfer.PrepareMany(plan)
	must(t, err)
	r := &reader{in: ok(t, "PREPARE_SHAPE", x.prepare())}
	paid := func(j, output int) {
		t.Helper()
		origin := hash.OriginPayment
		if x.payments[j].Recipient == x.owner.apk {
			origin = hash.OriginOwn
		}
		if r.origin() != origin || r.u64() != x.payments[j].Paid || r.field() != x.payments[j].Recipient || r.field() != want.Rho[output] {
			t.Errorf("another coin of payment %d", j)
		}
	}
	paid(0, 0)
	// 30 + 31 + 32 + 33 + 34 to five payees, which count as five
	held := x.cc.Held + 100 - 160 - x.withdrawn
	if r.field() != x.owner.apk || r.field() != want.Rho[1] || r.u32() != x.period || r.u64() != 160 || r.u32() != 5 || r.u64() != held || r.field() != want.Next.Com {
		t.Error("another compliance coin")
	}
	for j := 1; j < 8; j++ {
		paid(j, j+1)
	}
	for j := range want.Messages {
		if r.field() != want.Messages[j] {
			t.Errorf("message %d", j)
		}
	}
	for j, coin := range r.blindedCoins(9) {
		if coin.Cm != want.Out[j].Cm || !coin.K.Equal(&want.Out[j].K) {
			t.Errorf("output %d", j)
		}
	}
	entry := plan.Entry(h.regulated.Network.Hasher())
	if r.u64() != 100 || r.u64() != 0 || r.field() != entry.Counterparty {
		t.Error("other coins or details")
	}
	must(t, r.end())
	r = &reader{in: ok(t, "RHOS", new(request).sized([]byte(simtest.NetworkID)).field(x.seed).field(x.d).u8(9))}
	for j := range want.Rho {
		if r.field() != want.Rho[j] {
			t.Errorf("rho %d", j)
		}
	}
	must(t, r.end())
}

// A prover refuses what the circuit would not accept, each with its reason.
func TestPaymentsThatNoProofIsMadeFor(t *testing.T) {
	h := hostileOnce()
	w := h.regulated
	refuses := func(x *shapedPlan, limits *statement.Limits, want fault.Code, detail string) {
		t.Helper()
		h.refuses(t, statement.FamilyPay8, x.bodyUnder(t, limits), want, detail)
	}
	x := payOf(t, w, 8)
	if _, err := h.readWitness(t, uint8(statement.FamilyPay8), x.body(t)); err != nil {
		t.Fatal(err)
	}
	limits := x.limits()
	limits.MaxTransfersPerPeriod = 7 // eight payments count as eight
	refuses(x, limits, fault.OverLimitCount, "")
	limits = x.limits()
	limits.MaxPerTransfer = 36 // the largest payment is 37
	refuses(x, limits, fault.OverLimitTransfer, "")
	limits = x.limits()
	limits.MaxPerPeriod = 267 // their sum is 268
	refuses(x, limits, fault.OverLimitPeriod, "")
	x = payOf(t, w, 8)
	x.payments[6].Paid = 5000
	refuses(x, x.limits(), fault.InsufficientFunds, "")
	x = payOf(t, w, 2)
	x.escrow = true
	refuses(x, x.limits(), fault.WitnessInvalid, "escrow")
	listed := suite.Field{}
	listed.SetBigInt(new(big.Int).Lsh(big.NewInt(2), sanction.LowBits))
	for want, payee := range map[fault.Code]suite.Field{
		fault.OwnerZero:      {},
		fault.MembershipPath: listed, // with the path of another payee
	} {
		x = payOf(t, w, 3)
		body := x.body(t)
		x.payments[2].Recipient = payee
		copy(body[len(x.core):], x.planBody())
		h.refuses(t, statement.FamilyPay8, body, want, "")
	}
}
