package statement

import (
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Limits are the values of the policy that a regulated transfer is proved against.
type Limits struct {
	MaxPerTransfer        uint64
	MaxPerPeriod          uint64
	MaxHeld               uint64
	MaxEscrow             uint64
	MaxTransfersPerPeriod uint32
}

// Numbers of public inputs per circuit.
const (
	TransferInputs    = 23
	RegisterInputs    = 8
	MintInputs        = 6
	UnregulatedInputs = 14
	RecoverInputs     = 25
	Claim16Inputs     = 51
	Pay8Inputs        = 37
)

// inputs assembles the public inputs of a circuit in their order. Integers are passed in Go types of their width, so every
// one of them is in its range.
//
//spec:id F-47
type inputs []suite.Field

func (v *inputs) field(e *suite.Field) { *v = append(*v, *e) }

func (v *inputs) integer(n uint64) {
	var e suite.Field
	e.SetUint64(n)
	*v = append(*v, e)
}

func (v *inputs) bit(b bool) {
	if b {
		v.integer(1)
	} else {
		v.integer(0)
	}
}

func (v *inputs) key(p *jubjub.Point) { *v = append(*v, p.X, p.Y) }

// linked appends a, the challenge and the responses.
func (v *inputs) linked(l *suite.LinkClaim) {
	*v = append(*v, l.Link.A, l.C)
	*v = append(*v, l.Link.Z...)
}

// TransferPublic is the public side of a regulated transfer of any shape.
func TransferPublic(s *Transfer, e *Evidence, d *suite.Field, link *suite.LinkClaim, l *Limits, root *suite.Field) []suite.Field {
	v := make(inputs, 0, TransferInputs)
	v.common(s, e, d)
	for _, n := range []uint64{
		l.MaxPerTransfer, l.MaxPerPeriod, l.MaxHeld, l.MaxEscrow, uint64(l.MaxTransfersPerPeriod), uint64(s.Period),
	} {
		v.integer(n)
	}
	v.field(root)
	v.linked(link)
	return v
}

// UnregulatedPublic is the public side of an unregulated transfer.
func UnregulatedPublic(s *Transfer, e *Evidence, d *suite.Field, link *suite.LinkClaim) []suite.Field {
	v := make(inputs, 0, UnregulatedInputs)
	v.common(s, e, d)
	v.linked(link)
	return v
}

// common appends the inputs that both kinds of transfer start with: serial numbers, commitments, rk, D, withdrawn.
func (v *inputs) common(s *Transfer, e *Evidence, d *suite.Field) {
	for i := range s.Serials {
		v.field(&s.Serials[i])
	}
	for i := range s.Outputs {
		v.field(&s.Outputs[i].Cm)
	}
	v.key(&e.RK)
	v.field(d)
	v.integer(s.Withdrawn)
}

// RegisterPublic is the public side of a registration.
func RegisterPublic(s *Register, d *suite.Field, rk *jubjub.Point, link *suite.LinkClaim) []suite.Field {
	v := make(inputs, 0, RegisterInputs)
	v.field(&s.Apk)
	v.field(d)
	v.field(&s.Coin.Cm)
	v.key(rk)
	v.linked(link)
	return v
}

// MintPublic is the public side of a mint.
func MintPublic(s *Mint, d *suite.Field, link *suite.LinkClaim) []suite.Field {
	v := make(inputs, 0, MintInputs)
	v.integer(s.Value)
	v.field(d)
	v.field(&s.Coin.Cm)
	v.linked(link)
	return v
}
