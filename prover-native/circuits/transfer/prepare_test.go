package transfer

import (
	"math"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

func samplePlan(t *testing.T) *Plan {
	t.Helper()
	_, d := honest().build(t)
	return d.witness.plan()
}

func TestPrepareIsDeterministic(t *testing.T) {
	p := samplePlan(t)
	first, err := Prepare(p)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Prepare(p)
	if err != nil {
		t.Fatal(err)
	}
	if *first != *second {
		t.Error("two calls differ")
	}
}

// The payment of a plan is a coin of another, a coin of one's own, or an escrow, which has no origin.
//
//spec:id T-17 T-31
func TestPaymentOfAPlan(t *testing.T) {
	h, p := hasher(), samplePlan(t)
	apk := h.Apk(p.Nk, &p.PkAuth)
	rho, _ := h.Rhos(p.Seed, p.D)
	for name, x := range map[string]struct {
		escrow, toSelf bool
		want           func(owner fr.Element) fr.Element
	}{
		"coin":           {false, false, func(owner fr.Element) fr.Element { return h.Coin(hash.OriginPayment, 450, owner, rho) }},
		"own coin":       {false, true, func(owner fr.Element) fr.Element { return h.Coin(hash.OriginOwn, 450, owner, rho) }},
		"escrow":         {true, false, func(owner fr.Element) fr.Element { return h.Escrow(450, owner, rho) }},
		"escrow to self": {true, true, func(owner fr.Element) fr.Element { return h.Escrow(450, owner, rho) }},
	} {
		q := *p
		if q.Escrow = x.escrow; x.toSelf {
			q.Recipient = apk
		}
		o, err := Prepare(&q)
		if err != nil {
			t.Fatal(err)
		}
		if o.Messages[0] != x.want(q.Recipient) {
			t.Errorf("%s: another message", name)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	cases := []struct {
		name   string
		code   fault.Code
		change func(p *Plan)
	}{
		{"recipient 0", fault.OwnerZero, func(p *Plan) { p.Recipient = fr.Element{} }},
		{"spend key O", fault.IdentityPoint, func(p *Plan) { p.PkAuth = jubjub.Point{Y: fr.One()} }},
		{"spend key off the curve", fault.PointNotOnCurve, func(p *Plan) { p.PkAuth = jubjub.Point{} }},
		{"spend key of order 2", fault.PointNotInSubgroup, func(p *Plan) { p.PkAuth.X.SetZero(); p.PkAuth.Y.SetInt64(-1) }},
		{"dummy with a value", fault.WitnessInvalid, func(p *Plan) { p.In[0].Dummy = true }},
		{"dummy with an origin", fault.WitnessInvalid, func(p *Plan) { p.In[1].Value, p.In[1].Dummy = 0, true }},
		{"period before the coin's", fault.PeriodBackwards, func(p *Plan) { p.Period-- }},
		{"paying more than held", fault.InsufficientFunds, func(p *Plan) { p.Paid = 3181 }},
		{"withdrawing more than held", fault.InsufficientFunds, func(p *Plan) { p.Withdrawn = math.MaxUint64 }},
		{"held above 64 bits", fault.OverLimitHeld, func(p *Plan) { p.Cc.Held = math.MaxUint64 }},
		{"sent above 64 bits", fault.OverLimitPeriod, func(p *Plan) { p.Cc.Sent = math.MaxUint64 }},
		{"count above 32 bits", fault.OverLimitCount, func(p *Plan) { p.Cc.Count = math.MaxUint32 }},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			p := samplePlan(t)
			tc.change(p)
			if _, err := Prepare(p); fault.CodeOf(err) != tc.code {
				t.Errorf("got %v, want %v", err, tc.code)
			}
		})
	}
}

// What a wallet would run into is reported by its own code before anything is proved.
func TestWitnessCheckCodes(t *testing.T) {
	cases := []struct {
		name   string
		code   fault.Code
		change func(w *Witness)
	}{
		{"above VSent", fault.OverLimitTransfer, func(w *Witness) { w.Public.VSent = 449 }},
		{"escrow above VEscrow", fault.OverLimitTransfer, func(w *Witness) { w.Escrow = true }},
		{"above VTotal", fault.OverLimitPeriod, func(w *Witness) { w.Public.VTotal = 1449 }},
		{"above VCount", fault.OverLimitCount, func(w *Witness) { w.Public.VCount = 3 }},
		{"above VHeld", fault.OverLimitHeld, func(w *Witness) { w.Public.VHeld = 2729 }},
		{"another root", fault.MembershipPath, func(w *Witness) { w.Public.Root = random() }},
		{"another commitment key", fault.WitnessInvalid, func(w *Witness) { w.Blindings[0].S = random() }},
		{"rk O", fault.PointNotInSubgroup, func(w *Witness) { w.Public.Rk = jubjub.Point{Y: fr.One()} }},
		{"rk off the curve", fault.PointNotInSubgroup, func(w *Witness) { w.Public.Rk.X.SetOne() }},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, d := honest().build(t)
			link := d.bound(t)
			tc.change(d.witness)
			c, err := d.witness.Assign(link)
			if err != nil {
				t.Fatal(err)
			}
			if err := Check(c); fault.CodeOf(err) != tc.code {
				t.Errorf("got %v, want %v", err, tc.code)
			}
		})
	}
}

// A link that was made for another statement is noticed before anything is proved.
func TestCheckOfAnotherLink(t *testing.T) {
	_, d := honest().build(t)
	_, other := honest().build(t)
	d.bound(t)
	c, err := d.witness.Assign(other.bound(t))
	if err != nil {
		t.Fatal(err)
	}
	assertRefused(t, c, "T-29", "")
}

func TestWipe(t *testing.T) {
	_, d := honest().build(t)
	p := d.witness.plan()
	d.witness.Wipe()
	p.Wipe()
	if *d.witness != (Witness{}) || *p != (Plan{}) {
		t.Error("something is left")
	}
}
