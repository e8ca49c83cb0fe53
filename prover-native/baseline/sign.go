package baseline

import (
	"crypto/sha512"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
)

// exponentBits is the length of message exponents; 2^252 is below the group order.
const exponentBits = 252

// Labels of the hash to the curve and of the key. The key is public knowledge by design.
const (
	hashToG1DST = "SOLIDUS-BENCHMARK-BASELINE-H"
	keyLabel    = "solidus benchmark baseline key "
)

// PublicKey is (X, Y) = (g2^x, g2^y).
type PublicKey struct{ X, Y bls.G2Affine }

// SigningKey is the single PS key of the benchmark.
type SigningKey struct {
	x, y   big.Int
	Public PublicKey
}

// NewSigningKey derives the benchmark's key. It is always the same, so that the circuit,
// whose constant it is, and the cached keys of the benchmark are always the same too.
func NewSigningKey() *SigningKey {
	k := new(SigningKey)
	for name, e := range map[string]*big.Int{"x": &k.x, "y": &k.y} {
		digest := sha512.Sum512([]byte(keyLabel + name))
		e.Mod(e.SetBytes(digest[:]), blsfr.Modulus())
	}
	k.Public.X.ScalarMultiplicationBase(&k.x)
	k.Public.Y.ScalarMultiplicationBase(&k.y)
	return k
}

// sign is SIGN of Appendix B.1 followed by UNBLIND and the re-randomisation, for one signer:
// (h, h^(x + y m)) on a random h.
func (k *SigningKey) sign(m *big.Int) (s1, s2 bls.G1Affine, err error) {
	t, err := randomScalar()
	if err != nil {
		return s1, s2, err
	}
	e := new(big.Int).Mul(&k.y, m)
	e.Add(e, &k.x).Mod(e, blsfr.Modulus())
	s1.ScalarMultiplicationBase(t)
	s2.ScalarMultiplication(&s1, e)
	return s1, s2, nil
}

// exponentOf is exponent outside the circuit.
func exponentOf(hm fr.Element) *big.Int {
	mask := new(big.Int).Lsh(big.NewInt(1), exponentBits)
	mask.Sub(mask, big.NewInt(1))
	return mask.And(mask, hm.BigInt(new(big.Int)))
}

func randomScalar() (*big.Int, error) {
	var e blsfr.Element
	for {
		if _, err := e.SetRandom(); err != nil {
			return nil, err
		}
		if !e.IsZero() {
			return e.BigInt(new(big.Int)), nil
		}
	}
}
