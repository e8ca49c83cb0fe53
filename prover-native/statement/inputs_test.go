package statement

import (
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/mint"
	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/circuits/register"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/circuits/unregulated"
	"solidus.io/prover/hash"
	"solidus.io/prover/suite"
)

func same(t *testing.T, got, want []suite.Field, count int) {
	t.Helper()
	if len(got) != count || len(want) != count {
		t.Fatalf("%d and %d inputs, want %d", len(got), len(want), count)
	}
	for i := range got {
		if !got[i].Equal(&want[i]) {
			t.Fatalf("input %d differs", i)
		}
	}
}

// linkOf is a link as the circuits' packages know it, of random values for n points.
func linkOf(t *testing.T, n int) (*suite.LinkClaim, *clause.Link) {
	t.Helper()
	shown := suite.Link{A: random(t), Blind: random(t)}
	for range n {
		shown.Z = append(shown.Z, random(t))
	}
	c := random(t)
	return &suite.LinkClaim{Link: &shown, C: c}, &clause.Link{Shown: shown, C: c}
}

// The validator's public inputs are, one by one, those that the circuit's package declares.
//
//spec:id V-06 F-47
func TestPublicInputsFollowTheCircuits(t *testing.T) {
	w := newWorld(t, Regulated)
	d := random(t)
	r := w.request(t, FamilyTransfer)
	p := transfer.Public{
		SnCc: r.s.Serials[0], Sn: [2]suite.Field{r.s.Serials[1], r.s.Serials[2]},
		Out: [2]clause.Coin{{Cm: r.s.Outputs[0].Cm}, {Cm: r.s.Outputs[1].Cm}}, Rk: r.e.RK, D: d, Withdrawn: r.s.Withdrawn,
		VSent: r.limits.MaxPerTransfer, VTotal: r.limits.MaxPerPeriod, VHeld: r.limits.MaxHeld, VEscrow: r.limits.MaxEscrow,
		VCount: r.limits.MaxTransfersPerPeriod, Period: r.s.Period, Root: r.root,
	}
	claim, link := linkOf(t, transfer.LinkedPoints)
	same(t, TransferPublic(r.s, r.e, &d, claim, &r.limits, &r.root), p.Vector(link), TransferInputs)

	reg, rk := &Register{Apk: random(t), Coin: w.coin(t)}, keyPoint(t)
	coin := clause.Coin{Cm: reg.Coin.Cm}
	pr := register.Public{Apk: reg.Apk, D: d, Coin: coin, Rk: rk}
	claim, link = linkOf(t, register.LinkedPoints)
	same(t, RegisterPublic(reg, &d, &rk, claim), pr.Vector(link), RegisterInputs)

	m := &Mint{Value: 99, Coin: reg.Coin}
	pm := mint.Public{Value: 99, D: d, Coin: coin}
	claim, link = linkOf(t, mint.LinkedPoints)
	same(t, MintPublic(m, &d, claim), pm.Vector(link), MintInputs)

	u := newWorld(t, Unregulated)
	ur := u.request(t, FamilyTransferUnregulated)
	pu := unregulated.Public{
		Serials: [2]suite.Field{ur.s.Serials[0], ur.s.Serials[1]},
		Outputs: [2]clause.Coin{{Cm: ur.s.Outputs[0].Cm}, {Cm: ur.s.Outputs[1].Cm}},
		Rk:      ur.e.RK, D: d, Withdrawn: ur.s.Withdrawn,
	}
	claim, link = linkOf(t, unregulated.LinkedPoints)
	same(t, UnregulatedPublic(ur.s, ur.e, &d, claim), pu.Vector(link), UnregulatedInputs)
}

func TestCountsFollowTheCircuits(t *testing.T) {
	for family, want := range map[Family][3]int{ // inputs here and in the circuit, linked points
		FamilyTransfer:            {TransferInputs, transfer.PublicInputs, transfer.LinkedPoints},
		FamilyTransferUnregulated: {UnregulatedInputs, unregulated.PublicInputs, unregulated.LinkedPoints},
		FamilyRegister:            {RegisterInputs, register.PublicInputs, register.LinkedPoints},
		FamilyMint:                {MintInputs, mint.PublicInputs, mint.LinkedPoints},
		FamilyRecover:             {RecoverInputs, recovery.PublicInputs, recovery.LinkedPoints},
		FamilyClaim16:             {Claim16Inputs, transfer.Claim16.PublicInputs(), transfer.Claim16.LinkedPoints()},
		FamilyPay8:                {Pay8Inputs, transfer.Pay8.PublicInputs(), transfer.Pay8.LinkedPoints()},
	} {
		if want[0] != want[1] || linkedPoints[family] != want[2] {
			t.Errorf("family %d: %v, %d linked points", family, want, linkedPoints[family])
		}
	}
}

