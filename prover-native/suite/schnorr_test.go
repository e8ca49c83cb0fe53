package suite

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/jubjubtest"
	"solidus.io/prover/jubjub"
)

func keyScalar(t testing.TB) jubjub.Scalar {
	t.Helper()
	s, err := jubjub.RandomScalar()
	must(t, err)
	return s
}

func randomKey(t testing.TB) jubjub.Point {
	t.Helper()
	s := keyScalar(t)
	return jubjub.MulBase(&s)
}

// signed is a key pair with a signature of the core.
func signed(t testing.TB, core [32]byte) (a, alpha jubjub.Scalar, rk jubjub.Point, sig []byte) {
	t.Helper()
	a, alpha = keyScalar(t), keyScalar(t)
	pk, err := PublicKey(&a)
	must(t, err)
	rk, err = RandomisedKey(&pk, &alpha)
	must(t, err)
	sig, err = SignCore(&a, &alpha, core)
	must(t, err)
	return a, alpha, rk, sig
}

// smallKeys are the points of Jubjub whose order divides 8, by their order, and none of them is the identity. The four points
// of order 8 differ by their signs.
func smallKeys(t testing.TB) map[int]jubjub.Point {
	t.Helper()
	eight := jubjubtest.OrderEight()
	four := jubjub.Add(eight, eight)
	return map[int]jubjub.Point{8: eight, 4: four, 2: jubjub.Add(four, four)}
}

// offKeyCurve has canonical coordinates that do not satisfy the equation.
func offKeyCurve() (p jubjub.Point) {
	p.X.SetUint64(7)
	p.Y.SetUint64(7)
	return p
}

// badKeys are the ways in which a point of Jubjub can be unusable.
func badKeys(t testing.TB) map[string]struct {
	point jubjub.Point
	want  fault.Code
} {
	t.Helper()
	type bad = struct {
		point jubjub.Point
		want  fault.Code
	}
	var identity jubjub.Point
	identity.Y.SetOne()
	all := map[string]bad{
		"the identity":  {identity, fault.IdentityPoint},
		"(0, 0)":        {jubjub.Point{}, fault.PointNotOnCurve},
		"off the curve": {offKeyCurve(), fault.PointNotOnCurve},
	}
	for order, p := range smallKeys(t) {
		n := big.NewInt(int64(order)).String()
		all["order "+n] = bad{p, fault.PointNotInSubgroup}
		all["a component of order "+n] = bad{jubjub.Add(randomKey(t), p), fault.PointNotInSubgroup}
	}
	return all
}

//spec:id O-02 O-05
func TestKeySignature(t *testing.T) {
	core := sha256.Sum256([]byte("core"))
	a, _, rk, sig := signed(t, core)
	pk, err := PublicKey(&a)
	must(t, err)
	must(t, VerifyCore(&rk, core, sig))
	if len(sig) != KeySignatureBytes || KeySignatureBytes != 96 {
		t.Fatalf("%d bytes", len(sig))
	}
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
	for _, n := range []int{0, 95, 97, 128} {
		refused(t, VerifyCore(&rk, core, make([]byte, n)), fault.BadLength)
	}
}

func TestKeySignatureEncodingIsStrict(t *testing.T) {
	core := sha256.Sum256(nil)
	_, alpha, rk, sig := signed(t, core)
	// z + l is the same exponent in another encoding
	alias := new(big.Int).SetBytes(sig[jubjub.PointBytes:])
	alias.Add(alias, jubjub.Order())
	bad := append(bytes.Clone(sig[:jubjub.PointBytes]), bigBytes(alias, jubjub.ScalarBytes)...)
	refused(t, VerifyCore(&rk, core, bad), fault.ScalarNotCanonical)
	// x + r is the same coordinate in another encoding
	alias.Add(new(big.Int).SetBytes(sig[:fr.Bytes]), fr.Modulus())
	bad = append(bigBytes(alias, fr.Bytes), sig[fr.Bytes:]...)
	refused(t, VerifyCore(&rk, core, bad), fault.PointNotCanonical)
	for name, p := range badKeys(t) {
		t.Run(name, func(t *testing.T) {
			withR := append(jubjub.EncodePoint(&p.point), sig[jubjub.PointBytes:]...)
			refused(t, VerifyCore(&p.point, core, sig), p.want)
			refused(t, VerifyCore(&rk, core, withR), p.want)
			_, err := RandomisedKey(&p.point, &alpha)
			refused(t, err, p.want)
			// a batch is made of claims, which check their points
			_, err = NewKeyClaim(&p.point, core, sig)
			refused(t, err, p.want)
			_, err = NewKeyClaim(&rk, core, withR)
			refused(t, err, p.want)
		})
	}
}

