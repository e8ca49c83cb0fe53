package statement

import "solidus.io/prover/suite"

// Limits are the values of the policy that a regulated transfer is proved against.
type Limits struct {
	MaxPerTransfer        uint64
	MaxPerPeriod          uint64
	MaxHeld               uint64
	MaxTransfersPerPeriod uint32
}

// Numbers of public inputs per circuit.
const (
	TransferInputs    = 35
	RegisterInputs    = 9
	MintInputs        = 7
	UnregulatedInputs = 24
)

// inputs assembles the public inputs of a circuit in their order. Integers are passed in Go types of their width, so every
// one of them is in its range.
type inputs []suite.Field

func (v *inputs) field(e *suite.Field) { *v = append(*v, *e) }

func (v *inputs) integer(n uint64) {
	var e suite.Field
	e.SetUint64(n)
	*v = append(*v, e)
}

func (v *inputs) point(p *suite.G1) {
	x, y := suite.Coordinates(p)
	*v = append(*v, x, y)
}

func (v *inputs) coin(c *BlindedCoin, h *suite.G1) {
	v.field(&c.Cm)
	v.point(h)
	v.point(&c.K)
}

func (v *inputs) shown(s *suite.Shown) {
	v.point(&s.H)
	v.point(&s.M)
}

// TransferPublic is the public side of a regulated transfer. bases are the outputs' points h.
func TransferPublic(s *Transfer, e *Evidence, d *suite.Field, bases []suite.G1, l *Limits, root *suite.Field) []suite.Field {
	v := make(inputs, 0, TransferInputs)
	v.common(s, e, d, bases)
	for _, n := range []uint64{l.MaxPerTransfer, l.MaxPerPeriod, l.MaxHeld, uint64(l.MaxTransfersPerPeriod), uint64(s.Period)} {
		v.integer(n)
	}
	v.field(root)
	return v
}

// UnregulatedPublic is the public side of an unregulated transfer.
func UnregulatedPublic(s *Transfer, e *Evidence, d *suite.Field, bases []suite.G1) []suite.Field {
	v := make(inputs, 0, UnregulatedInputs)
	v.common(s, e, d, bases)
	return v
}

// common appends the inputs that both kinds of transfer start with: serial numbers, outputs, presentations, rk, D, withdrawn.
func (v *inputs) common(s *Transfer, e *Evidence, d *suite.Field, bases []suite.G1) {
	for i := range s.Serials {
		v.field(&s.Serials[i])
	}
	for i := range s.Outputs {
		v.coin(&s.Outputs[i], &bases[i])
	}
	for i := range e.Shows {
		v.shown(&e.Shows[i])
	}
	v.point(&e.RK)
	v.field(d)
	v.integer(s.Withdrawn)
}

// RegisterPublic is the public side of a registration.
func RegisterPublic(s *Register, d *suite.Field, base, rk *suite.G1) []suite.Field {
	v := make(inputs, 0, RegisterInputs)
	v.field(&s.Apk)
	v.field(d)
	v.coin(&s.Coin, base)
	v.point(rk)
	return v
}

// MintPublic is the public side of a mint.
func MintPublic(s *Mint, d *suite.Field, base *suite.G1) []suite.Field {
	v := make(inputs, 0, MintInputs)
	v.integer(s.Value)
	v.field(d)
	v.coin(&s.Coin, base)
	return v
}
