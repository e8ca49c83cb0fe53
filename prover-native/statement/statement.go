package statement

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// Family is the type of a statement.
type Family uint8

// The families; Disclose is reserved.
const (
	FamilyRegister            Family = 1
	FamilyMint                Family = 2
	FamilyTransfer            Family = 3
	FamilyTransferUnregulated Family = 4
	FamilyRecover             Family = 5
	FamilyDisclose            Family = 6
	FamilyClaim16             Family = 7
	FamilyPay8                Family = 8
)

// shape is the number of serial numbers, outputs and shown signatures of a family.
type shape struct{ serials, outputs, shows int }

var transferShapes = map[Family]shape{
	FamilyTransfer:            {serials: 3, outputs: 2, shows: 3},
	FamilyTransferUnregulated: {serials: 2, outputs: 2, shows: 2},
	FamilyClaim16:             {serials: 17, outputs: 2, shows: 17},
	FamilyPay8:                {serials: 3, outputs: 9, shows: 3},
}

// BlindedCoin is a coin before it is signed.
type BlindedCoin struct {
	Cm suite.Field
	K  suite.G1
}

// Transfer is a statement of a transfer family. Serial numbers: first that of the compliance coin, then those of the coins.
// Outputs: the recipient's, then the sender's next coin, then those of further recipients.
type Transfer struct {
	Family    Family
	Serials   []suite.Field
	Outputs   []BlindedCoin
	Period    uint32
	Withdrawn uint64
	Context   [32]byte
}

// Register requests the first compliance coin of an address.
type Register struct {
	Apk  suite.Field
	Coin BlindedCoin
}

// Mint requests a coin of a public value.
type Mint struct {
	MintID [32]byte
	Value  uint64
	Coin   BlindedCoin
}

// CheckShape verifies the counts, and that no serial number occurs twice: a coin listed twice would count twice. Dummies have
// serial numbers of their own and are no exception.
func (s *Transfer) CheckShape() error {
	want, ok := transferShapes[s.Family]
	if !ok {
		return fault.Newf(fault.WrongFamily, "%d", s.Family)
	}
	if len(s.Serials) != want.serials {
		return fault.Newf(fault.WrongSerialCount, "%d, want %d", len(s.Serials), want.serials)
	}
	if len(s.Outputs) != want.outputs {
		return fault.Newf(fault.WrongOutputCount, "%d, want %d", len(s.Outputs), want.outputs)
	}
	for i := range s.Serials {
		for j := range i {
			if s.Serials[i].Equal(&s.Serials[j]) {
				return fault.Newf(fault.SerialsNotDistinct, "%d and %d", j, i)
			}
		}
	}
	return nil
}

// Bases is what the bases of the outputs depend on.
func (s *Transfer) Bases(n *Network) *suite.Outputs {
	o := &suite.Outputs{D: s.InputDigest(n), Period: s.Period}
	for i := range s.Outputs {
		o.Cms = append(o.Cms, s.Outputs[i].Cm)
	}
	return o
}

// InputDigest is D. It covers every serial number, so that two transfers never share a derived value.
func (s *Transfer) InputDigest(n *Network) suite.Field {
	body := s.appendSerials(nil)
	body = appendU64(body, s.Withdrawn)
	return n.inputDigest(s.Family, append(body, s.Context[:]...))
}

// Core identifies the transfer.
func (s *Transfer) Core(n *Network) ([32]byte, error) {
	body := s.appendSerials(nil)
	body = append(body, byte(len(s.Outputs)))
	for i := range s.Outputs {
		var err error
		if body, err = s.Outputs[i].append(body); err != nil {
			return [32]byte{}, err
		}
	}
	body = appendU64(appendU32(body, s.Period), s.Withdrawn)
	return n.core(s.Family, append(body, s.Context[:]...)), nil
}

func (s *Transfer) appendSerials(body []byte) []byte {
	body = append(body, byte(len(s.Serials)))
	for i := range s.Serials {
		body = appendField(body, &s.Serials[i])
	}
	return body
}

// InputDigest is D of a registration.
func (s *Register) InputDigest(n *Network) suite.Field {
	return n.inputDigest(FamilyRegister, appendField(nil, &s.Apk))
}

// Bases is what the base of the coin depends on.
func (s *Register) Bases(n *Network) *suite.Outputs {
	return &suite.Outputs{D: s.InputDigest(n), Cms: []suite.Field{s.Coin.Cm}}
}

// Core identifies the registration.
func (s *Register) Core(n *Network) ([32]byte, error) {
	body, err := s.Coin.append(appendField(nil, &s.Apk))
	if err != nil {
		return [32]byte{}, err
	}
	return n.core(FamilyRegister, body), nil
}

// InputDigest is D of a mint.
func (s *Mint) InputDigest(n *Network) suite.Field {
	return n.inputDigest(FamilyMint, s.prefix())
}

// Bases is what the base of the coin depends on.
func (s *Mint) Bases(n *Network) *suite.Outputs {
	return &suite.Outputs{D: s.InputDigest(n), Cms: []suite.Field{s.Coin.Cm}}
}

// Core identifies the mint.
func (s *Mint) Core(n *Network) ([32]byte, error) {
	body, err := s.Coin.append(s.prefix())
	if err != nil {
		return [32]byte{}, err
	}
	return n.core(FamilyMint, body), nil
}

func (s *Mint) prefix() []byte {
	return appendU64(append([]byte(nil), s.MintID[:]...), s.Value)
}

func (c *BlindedCoin) append(body []byte) ([]byte, error) {
	k, err := suite.EncodeG1(&c.K)
	if err != nil {
		return nil, err
	}
	return append(appendField(body, &c.Cm), k...), nil
}
