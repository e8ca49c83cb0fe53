package g1

import (
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// seed is -x, x being the seed of BLS12-381.
const seed = 0xd201000000010000

// omega is the cube root of unity of the endomorphism, and omega2 the other one.
var omega, omega2 = findRoots()

// LambdaInt is the eigenvalue of the endomorphism on the subgroup, x^2 - 1: lambda^2 + lambda + 1 = x^4 - x^2 + 1 = r.
func LambdaInt() *big.Int {
	n := new(big.Int).SetUint64(seed)
	return n.Mul(n, n).Sub(n, big.NewInt(1))
}

// Lambda is LambdaInt as a scalar.
func Lambda() (lambda fr.Element) {
	lambda.SetBigInt(LambdaInt())
	return lambda
}

// Image is the endomorphism (x, y) -> (omega x, y). It multiplies points of the subgroup by lambda.
func Image(p *bls.G1Affine) bls.G1Affine {
	image := bls.G1Affine{Y: p.Y}
	image.X.Mul(&p.X, &omega)
	return image
}

// findRoots finds the root that belongs to lambda by a multiple of the generator.
func findRoots() (root, other fp.Element) {
	third := new(big.Int).Sub(fp.Modulus(), big.NewInt(1))
	third.Div(third, big.NewInt(3))
	for i := uint64(2); root.IsZero() || root.IsOne(); i++ {
		root.SetUint64(i)
		root.Exp(root, third)
	}
	other.Square(&root)
	_, _, g, _ := bls.Generators()
	image := bls.G1Affine{Y: g.Y}
	image.X.Mul(&g.X, &root)
	var multiple bls.G1Affine
	if multiple.ScalarMultiplication(&g, LambdaInt()); !multiple.Equal(&image) {
		return other, root
	}
	return root, other
}
