package suite

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/fault"
)

func bigBytes(n *big.Int, size int) []byte { return n.FillBytes(make([]byte, size)) }

//spec:id E-01
func TestFieldEncodingIsCanonical(t *testing.T) {
	e := randomField(t)
	got, err := DecodeField(EncodeField(&e))
	must(t, err)
	if !got.Equal(&e) {
		t.Fatal("round trip")
	}
	_, err = DecodeField(bigBytes(Order(), FieldBytes))
	refused(t, err, fault.FieldNotCanonical)
	_, err = DecodeField(bytes.Repeat([]byte{0xff}, FieldBytes))
	refused(t, err, fault.FieldNotCanonical)
	for _, n := range []int{0, 31, 33, 48} {
		_, err = DecodeField(make([]byte, n))
		refused(t, err, fault.BadLength)
	}
}

//spec:id E-02
func TestScalarEncodingIsCanonical(t *testing.T) {
	e := scalar(t)
	got, err := DecodeScalar(EncodeScalar(&e))
	must(t, err)
	if !got.Equal(&e) {
		t.Fatal("round trip")
	}
	_, err = DecodeScalar(bigBytes(Order(), ScalarBytes))
	refused(t, err, fault.ScalarNotCanonical)
	_, err = DecodeScalar(make([]byte, 31))
	refused(t, err, fault.BadLength)
}

func TestG1EncodingRoundTrip(t *testing.T) {
	p := randomG1(t)
	b, err := EncodeG1(&p)
	must(t, err)
	got, err := DecodeG1(b)
	must(t, err)
	if !got.Equal(&p) {
		t.Fatal("round trip")
	}
	x, y := p.X.Bytes(), p.Y.Bytes()
	if !bytes.Equal(b, append(x[:], y[:]...)) {
		t.Fatal("coordinates differ from the encoding")
	}
}

func TestG1IdentityHasNoEncoding(t *testing.T) {
	_, err := EncodeG1(&G1{})
	refused(t, err, fault.IdentityPoint)
	_, err = DecodeG1(make([]byte, G1Bytes))
	refused(t, err, fault.IdentityPoint)
}

//spec:id E-03
func TestG1FlagBitsAndAliasesAreRefused(t *testing.T) {
	p := randomG1(t)
	b, err := EncodeG1(&p)
	must(t, err)
	for bit := 0x20; bit <= 0x80; bit <<= 1 { // the library's infinity and compression marks
		bad := bytes.Clone(b)
		bad[0] |= byte(bit)
		_, err := DecodeG1(bad)
		refused(t, err, fault.PointNotCanonical)
	}
	compressed := p.Bytes()
	_, err = DecodeG1(append(compressed[:], make([]byte, fp.Bytes)...))
	refused(t, err, fault.PointNotCanonical)
	alias := new(big.Int).Add(new(big.Int).SetBytes(b[:fp.Bytes]), fp.Modulus())
	_, err = DecodeG1(append(bigBytes(alias, fp.Bytes), b[fp.Bytes:]...))
	refused(t, err, fault.PointNotCanonical)
	for _, n := range []int{0, 95, 97} {
		_, err = DecodeG1(make([]byte, n))
		refused(t, err, fault.BadLength)
	}
}

//spec:id E-03
func TestG1CurveAndSubgroupAreSeparable(t *testing.T) {
	off := offCurve()
	raw := off.RawBytes()
	_, err := DecodeG1OnCurve(raw[:])
	refused(t, err, fault.PointNotOnCurve)
	eleven := torsionG1(11)
	for _, p := range []G1{smallOrder(), eleven, add(eleven, randomG1(t)), mixed(randomG1(t))} {
		raw := p.RawBytes()
		if _, err := DecodeG1OnCurve(raw[:]); err != nil {
			t.Fatal(err)
		}
		_, err = DecodeG1(raw[:])
		refused(t, err, fault.PointNotInSubgroup)
		refused(t, CheckG1(&p), fault.PointNotInSubgroup)
	}
}

//spec:id E-04
func TestG2Encoding(t *testing.T) {
	s := scalar(t)
	p := mulBase2(&s)
	b, err := EncodeG2(&p)
	must(t, err)
	raw := p.RawBytes()
	if !bytes.Equal(b, raw[:]) {
		t.Fatal("not the raw form")
	}
	got, err := DecodeG2(b)
	must(t, err)
	if !got.Equal(&p) {
		t.Fatal("round trip")
	}
	_, err = DecodeG2(make([]byte, G2Bytes))
	refused(t, err, fault.IdentityPoint)
	_, err = EncodeG2(&G2{})
	refused(t, err, fault.IdentityPoint)
	bad := bytes.Clone(b)
	bad[G2Bytes-1] ^= 1
	_, err = DecodeG2(bad)
	refused(t, err, fault.PointNotOnCurve)
	bad = bytes.Clone(b)
	bad[0] |= 0x40
	_, err = DecodeG2(bad)
	refused(t, err, fault.PointNotCanonical)
	_, err = DecodeG2(b[1:])
	refused(t, err, fault.BadLength)
	outside := twistPointOutsideSubgroup(t)
	raw = outside.RawBytes()
	_, err = DecodeG2(raw[:])
	refused(t, err, fault.PointNotInSubgroup)
}

// twistPointOutsideSubgroup solves the twist's equation y^2 = x^3 + b for successive x.
func twistPointOutsideSubgroup(t *testing.T) G2 {
	t.Helper()
	s := scalar(t)
	known := mulBase2(&s)
	b := known.Y // b = y^2 - x^3 of any point of the curve
	b.Square(&b)
	x3 := known.X
	x3.Square(&x3).Mul(&x3, &known.X)
	b.Sub(&b, &x3)
	for i := uint64(1); i < 64; i++ {
		var p G2
		p.X.A0.SetUint64(i)
		rhs := p.X
		rhs.Square(&rhs).Mul(&rhs, &p.X).Add(&rhs, &b)
		if rhs.Legendre() != 1 {
			continue
		}
		p.Y.Sqrt(&rhs)
		if p.IsOnCurve() && !p.IsInSubGroup() {
			return p
		}
	}
	t.Fatal("no such point found")
	return G2{}
}

// What decodes has one encoding.
func FuzzDecodePoints(f *testing.F) {
	p := randomG1(f)
	raw := p.RawBytes()
	f.Add(raw[:])
	s := scalar(f)
	q := mulBase2(&s)
	raw2 := q.RawBytes()
	f.Add(raw2[:])
	f.Add(make([]byte, G1Bytes))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := DecodeG1(b); err == nil {
			if again, err := EncodeG1(&p); err != nil || !bytes.Equal(again, b) {
				t.Fatal("a G1 point has two encodings")
			}
		}
		if p, err := DecodeG2(b); err == nil {
			if again, err := EncodeG2(&p); err != nil || !bytes.Equal(again, b) {
				t.Fatal("a G2 point has two encodings")
			}
		}
	})
}
