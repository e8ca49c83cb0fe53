package transfer

import (
	"errors"
	"math"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
)

// samplePlan is a plan whose seed does.
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

// About half of all seeds are refused, with the error that asks for another one, and the next one is tried.
func TestPrepareAsksForAnotherSeed(t *testing.T) {
	p := samplePlan(t)
	good, retry := 0, 0
	for range 200 {
		p.Seed = random()
		switch o, err := Prepare(p); {
		case err == nil:
			good++
			for j := range o.Messages {
				if _, _, err := gadgets.SplitMessage(&o.Messages[j]); err != nil {
					t.Error("an output without an exponent")
				}
			}
		case errors.Is(err, ErrRetrySeed):
			retry++
		default:
			t.Fatal(err)
		}
	}
	// 0.69^2 = 0.48 of the seeds do; 200 draws stay within 60..135 but for a chance below 10^-6
	if good < 60 || good > 135 || good+retry != 200 {
		t.Errorf("%d of 200 seeds do, %d ask for another", good, retry)
	}
}

func TestPrepareRefuses(t *testing.T) {
	cases := []struct {
		name   string
		code   fault.Code
		change func(p *Plan)
	}{
		{"recipient 0", fault.OwnerZero, func(p *Plan) { p.Recipient = fr.Element{} }},
		{"spend key O", fault.IdentityPoint, func(p *Plan) { p.PkAuth = bls12377.G1Affine{} }},
		{"spend key of order 3", fault.PointNotInSubgroup, func(p *Plan) { p.PkAuth.X.SetZero(); p.PkAuth.Y.SetOne() }},
		{"dummy with a value", fault.WitnessInvalid, func(p *Plan) { p.In[0].Dummy = true }},
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
		{"above VTotal", fault.OverLimitPeriod, func(w *Witness) { w.Public.VTotal = 1449 }},
		{"above VCount", fault.OverLimitCount, func(w *Witness) { w.Public.VCount = 3 }},
		{"above VHeld", fault.OverLimitHeld, func(w *Witness) { w.Public.VHeld = 2729 }},
		{"another root", fault.MembershipPath, func(w *Witness) { w.Public.Root = random() }},
		{"another seed", fault.WitnessInvalid, func(w *Witness) { w.S[0] = random() }},
		{"shown point O", fault.PointNotInSubgroup, func(w *Witness) { w.Public.Show[0].M = bls12377.G1Affine{} }},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			for {
				_, d := honest().build(t)
				tc.change(d.witness)
				err := d.witness.Check()
				if errors.Is(err, ErrRetrySeed) {
					continue // the change made other messages
				}
				if fault.CodeOf(err) != tc.code {
					t.Errorf("got %v, want %v", err, tc.code)
				}
				return
			}
		})
	}
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