// owner is what a prover knows of a wallet.
func (w *world) owner(t *testing.T) clause.Owner {
	return clause.Owner{Nk: random(t), Alpha: keyScalar(t)}
}

func blinding(t *testing.T) clause.Blinding { return clause.Blinding{S: random(t), B: random(t)} }

func coinOf(c *clause.Coin) BlindedCoin { return BlindedCoin{Cm: c.Cm, K: c.K} }

// Links and public inputs that the circuits' packages make for honest witnesses are those that the validator recomputes: points
// in one order, over one core and one D. Here and in the next two tests.
func TestTheCircuitsLinksHoldForTheValidator(t *testing.T) {
	w := newWorld(t, Regulated)
	h := w.network.Hasher()
	pk, err := suite.PublicKey(&w.a)
	must(t, err)

	m := &Mint{MintID: [32]byte{3}, Value: 700}
	d := m.InputDigest(w.network)
	mw := &mint.Witness{Apk: random(t), Seed: random(t), Blinding: blinding(t)}
	mp, err := mint.Prepare(h, mint.Regulated, m.Value, &d, mw)
	must(t, err)
	m.Coin = coinOf(&mp.Coin)
	core, err := m.Core(w.network)
	must(t, err)
	link, err := mint.Bind(h, mint.Regulated, core, mp, mw)
	must(t, err)
	must(t, w.verifier.VerifyMint(m, version, w.simulate(t, FamilyMint, mp.Vector(link), &link.Shown)))

	rw := &register.Witness{Owner: w.owner(t), Seed: random(t), Blinding: blinding(t)}
	r := &Register{Apk: h.Apk(rw.Owner.Nk, &pk)}
	d = r.InputDigest(w.network)
	rp, err := register.Prepare(h, &pk, &d, rw)
	must(t, err)
	r.Coin = coinOf(&rp.Coin)
	core, err = r.Core(w.network)
	must(t, err)
	link, err = register.Bind(h, core, rp, rw)
	must(t, err)
	e := &OwnerEvidence{CircuitVersion: version, RK: rp.Rk, Proof: w.simulate(t, FamilyRegister, rp.Vector(link), &link.Shown)}
	e.KeySignature, err = suite.SignCore(&w.a, &rw.Owner.Alpha, core)
	must(t, err)
	must(t, w.verifier.VerifyRegister(r, e))
}

// openedShow issues a signature on a message and presents it with its o.
func (w *world) openedShow(t *testing.T, hm suite.Field) (suite.Shown, suite.Field) {
	t.Helper()
	s := random(t)
	shown := w.show(t, w.issueOn(t, hm), &s)
	return shown, w.openings[shown.M].Blind
}

