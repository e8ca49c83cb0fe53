package transfer

import (
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/jubjub"
)

const (
	// LinkedPoints is the number of linked points: the shown compliance coin, two shown coins, two outputs.
	LinkedPoints = 5
	// PublicInputs is the number of public inputs.
	PublicInputs = 18 + LinkedPoints
)

// linkedOutputs is the place of the first output among the linked points.
const linkedOutputs = 3

// Public is the statement. Outputs are the recipient's coin and the next compliance coin, in this order. The circuit sees c_m
// of an output, and of the points nothing but the link.
type Public struct {
	SnCc      fr.Element
	Sn        [2]fr.Element
	Out       [2]clause.Coin
	ShowCc    clause.Shown
	Show      [2]clause.Shown
	Rk        jubjub.Point
	D         fr.Element
	Withdrawn uint64
	VSent     uint64
	VTotal    uint64
	VHeld     uint64
	VEscrow   uint64
	VCount    uint32
	Period    uint32
	Root      fr.Element
}

// Vector returns the public inputs in the order of the verifying key.
func (p *Public) Vector(link *clause.Link) []fr.Element {
	v := make([]fr.Element, 0, PublicInputs)
	v = append(v, p.SnCc, p.Sn[0], p.Sn[1], p.Out[0].Cm, p.Out[1].Cm, p.Rk.X, p.Rk.Y, p.D)
	for _, x := range []uint64{p.Withdrawn, p.VSent, p.VTotal, p.VHeld, p.VEscrow, uint64(p.VCount), uint64(p.Period)} {
		v = append(v, fr.NewElement(x))
	}
	return link.Append(append(v, p.Root))
}
