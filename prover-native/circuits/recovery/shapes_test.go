package recovery

import (
	"testing"

	"solidus.io/prover/circuits/clause"
	st "solidus.io/prover/circuits/internal/statementtest"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/hash"
)

// A core that claims 16 coins or pays eight payees is opened like a transfer: each half of its coins stands for one coin, the sum of
// its payments for one payment.
//
//spec:id T-34 X-01 X-04
func TestCoresOfOtherShapes(t *testing.T) {
	h := hasher(t)
	for name, shape := range map[string]transfer.Shape{"claim-16": transfer.Claim16, "pay-8": transfer.Pay8} {
		t.Run(name, func(t *testing.T) {
			plan := &transfer.ManyPlan{
				Network: st.Network(t), PkAuth: st.KeyPoint(t), Withdrawn: 20, Period: 202606, D: st.Field(t), Seed: st.Field(t), EntryR: st.Field(t),
				Cc: transfer.Compliance{Rho: st.Field(t), Period: 202606, Sent: 1000, Count: 3, Held: 2000, Com: st.Field(t)},
			}
			var claimed, paid uint64
			for i := range shape.Inputs {
				value := 100 + uint64(i)
				claimed += value
				plan.In = append(plan.In, transfer.Input{Value: value, Origin: hash.OriginMint, Rho: st.Field(t)})
			}
			for j := range shape.Payees {
				paid += 30 + uint64(j)
				plan.Payments = append(plan.Payments, transfer.Payment{Recipient: st.Field(t), Paid: 30 + uint64(j)})
			}
			for range shape.Outputs() {
				plan.Blindings = append(plan.Blindings, clause.Blinding{S: st.Field(t), B: st.Field(t)})
			}
			x := draft(t, func(b *Bits, w *Witness) {
				plan.Nk = w.Owner.Nk
				made, err := transfer.PrepareMany(plan)
				if err != nil {
					t.Fatal(err)
				}
				e, next := plan.Entry(h), &made.Next
				w.Core[0] = Core{
					D: plan.D, Seed: plan.Seed, S: plan.Blindings[1].S, Period: next.Period, Sent: next.Sent, Count: next.Count, Held: next.Held,
					Com: e.Com, Counterparty: e.Counterparty, Values: [3]uint64{e.Paid, e.In1, e.In2}, Withdrawn: e.Withdraw,
					Origins: [2]hash.Origin{e.Origin1, e.Origin2}, R: e.R,
				}
				w.Core[1] = w.Core[0]
				b.Covered, b.Credit = true, [2][2]bool{{true, true}, {}}
			})
			plan.PkAuth = x.pkAuth
			made, err := transfer.PrepareMany(plan)
			if err != nil {
				t.Fatal(err)
			}
			_, serialKey := h.Address(plan.Nk, &plan.PkAuth)
			if x.public.CoreCm[0] != made.Out[1].Cm || x.public.Next[0] != h.Serial(serialKey, made.Rho[1]) {
				t.Fatal("not the core's compliance coin")
			}
			if err := Check(h, x.public, x.secret, x.link); err != nil {
				t.Fatal(err)
			}
			circuit(t).Accepts(t, x.assign())
			account, err := x.secret.Account(&x.bits)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := account.Held+account.Returned, 2000+claimed-paid-20; got != want {
				t.Errorf("issues %d, want %d", got, want)
			}
		})
	}
}
