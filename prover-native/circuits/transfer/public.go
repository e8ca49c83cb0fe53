package transfer

import (
	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
)

// PublicInputs is the number of public inputs.
const PublicInputs = 35

// Blinded is an output coin: commitment, base point and blinded message.
type Blinded struct {
	Cm   fr.Element
	H, K bls12377.G1Affine
}

// Shown is the part of a shown signature that the circuit covers.
type Shown struct {
	H, M bls12377.G1Affine
}

// Public is the statement. Outputs are the recipient's coin and the next compliance coin, in this order.
type Public struct {
	SnCc      fr.Element
	Sn        [2]fr.Element
	Out       [2]Blinded
	ShowCc    Shown
	Show      [2]Shown
	Rk        bls12377.G1Affine
	D         fr.Element
	Withdrawn uint64
	VSent     uint64
	VTotal    uint64
	VHeld     uint64
	VCount    uint32
	Period    uint32
	Root      fr.Element
}

// Vector returns the public inputs in the order of the verifying key.
func (p *Public) Vector() []fr.Element {
	v := make([]fr.Element, 0, PublicInputs)
	v = append(v, p.SnCc, p.Sn[0], p.Sn[1])
	for i := range p.Out {
		v = append(v, p.Out[i].Cm)
		v = appendPoints(v, &p.Out[i].H, &p.Out[i].K)
	}
	v = appendPoints(v, &p.ShowCc.H, &p.ShowCc.M)
	for i := range p.Show {
		v = appendPoints(v, &p.Show[i].H, &p.Show[i].M)
	}
	v = appendPoints(v, &p.Rk)
	v = append(v, p.D)
	for _, x := range []uint64{p.Withdrawn, p.VSent, p.VTotal, p.VHeld, uint64(p.VCount), uint64(p.Period)} {
		v = append(v, fr.NewElement(x))
	}
	return append(v, p.Root)
}

func appendPoints(v []fr.Element, points ...*bls12377.G1Affine) []fr.Element {
	for _, p := range points {
		v = append(v, fr.Element(p.X), fr.Element(p.Y)) // the base field of BLS12-377 is F
	}
	return v
}
