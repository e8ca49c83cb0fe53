package suite

import (
	"encoding/binary"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bls12-377/fp"

	"solidus.io/prover/internal/multiexp"
)

type weight = multiexp.Weight[Scalar]

// endomorphism is (x, y) -> (omega x, y). It multiplies points of the subgroup by lambda = x^2 - 1, x being the curve's
// seed: lambda^2 + lambda + 1 = x^4 - x^2 + 1 = r.
var endomorphism = findEndomorphism()

type endomorphismOf struct {
	omega  fp.Element
	lambda Scalar
	n      *big.Int // lambda
}

// seed is x of BLS12-377.
const seed = 0x8508c00000000001

func findEndomorphism() endomorphismOf {
	e := endomorphismOf{n: new(big.Int).SetUint64(seed)}
	e.n.Mul(e.n, e.n).Sub(e.n, big.NewInt(1))
	e.lambda.SetBigInt(e.n)
	third := new(big.Int).Sub(fp.Modulus(), big.NewInt(1))
	third.Div(third, big.NewInt(3))
	for i := uint64(2); e.omega.IsZero() || e.omega.IsOne(); i++ {
		e.omega.SetUint64(i)
		e.omega.Exp(e.omega, third)
	}
	_, _, g, _ := bls.Generators()
	var multiple G1
	multiple.ScalarMultiplication(&g, e.n)
	if image := e.of(&g); !multiple.Equal(&image) {
		e.omega.Square(&e.omega) // the other root
	}
	return e
}

func (e *endomorphismOf) of(p *G1) G1 {
	image := G1{Y: p.Y}
	image.X.Mul(&p.X, &e.omega)
	return image
}

// split returns u and v below 2^127 with s = u + lambda v, because s < r < lambda (lambda + 2).
func (e *endomorphismOf) split(s *Scalar) (u, v multiexp.Half) {
	var n, q, rest big.Int
	s.BigInt(&n)
	q.DivMod(&n, e.n, &rest)
	u, v = toHalf(&rest), toHalf(&q)
	for _, i := range []*big.Int{&n, &q, &rest} { // the scalar may be a summand of a secret one
		wipeInt(i)
	}
	return u, v
}

func toHalf(n *big.Int) multiexp.Half {
	var b [16]byte
	n.FillBytes(b[:])
	return multiexp.Half{binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[:8])}
}
