package suite

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// Order returns the group order r, which is also the modulus of F.
func Order() *big.Int { return fr.Modulus() }

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

// reduce maps 64 bytes to a scalar with a bias below 2^-257.
func reduce(digest []byte) Scalar {
	n := new(big.Int).SetBytes(digest)
	defer wipeInt(n)
	var s Scalar
	s.SetBigInt(n)
	return s
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
