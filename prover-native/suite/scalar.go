package suite

import (
	"math/big"

	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/fault"
)

// quotientBits bounds Q in hm = Q*r + m. The largest Q that keeps Q*r + m below the modulus of F for every m
// lies above 2^124, so that the exponent of a message is unique over the integers.
const quotientBits = 124

var order = blsfr.Modulus()

// Order returns the group order r.
func Order() *big.Int { return new(big.Int).Set(order) }

// FieldModulus returns the modulus p of F.
func FieldModulus() *big.Int { return fr.Modulus() }

// Exponent maps a message hash to its exponent. It fails with RETRY_SEED when the quotient is too large for the circuits: the
// creator of a message then draws again. It never fails for a message that was signed.
func Exponent(hm *Field) (Scalar, error) {
	q, m := new(big.Int), new(big.Int)
	q.DivMod(hm.BigInt(new(big.Int)), order, m)
	var s Scalar
	if q.BitLen() > quotientBits {
		return s, fault.New(fault.RetrySeed, "")
	}
	s.SetBigInt(m)
	return s, nil
}

// randomScalar draws uniformly from 1..r-1.
func randomScalar() (Scalar, error) {
	var s Scalar
	for s.IsZero() {
		if _, err := s.SetRandom(); err != nil {
			return Scalar{}, err
		}
	}
	return s, nil
}

// mul returns s*p and wipes the integer that it passes to the library.
func mul(p *G1, s *Scalar) G1 {
	n := s.BigInt(new(big.Int))
	defer wipeInt(n)
	var r G1
	r.ScalarMultiplication(p, n)
	return r
}

// mulBase returns s*g1.
func mulBase(s *Scalar) G1 {
	n := s.BigInt(new(big.Int))
	defer wipeInt(n)
	var r G1
	r.ScalarMultiplicationBase(n)
	return r
}

// mulBase2 returns s*g2.
func mulBase2(s *Scalar) G2 {
	n := s.BigInt(new(big.Int))
	defer wipeInt(n)
	var r G2
	r.ScalarMultiplicationBase(n)
	return r
}

func add(p, q G1) G1 {
	var r G1
	r.Add(&p, &q)
	return r
}

// wipeInt clears the words behind n.
func wipeInt(n *big.Int) {
	words := n.Bits()
	clear(words[:cap(words)])
	n.SetInt64(0)
}

// Wipe clears secret bytes.
func Wipe(b []byte) { clear(b) }
