package statementtest

import (
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/hash"
)

// NetworkID is the network that circuits are compiled for in tests and in the pinned statistics.
const NetworkID = "solidus-test"

// Network is the tag of NetworkID.
func Network(t testing.TB) hash.NetworkTag {
	t.Helper()
	tag, err := hash.NetworkTagOf(NetworkID)
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

// Field is a random element of F.
func Field(t testing.TB) fr.Element {
	t.Helper()
	var e fr.Element
	if _, err := e.SetRandom(); err != nil {
		t.Fatal(err)
	}
	return e
}

// Scalar is a random non-zero exponent.
func Scalar(t testing.TB) blsfr.Element {
	t.Helper()
	for {
		var e blsfr.Element
		if _, err := e.SetRandom(); err != nil {
			t.Fatal(err)
		}
		if !e.IsZero() {
			return e
		}
	}
}

// Point is a random point of G1 other than the identity.
func Point(t testing.TB) bls.G1Affine {
	t.Helper()
	s := Scalar(t)
	var p bls.G1Affine
	p.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	return p
}

// PlusBase is p + s g1.
func PlusBase(p *bls.G1Affine, s *blsfr.Element) bls.G1Affine {
	var q bls.G1Affine
	q.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	q.Add(&q, p)
	return q
}

// OtherNetwork is the tag of a network that the tested circuits are not compiled for.
func OtherNetwork(t testing.TB) hash.NetworkTag {
	t.Helper()
	tag, err := hash.NetworkTagOf("another-network")
	if err != nil {
		t.Fatal(err)
	}
	return tag
}
