package suite

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"solidus.io/prover/fault"
)

//spec:id O-02 O-05
func TestKeySignature(t *testing.T) {
	a, alpha := scalar(t), scalar(t)
	pk, err := PublicKey(&a)
	must(t, err)
	rk, err := RandomisedKey(&pk, &alpha)
	must(t, err)
	core := sha256.Sum256([]byte("core"))
	sig, err := SignCore(&a, &alpha, core)
	must(t, err)
	must(t, VerifyCore(&rk, core, sig))
	other := sha256.Sum256([]byte("another core"))
	refused(t, VerifyCore(&rk, other, sig), fault.KeySignatureInvalid)
	refused(t, VerifyCore(&pk, core, sig), fault.KeySignatureInvalid)
	for i := range sig {
		bad := bytes.Clone(sig)
		bad[i] ^= 1
		if err := VerifyCore(&rk, core, bad); err == nil {
			t.Fatalf("byte %d may change", i)
		}
	}
	for _, n := range []int{0, 127, 129} {
		refused(t, VerifyCore(&rk, core, make([]byte, n)), fault.BadLength)
	}
}

func TestKeySignatureEncodingIsStrict(t *testing.T) {
	a, alpha := scalar(t), scalar(t)
	pk, err := PublicKey(&a)
	must(t, err)
	rk, err := RandomisedKey(&pk, &alpha)
	must(t, err)
	core := sha256.Sum256(nil)
	sig, err := SignCore(&a, &alpha, core)
	must(t, err)
	// z + r is the same exponent in another encoding
	z, err := DecodeScalar(sig[G1Bytes:])
	must(t, err)
	alias := z.BigInt(bigZero())
	alias.Add(alias, Order())
	bad := append(bytes.Clone(sig[:G1Bytes]), bigBytes(alias, ScalarBytes)...)
	refused(t, VerifyCore(&rk, core, bad), fault.ScalarNotCanonical)
	for want, p := range badPoints(t) {
		refused(t, VerifyCore(&p, core, sig), want)
		raw := p.RawBytes()
		if want == fault.IdentityPoint {
			raw = [G1Bytes]byte{}
		}
		refused(t, VerifyCore(&rk, core, append(raw[:], sig[G1Bytes:]...)), want)
		_, err := RandomisedKey(&p, &alpha)
		refused(t, err, want)
	}
}

// rk shifted by a point of order 3 verifies for one challenge in three if the subgroup is not checked.
func TestKeyOutsideTheSubgroupIsRefused(t *testing.T) {
	a, alpha := scalar(t), scalar(t)
	core := sha256.Sum256(nil)
	sig, err := SignCore(&a, &alpha, core)
	must(t, err)
	var key Scalar
	key.Add(&a, &alpha)
	shifted := mixed(mulBase(&key))
	refused(t, VerifyCore(&shifted, core, sig), fault.PointNotInSubgroup)
}

func TestNoncesNeverRepeat(t *testing.T) {
	a, alpha := scalar(t), scalar(t)
	core := sha256.Sum256(nil)
	seen := map[string]bool{}
	for range 64 {
		sig, err := SignCore(&a, &alpha, core)
		must(t, err)
		if seen[string(sig[:G1Bytes])] {
			t.Fatal("a nonce repeats")
		}
		seen[string(sig[:G1Bytes])] = true
	}
}

// The key of a signature is a + alpha: a fresh alpha hides which address signed.
//
//spec:id O-04
func TestRandomisedKeysAreFresh(t *testing.T) {
	a := scalar(t)
	pk, err := PublicKey(&a)
	must(t, err)
	seen := map[G1]bool{pk: true}
	for range 32 {
		alpha := scalar(t)
		rk, err := RandomisedKey(&pk, &alpha)
		must(t, err)
		if seen[rk] {
			t.Fatal("a randomised key repeats")
		}
		seen[rk] = true
	}
}

//spec:id O-02
func TestZeroKeysAreRefused(t *testing.T) {
	var zero Scalar
	alpha := scalar(t)
	_, err := PublicKey(&zero)
	refused(t, err, fault.ScalarZero)
	_, err = SignCore(&zero, &alpha, [32]byte{})
	refused(t, err, fault.ScalarZero)
	a := scalar(t)
	var minus Scalar
	minus.Neg(&a)
	_, err = SignCore(&a, &minus, [32]byte{})
	refused(t, err, fault.ScalarZero)
	pk, err := PublicKey(&a)
	must(t, err)
	_, err = RandomisedKey(&pk, &minus)
	refused(t, err, fault.IdentityPoint)
}
