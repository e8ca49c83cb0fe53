package statement

import (
	"slices"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// onLeadOf is onLead for a family.
func (w *world) onLeadOf(t *testing.T, family Family, lead suite.Field, coins ...suite.Field) Request {
	t.Helper()
	r := w.request(t, family)
	r.s.Serials[0] = lead
	copy(r.s.Serials[1:], coins)
	w.renew(t, r)
	return Request{Transfer: &Item{Statement: r.s, Evidence: r.e, Limits: &r.limits, Root: &r.root}}
}

// A recover is over cores of all shapes. A credit bit of a core that claims 16 coins stands for eight of them.
//
//spec:id X-21 X-24 X-25
func TestRecoversOverOtherShapes(t *testing.T) {
	w := newWorld(t, Regulated)
	lead := random(t)
	coins := make([]suite.Field, 16)
	for i := range coins {
		coins[i] = random(t)
	}
	claim := w.onLeadOf(t, FamilyClaim16, lead, coins...)
	pay := w.onLeadOf(t, FamilyPay8, lead, coins[0])
	two := w.onLead(t, lead, coins[8], coins[0])

	all := w.over(t, claim, pay, func(r *Recover) { r.Credits = 0b1011 }).proved(t)
	must(t, all.verify())
	own := pay.Transfer.Statement.Serials[2]
	named(t, all, []Request{claim, pay}, sorted(lead, append(slices.Clone(coins), all.Next[0], all.Next[1], own)...))

	half := w.over(t, two, claim, func(r *Recover) { r.Credits = 0b0001 }).proved(t)
	must(t, half.verify())
	named(t, half, []Request{two, claim}, sorted(lead, half.Next[0], half.Next[1], coins[8]))
	second := w.over(t, half.request(), w.onLeadOf(t, FamilyClaim16, half.Next[1], coins...), func(r *Recover) { r.Credits = 0b0100 }).proved(t)
	must(t, second.verify())

	for name, x := range map[string]struct {
		first, second Request
		credits       uint8
	}{
		"a second half with a coin that the first core credits": {two, claim, 0b1001},
		"a first half with a coin that the first core credits":  {two, claim, 0b0110},
		"a coin in a half that the first core credits":          {claim, pay, 0b0101},
		"a half with a coin that a recover below credits":       {half.request(), w.onLeadOf(t, FamilyClaim16, half.Next[0], coins...), 0b1000},
	} {
		_, err := w.over(t, x.first, x.second, func(r *Recover) { r.Credits = x.credits }).Reservation(w.network)
		if fault.CodeOf(err) != fault.MalformedRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without the keys of a shape nothing over it is verified, and a wrong proof below is found.
//
//spec:id X-25
func TestRecoversOverShapesThatDoNotHold(t *testing.T) {
	w := newWorld(t, Regulated)
	for family := range manyShapes {
		r := w.over(t, w.onLeadOf(t, family, random(t)), Request{}, nil).proved(t)
		must(t, r.verify())
		keys := w.verifier.keys
		keys.Claim16, keys.Pay8 = nil, nil
		without, err := NewVerifier(w.network, Regulated, w.committee, keys)
		must(t, err)
		refused(t, without.VerifyRecover(r.Recover), fault.WrongFamily)
		r.First.Transfer.Limits.MaxTransfersPerPeriod++
		refused(t, r.verify(), fault.ProofInvalid)
	}
}

// Claims of claims: one recover over the other, each with all coins of another claim of 16, until there are too many.
//
//spec:id X-28
func TestSerialNumbersOfARecoverAreBounded(t *testing.T) {
	w := newWorld(t, Regulated)
	below := w.onLeadOf(t, FamilyClaim16, random(t))
	r := w.over(t, below, Request{}, func(r *Recover) { r.Credits = 0b0011 })
	for n := 1; ; n++ {
		x, err := r.Reservation(w.network)
		if want := 1 + 16*n + n + 2*(n-1); want > MaxRecoverSerials {
			refused(t, err, fault.MalformedRequest)
			return
		} else if must(t, err); len(x.Serials) != want {
			t.Fatalf("%d serial numbers over %d claims, want %d", len(x.Serials), n, want)
		}
		r = w.over(t, r.request(), w.onLeadOf(t, FamilyClaim16, below.Transfer.Statement.Serials[0]), func(r *Recover) { r.Credits = 0b1100 })
	}
}
