package statement

import (
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/mint"
	"solidus.io/prover/circuits/register"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/circuits/unregulated"
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

// The validator's public inputs are, one by one, those that the circuit's package declares.
func TestPublicInputsFollowTheCircuits(t *testing.T) {
	w := newWorld(t, Regulated)
	r := w.request(t, FamilyTransfer)
	d := r.s.InputDigest(w.network)
	bases := []suite.G1{point(t), point(t)}
	out := func(i int) transfer.Blinded {
		return transfer.Blinded{Cm: r.s.Outputs[i].Cm, H: bases[i], K: r.s.Outputs[i].K}
	}
	show := func(i int) transfer.Shown { return transfer.Shown{H: r.e.Shows[i].H, M: r.e.Shows[i].M} }
	p := transfer.Public{
		SnCc: r.s.Serials[0], Sn: [2]suite.Field{r.s.Serials[1], r.s.Serials[2]},
		Out: [2]transfer.Blinded{out(0), out(1)}, ShowCc: show(0), Show: [2]transfer.Shown{show(1), show(2)},
		Rk: r.e.RK, D: d, Withdrawn: r.s.Withdrawn,
		VSent: r.limits.MaxPerTransfer, VTotal: r.limits.MaxPerPeriod, VHeld: r.limits.MaxHeld,
		VCount: r.limits.MaxTransfersPerPeriod, Period: r.s.Period, Root: r.root,
	}
	same(t, TransferPublic(r.s, r.e, &d, bases, &r.limits, &r.root), p.Vector(), TransferInputs)

	reg := &Register{Apk: random(t), Coin: BlindedCoin{random(t), point(t)}}
	rk := point(t)
	coin := clause.Coin{Cm: reg.Coin.Cm, H: bases[0], K: reg.Coin.K}
	pr := register.Public{Apk: reg.Apk, D: d, Coin: coin, Rk: rk}
	same(t, RegisterPublic(reg, &d, &bases[0], &rk), pr.Vector(), RegisterInputs)

	m := &Mint{Value: 99, Coin: reg.Coin}
	pm := mint.Public{Value: 99, D: d, Coin: coin}
	same(t, MintPublic(m, &d, &bases[0]), pm.Vector(), MintInputs)

	u := newWorld(t, Unregulated)
	ur := u.request(t, FamilyTransferUnregulated)
	pu := unregulated.Public{
		Serials: [2]suite.Field{ur.s.Serials[0], ur.s.Serials[1]},
		Outputs: [2]clause.Coin{
			{Cm: ur.s.Outputs[0].Cm, H: bases[0], K: ur.s.Outputs[0].K}, {Cm: ur.s.Outputs[1].Cm, H: bases[1], K: ur.s.Outputs[1].K},
		},
		Shown: [2]clause.Shown{{H: ur.e.Shows[0].H, M: ur.e.Shows[0].M}, {H: ur.e.Shows[1].H, M: ur.e.Shows[1].M}},
		Rk:    ur.e.RK, D: d, Withdrawn: ur.s.Withdrawn,
	}
	same(t, UnregulatedPublic(ur.s, ur.e, &d, bases), pu.Vector(), UnregulatedInputs)
}
