package jubjub_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/jubjubtest"
	"solidus.io/prover/jubjub"
)

func random(t *testing.T) jubjub.Scalar {
	t.Helper()
	s, err := jubjub.RandomScalar()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBaseGeneratesTheSubgroup(t *testing.T) {
	base := jubjub.Base()
	if err := jubjub.Check(&base); err != nil {
		t.Fatal(err)
	}
	if !jubjub.Order().ProbablyPrime(32) {
		t.Error("l is not prime")
	}
	var p jubjub.Point
	p.ScalarMultiplication(&base, jubjub.Order())
	if !p.IsZero() {
		t.Error("l B is not the identity")
	}
}

// The library's test of the subgroup is a pairing of small order. Multiplication by l is the definition.
func TestTheSubgroupTestIsMultiplicationByTheOrder(t *testing.T) {
	small := jubjubtest.OrderEight()
	for i := range 64 {
		s := random(t)
		p := jubjub.MulBase(&s)
		var shift, byOrder jubjub.Point
		shift.ScalarMultiplication(&small, big.NewInt(int64(i%8)))
		p.Add(&p, &shift)
		byOrder.ScalarMultiplication(&p, jubjub.Order())
		if got, want := p.IsInSubGroup(), byOrder.IsZero(); got != want || want != (i%8 == 0) {
			t.Fatalf("component of order 8/gcd(8, %d): test says %v, multiplication %v", i%8, got, want)
		}
	}
}

//spec:id E-16
func TestPoints(t *testing.T) {
	s := random(t)
	p := jubjub.MulBase(&s)
	encoded := jubjub.EncodePoint(&p)
	if q, err := jubjub.DecodePoint(encoded); err != nil || !q.Equal(&p) {
		t.Fatalf("decoded %v, %v", q, err)
	}
	small := jubjubtest.OrderEight()
	if err := jubjub.Check(&small); fault.CodeOf(err) != fault.PointNotInSubgroup {
		t.Errorf("a point of order 8: %v", err)
	}
	identity := make([]byte, jubjub.PointBytes)
	identity[len(identity)-1] = 1
	shifted := append([]byte(nil), encoded...)
	x := new(big.Int).SetBytes(encoded[:32])
	x.Add(x, fr.Modulus()).FillBytes(shifted[:32]) // r has 255 bits
	off := append([]byte(nil), encoded...)
	off[63] ^= 1
	for name, c := range map[string]struct {
		in   []byte
		code fault.Code
	}{
		"identity":      {identity, fault.IdentityPoint},
		"short":         {encoded[:63], fault.BadLength},
		"long":          {append(append([]byte(nil), encoded...), 0), fault.BadLength},
		"not canonical": {bytes.Repeat([]byte{0xff}, 64), fault.PointNotCanonical},
		"x + r":         {shifted, fault.PointNotCanonical},
		"off the curve": {off, fault.PointNotOnCurve},
	} {
		if _, err := jubjub.DecodePoint(c.in); fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

//spec:id E-17
func TestScalars(t *testing.T) {
	a, b := random(t), random(t)
	var sum, product, minus, zero jubjub.Scalar
	sum.Add(&a, &b)
	product.Mul(&a, &b)
	minus.Neg(&a)
	zero.Add(&a, &minus)
	pa, pb, ps := jubjub.MulBase(&a), jubjub.MulBase(&b), jubjub.MulBase(&sum)
	if added := jubjub.Add(pa, pb); !added.Equal(&ps) {
		t.Error("a B + b B is not (a + b) B")
	}
	if left, right := jubjub.Mul(&pa, &b), jubjub.MulBase(&product); !left.Equal(&right) {
		t.Error("b (a B) is not (a b) B")
	}
	if !zero.IsZero() {
		t.Error("a - a is not zero")
	}
	if decoded, err := jubjub.DecodeScalar(a.Bytes()); err != nil || decoded != a {
		t.Errorf("decoded %v, %v", decoded, err)
	}
	order := make([]byte, jubjub.ScalarBytes)
	jubjub.Order().FillBytes(order)
	if _, err := jubjub.DecodeScalar(order); fault.CodeOf(err) != fault.ScalarNotCanonical {
		t.Errorf("l: %v", err)
	}
	if _, err := jubjub.DecodeScalar(order[1:]); fault.CodeOf(err) != fault.BadLength {
		t.Errorf("31 bytes: %v", err)
	}
	a.SetZero()
	if !a.IsZero() {
		t.Error("not overwritten")
	}
}