// A signer that shifts rk by a point of order 2, 4 or 8 signs under the shifted key with a nonce that makes the challenge a
// multiple of this order: the equation holds. So one spend key would have eight keys.
func TestShiftedKeysSatisfyTheEquation(t *testing.T) {
	a, alpha := keyScalar(t), keyScalar(t)
	var key jubjub.Scalar
	key.Add(&a, &alpha)
	core := sha256.Sum256(nil)
	for order, small := range smallKeys(t) {
		rk := jubjub.Add(jubjub.MulBase(&key), small)
		claim := &KeyClaim{rk: rk}
		for n := big.NewInt(int64(order)); ; {
			nonce := keyScalar(t)
			claim.commitment = jubjub.MulBase(&nonce)
			claim.c = coreChallenge(&rk, jubjub.EncodePoint(&claim.commitment), core)
			claim.z.Mul(&claim.c, &key)
			claim.z.Add(&claim.z, &nonce)
			if new(big.Int).Mod(claim.c.Big(), n).Sign() == 0 {
				break
			}
		}
		if !keyClaimsHold([]*KeyClaim{claim}, []*big.Int{big.NewInt(1)}) {
			t.Fatalf("order %d: the equation refuses, so this test does not show why the check exists", order)
		}
		sig := append(jubjub.EncodePoint(&claim.commitment), claim.z.Bytes()...)
		refused(t, VerifyCore(&rk, core, sig), fault.PointNotInSubgroup)
		_, err := NewKeyClaim(&rk, core, sig)
		refused(t, err, fault.PointNotInSubgroup)
	}
}

// R shifted by a point of order 2 is missed by a batch with an even weight, if the subgroup is not checked. R of order 2 in two
// signatures cancels under equal weights.
func TestShiftedCommitmentsPassWithSomeWeights(t *testing.T) {
	small := smallKeys(t)[2]
	core := sha256.Sum256(nil)
	_, _, rk, sig := signed(t, core)
	claim, err := NewKeyClaim(&rk, core, sig)
	must(t, err)
	claim.commitment = jubjub.Add(claim.commitment, small)
	for weight, passes := range map[int64]bool{1: false, 2: true, 3: false, 4: true} {
		if keyClaimsHold([]*KeyClaim{claim}, []*big.Int{big.NewInt(weight)}) != passes {
			t.Fatalf("weight %d", weight)
		}
	}
	one := big.NewInt(1)
	if !keyClaimsHold([]*KeyClaim{claim, claim}, []*big.Int{one, one}) {
		t.Fatal("the errors do not cancel: the test shows nothing")
	}
	shifted := append(jubjub.EncodePoint(&claim.commitment), sig[jubjub.PointBytes:]...)
	_, err = NewKeyClaim(&rk, core, shifted)
	refused(t, err, fault.PointNotInSubgroup)
}

func TestNoncesNeverRepeat(t *testing.T) {
	a, alpha := keyScalar(t), keyScalar(t)
	core := sha256.Sum256(nil)
	seen := map[string]bool{}
	for range 64 {
		sig, err := SignCore(&a, &alpha, core)
		must(t, err)
		if seen[string(sig[:jubjub.PointBytes])] {
			t.Fatal("a nonce repeats")
		}
		seen[string(sig[:jubjub.PointBytes])] = true
	}
}

// The key of a signature is a + alpha: a fresh alpha hides which address signed.
//
//spec:id O-04
func TestRandomisedKeysAreFresh(t *testing.T) {
	a := keyScalar(t)
	pk, err := PublicKey(&a)
	must(t, err)
	seen := map[jubjub.Point]bool{pk: true}
	for range 32 {
		alpha := keyScalar(t)
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
	var zero jubjub.Scalar
	alpha := keyScalar(t)
	_, err := PublicKey(&zero)
	refused(t, err, fault.ScalarZero)
	_, err = SignCore(&zero, &alpha, [32]byte{})
	refused(t, err, fault.ScalarZero)
	a := keyScalar(t)
	var minus jubjub.Scalar
	minus.Neg(&a)
	_, err = SignCore(&a, &minus, [32]byte{})
	refused(t, err, fault.ScalarZero)
	pk, err := PublicKey(&a)
	must(t, err)
	_, err = RandomisedKey(&pk, &minus)
	refused(t, err, fault.IdentityPoint)
}

// Sums of multiples agree with the library, also for points outside the subgroup, equal and opposite points, and scalars at
// the bounds of their digits.
func TestJubjubSums(t *testing.T) {
	var identity, minus jubjub.Point
	identity.Y.SetOne()
	p := randomKey(t)
	minus.Neg(&p)
	points := []jubjub.Point{identity, p, p, minus, randomKey(t)}
	for _, small := range smallKeys(t) {
		points = append(points, small, jubjub.Add(small, randomKey(t)))
	}
	least := new(big.Int).Lsh(big.NewInt(1), 128)
	scalars := []*big.Int{new(big.Int), big.NewInt(1), big.NewInt(15), big.NewInt(16), big.NewInt(17), big.NewInt(31), least,
		new(big.Int).Sub(least, big.NewInt(1)), new(big.Int).Sub(jubjub.Order(), big.NewInt(1)), keyScalarInt(t),
		new(big.Int).Sub(new(big.Int).Lsh(least, 128), big.NewInt(1))}
	all, total := newJubjubSum(0), identity
	for i := range points {
		for _, n := range scalars {
			var want jubjub.Point
			want.ScalarMultiplication(&points[i], n)
			one := newJubjubSum(1)
			one.add(&points[i], n)
			if got := one.total(); !got.Equal(&want) {
				t.Fatalf("point %d times %v", i, n)
			}
			all.add(&points[i], n)
			total = jubjub.Add(total, want)
		}
	}
	if got := all.total(); !got.Equal(&total) {
		t.Fatal("another sum")
	}
	if got := newJubjubSum(0).total(); !got.IsZero() {
		t.Fatal("a sum of nothing")
	}
}

func keyScalarInt(t testing.TB) *big.Int {
	t.Helper()
	s := keyScalar(t)
	return s.Big()
}