func TestTheTransferCircuitsLinkHoldsForTheValidator(t *testing.T) {
	w := newWorld(t, Regulated)
	h := w.network.Hasher()
	pk, err := suite.PublicKey(&w.a)
	must(t, err)
	plan := &transfer.Plan{
		Network: w.network.Tag(), Nk: random(t), PkAuth: pk,
		Cc:        transfer.Compliance{Rho: random(t), Period: 202610, Sent: 5, Count: 2, Held: 900, Com: random(t)},
		In:        [2]transfer.Input{{Value: 70, Rho: random(t)}, {Dummy: true, Rho: random(t)}},
		Recipient: random(t), Paid: 300, Withdrawn: 20, Period: 202611, Seed: random(t), EntryR: random(t),
		Blindings: [2]clause.Blinding{blinding(t), blinding(t)},
	}
	apk, serialKey := h.Address(plan.Nk, &pk)
	s := &Transfer{Family: FamilyTransfer, Period: plan.Period, Withdrawn: plan.Withdrawn, Context: [32]byte{1}}
	for _, rho := range []suite.Field{plan.Cc.Rho, plan.In[0].Rho, plan.In[1].Rho} {
		s.Serials = append(s.Serials, h.Serial(serialKey, rho))
	}
	plan.D = s.InputDigest(w.network)
	out, err := transfer.Prepare(plan)
	must(t, err)
	s.Outputs = []BlindedCoin{coinOf(&out.Out[0]), coinOf(&out.Out[1])}

	r := &request{s: s, e: &Evidence{CircuitVersion: version}, root: random(t), alpha: keyScalar(t)}
	r.limits = Limits{MaxPerTransfer: 1000, MaxPerPeriod: 5000, MaxHeld: 9000, MaxEscrow: 700, MaxTransfersPerPeriod: 30}
	x := &transfer.Witness{
		Network: plan.Network, Owner: clause.Owner{Nk: plan.Nk, Alpha: r.alpha}, Cc: plan.Cc, In: plan.In, Paid: plan.Paid,
		Recipient: plan.Recipient, Seed: plan.Seed, EntryR: plan.EntryR, Blindings: plan.Blindings,
	}
	x.Public = transfer.Public{
		SnCc: s.Serials[0], Sn: [2]suite.Field{s.Serials[1], s.Serials[2]}, Out: out.Out, D: plan.D, Withdrawn: s.Withdrawn,
		VSent: r.limits.MaxPerTransfer, VTotal: r.limits.MaxPerPeriod, VHeld: r.limits.MaxHeld, VEscrow: r.limits.MaxEscrow,
		VCount: r.limits.MaxTransfersPerPeriod, Period: s.Period, Root: r.root,
	}
	x.Public.Rk, err = suite.RandomisedKey(&pk, &r.alpha)
	must(t, err)
	r.e.RK = x.Public.Rk
	cc := h.Compliance(&hash.Compliance{
		Apk: apk, Rho: plan.Cc.Rho, Period: plan.Cc.Period, Sent: plan.Cc.Sent, Count: plan.Cc.Count, Held: plan.Cc.Held,
		Com: plan.Cc.Com,
	})
	var shows [3]suite.Shown
	shows[0], x.ShowCcBlind = w.openedShow(t, cc)
	shows[1], x.ShowBlind[0] = w.openedShow(t, h.Coin(hash.OriginPayment, 70, apk, plan.In[0].Rho))
	shows[2], x.ShowBlind[1] = w.openedShow(t, cc)
	r.e.Shows = shows[:]
	x.Public.ShowCc = clause.Shown{H: shows[0].H, M: shows[0].M}
	for i := range x.Public.Show {
		x.Public.Show[i] = clause.Shown{H: shows[i+1].H, M: shows[i+1].M}
	}
	w.sign(t, r)
	core, err := s.Core(w.network)
	must(t, err)
	link, err := x.Bind(core)
	must(t, err)
	r.e.Proof = w.simulate(t, FamilyTransfer, x.Public.Vector(link), &link.Shown)
	must(t, w.verify(r))
}

func TestTheUnregulatedCircuitsLinkHoldsForTheValidator(t *testing.T) {
	w := newWorld(t, Unregulated)
	h := w.network.Hasher()
	pk, err := suite.PublicKey(&w.a)
	must(t, err)
	x := &unregulated.Witness{
		Owner: w.owner(t), Inputs: [2]unregulated.Input{{Value: 50, Rho: random(t)}, {Value: 60, Rho: random(t)}},
		Paid: 70, Change: 30, Recipient: random(t), Seed: random(t), Blindings: [2]clause.Blinding{blinding(t), blinding(t)},
	}
	apk := h.Apk(x.Owner.Nk, &pk)
	serials := x.Serials(h, &pk)
	s := &Transfer{Family: FamilyTransferUnregulated, Serials: serials[:], Period: 202611, Withdrawn: 10}
	spend := &unregulated.Spend{PkAuth: pk, D: s.InputDigest(w.network), Period: s.Period, Withdrawn: s.Withdrawn}
	r := &request{s: s, e: &Evidence{CircuitVersion: version}, alpha: x.Owner.Alpha}
	for i := range x.Inputs {
		var shown suite.Shown
		shown, x.Inputs[i].Blind = w.openedShow(t, h.CoinUnregulated(x.Inputs[i].Value, apk, x.Inputs[i].Rho))
		spend.Bases[i], r.e.Shows = shown.H, append(r.e.Shows, shown)
	}
	p, err := unregulated.Prepare(h, spend, x)
	must(t, err)
	s.Outputs, r.e.RK = []BlindedCoin{coinOf(&p.Outputs[0]), coinOf(&p.Outputs[1])}, p.Rk
	w.sign(t, r)
	core, err := s.Core(w.network)
	must(t, err)
	link, err := unregulated.Bind(h, core, p, x)
	must(t, err)
	r.e.Proof = w.simulate(t, FamilyTransferUnregulated, p.Vector(link), &link.Shown)
	must(t, w.verify(r))
}
