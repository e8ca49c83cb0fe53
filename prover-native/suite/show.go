package suite

import (
	"crypto/rand"

	"github.com/consensys/gnark-crypto/ecc"

	"solidus.io/prover/fault"
)

// Show presents a signature outside a circuit. With t and o uniform, (h', M') is uniform and s” follows from
// it, so a presentation carries nothing about the issuance; the circuit proves that M' opens to a message
// with the right properties.
func (s *PointchevalSanders) Show(c *Committee, sig *Signature, hm *Field, t, o *Scalar) (Shown, error) {
	m, err := Exponent(hm)
	if err != nil {
		return Shown{}, err
	}
	r, err := s.Randomise(sig, t)
	if err != nil {
		return Shown{}, err
	}
	shown := Shown{
		H: r.S1,
		M: add(mul(&r.S1, &m), mulBase(o)),
		S: add(r.S2, mul(&c.Y1, o)),
	}
	if shown.M.IsInfinity() || shown.S.IsInfinity() {
		return Shown{}, fault.New(fault.IdentityPoint, "draw t and o again")
	}
	return shown, nil
}

// VerifyShown checks e(h', X) e(M', Y) = e(s”, g2) for all presentations in one product, weighted by fresh
// 128-bit numbers: without weights two wrong presentations could cancel each other out. The identity as h'
// would satisfy the equation with M' = g1^o, s” = Y1^o and no signature at all.
func (s *PointchevalSanders) VerifyShown(c *Committee, shown ...Shown) error {
	if len(shown) == 0 {
		return fault.New(fault.ShownSignatureInvalid, "none given")
	}
	for i := range shown {
		for _, p := range []*G1{&shown[i].H, &shown[i].M, &shown[i].S} {
			if err := CheckG1(p); err != nil {
				return err
			}
		}
	}
	weights, err := randomWeights(len(shown))
	if err != nil {
		return err
	}
	h, err := weighted(shown, weights, func(p *Shown) G1 { return p.H })
	if err != nil {
		return err
	}
	m, err := weighted(shown, weights, func(p *Shown) G1 { return p.M })
	if err != nil {
		return err
	}
	sum, err := weighted(shown, weights, func(p *Shown) G1 { return p.S })
	if err != nil {
		return err
	}
	if !pairingHolds(&h, &c.X, &m, &c.Y, &sum) {
		return fault.New(fault.ShownSignatureInvalid, "")
	}
	return nil
}

// randomWeights draws 128-bit numbers other than zero; the first may be one.
func randomWeights(n int) ([]Scalar, error) {
	weights := make([]Scalar, n)
	weights[0].SetOne()
	var b [16]byte
	for i := 1; i < n; i++ {
		for weights[i].IsZero() {
			if _, err := rand.Read(b[:]); err != nil {
				return nil, err
			}
			weights[i].SetBytes(b[:])
		}
	}
	return weights, nil
}

// multiExpFrom is where the library's multi-exponentiation beats single multiplications.
const multiExpFrom = 8

func weighted(shown []Shown, weights []Scalar, pick func(*Shown) G1) (G1, error) {
	points := make([]G1, len(shown))
	for i := range shown {
		points[i] = pick(&shown[i])
	}
	if len(points) < multiExpFrom {
		sum := points[0] // its weight is one
		for i := 1; i < len(points); i++ {
			sum = add(sum, mul(&points[i], &weights[i]))
		}
		return sum, nil
	}
	var sum G1
	if _, err := sum.MultiExp(points, weights, ecc.MultiExpConfig{NbTasks: 1}); err != nil {
		return G1{}, fault.New(fault.Internal, "multi-exponentiation")
	}
	return sum, nil
}
