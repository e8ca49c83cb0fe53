package statementtest

import (
	"crypto/rand"
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
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

// OtherNetwork is the tag of a network that the tested circuits are not compiled for.
func OtherNetwork(t testing.TB) hash.NetworkTag {
	t.Helper()
	tag, err := hash.NetworkTagOf("another-network")
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

// Field is a random element of F other than zero.
func Field(t testing.TB) fr.Element {
	t.Helper()
	for {
		var e fr.Element
		if _, err := e.SetRandom(); err != nil {
			t.Fatal(err)
		}
		if !e.IsZero() {
			return e
		}
	}
}

// Core is a random core.
func Core(t testing.TB) (core [32]byte) {
	t.Helper()
	if _, err := rand.Read(core[:]); err != nil {
		t.Fatal(err)
	}
	return core
}

// KeyScalar is a random exponent of Jubjub other than zero.
func KeyScalar(t testing.TB) jubjub.Scalar {
	t.Helper()
	s, err := jubjub.RandomScalar()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// KeyPoint is a random point of the subgroup of Jubjub other than the identity.
func KeyPoint(t testing.TB) jubjub.Point {
	t.Helper()
	s := KeyScalar(t)
	return jubjub.MulBase(&s)
}

// Point is a random point of G1 other than the identity.
func Point(t testing.TB) bls.G1Affine {
	t.Helper()
	s := Field(t)
	var p bls.G1Affine
	p.ScalarMultiplicationBase(s.BigInt(new(big.Int)))
	return p
}
