package transfer

import (
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
)

// view is the statement and the witness of a transfer of any shape. The clauses and the reference read it, so that all shapes
// have the same ones.
type view struct {
	network hash.NetworkTag
	shape   Shape

	snCc, d, withdrawn, period, root      frontend.Variable
	vSent, vTotal, vHeld, vEscrow, vCount frontend.Variable
	sn, cm                                []frontend.Variable
	rk                                    gadgets.Point
	link                                  *gadgets.Link

	owner                         *clause.OwnerVars
	cc                            *ComplianceVars
	in                            []InputVars
	payees                        []*PayeeVars
	escrow, seed, entryR, heldSel frontend.Variable
	s                             []frontend.Variable
	secrets                       *gadgets.LinkSecrets
	senderOut                     *gadgets.Absence
}

func (c *Circuit) view() *view {
	return &view{
		network: c.Network, shape: Single,
		snCc: c.SnCc, d: c.D, withdrawn: c.Withdrawn, period: c.Period, root: c.Root,
		vSent: c.VSent, vTotal: c.VTotal, vHeld: c.VHeld, vEscrow: c.VEscrow, vCount: c.VCount,
		sn: c.Sn[:], cm: c.Cm[:], rk: c.Rk, link: &c.Link,
		owner: &c.Owner, cc: &c.Cc, in: c.In[:], payees: []*PayeeVars{{Paid: c.Paid, Recipient: c.Recipient, Out: c.ReceiverOut}},
		escrow: c.Escrow, seed: c.Seed, entryR: c.EntryR, heldSel: c.HeldSel, s: c.S[:],
		secrets: &c.LinkSecrets, senderOut: &c.SenderOut,
	}
}

// public are the public inputs in the order of Public.Vector.
func (v *view) public() []frontend.Variable {
	all := append([]frontend.Variable{v.snCc}, v.sn...)
	all = append(append(all, v.cm...), v.rk.X, v.rk.Y, v.d, v.withdrawn, v.vSent, v.vTotal, v.vHeld, v.vEscrow, v.vCount, v.period, v.root)
	return append(all, v.link.Public()...)
}

// paid are the amounts of the payments.
func (v *view) paid() []frontend.Variable {
	all := make([]frontend.Variable, len(v.payees))
	for j := range v.payees {
		all[j] = v.payees[j].Paid
	}
	return all
}
