package groth

import (
	"math/big"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/internal/multiexp"
)

type weight = multiexp.Weight[Field]

// endomorphism is (x, y) -> (omega x, y). It multiplies points of the subgroup by lambda.
var endomorphism = findEndomorphism()

type endomorphismOf struct {
	omega  fp.Element
	lambda Field
}

// findEndomorphism finds a cube root of unity of the base field and the cube root of unity of the scalar field that belongs
// to it.
func findEndomorphism() endomorphismOf {
	e := endomorphismOf{}
	third := func(p *big.Int) *big.Int {
		n := new(big.Int).Sub(p, big.NewInt(1))
		return n.Div(n, big.NewInt(3))
	}
	for i := uint64(2); e.omega.IsZero() || e.omega.IsOne(); i++ {
		e.omega.SetUint64(i)
		e.omega.Exp(e.omega, third(fp.Modulus()))
	}
	for i := uint64(2); e.lambda.IsZero() || e.lambda.IsOne(); i++ {
		e.lambda.SetUint64(i)
		e.lambda.Exp(e.lambda, third(fr.Modulus()))
	}
	_, _, g, _ := bw6.Generators()
	image := bw6.G1Affine{Y: g.Y}
	image.X.Mul(&g.X, &e.omega)
	var multiple bw6.G1Affine
	multiple.ScalarMultiplication(&g, e.lambda.BigInt(new(big.Int)))
	if !multiple.Equal(&image) {
		e.lambda.Square(&e.lambda) // the other root
	}
	return e
}
