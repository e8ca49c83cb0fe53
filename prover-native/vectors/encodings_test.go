package vectors

import (
	"math/big"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

func encoded(b []byte) in { return in{"bytes": hexOf(b)} }

// numbers adds the cases of an operation that decodes 32 bytes below a modulus, whose double has 32 bytes too.
func numbers(f *file, op string, modulus *big.Int, notCanonical fault.Code) {
	const length = 32
	whole := new(big.Int).Lsh(big.NewInt(1), 8*length)
	for name, x := range map[string]*big.Int{
		"zero": new(big.Int), "one": big.NewInt(1), "2^64": shifted(1, 64),
		"modulus minus one": new(big.Int).Sub(modulus, big.NewInt(1)), "ordinary": draw(f.Name+" "+op, modulus),
	} {
		b := x.FillBytes(make([]byte, length))
		f.good(op, name, encoded(b), b)
	}
	for name, x := range map[string]*big.Int{
		"modulus": modulus, "modulus plus one": new(big.Int).Add(modulus, big.NewInt(1)),
		"twice the modulus": new(big.Int).Lsh(modulus, 1), "all ones": new(big.Int).Sub(whole, big.NewInt(1)),
	} {
		f.bad(op, name, encoded(x.FillBytes(make([]byte, length))), notCanonical)
	}
	for name, n := range map[string]int{"empty": 0, "one byte short": length - 1, "one byte long": length + 1} {
		f.bad(op, name, encoded(make([]byte, n)), fault.BadLength)
	}
}

//spec:id E-01
func TestField(t *testing.T) {
	f := &file{Name: "field", About: "32 bytes to an element of F; the output is its encoding"}
	numbers(f, "decode", r, fault.FieldNotCanonical)
	f.sort()
	check(t, f, map[string]operation{"decode": func(a args) ([]byte, error) {
		x, err := suite.DecodeField(a.bytes("bytes"))
		return suite.EncodeField(&x), err
	}})
}

//spec:id E-02
func TestScalar(t *testing.T) {
	f := &file{Name: "scalar", About: "32 bytes to an exponent; the output is its encoding"}
	numbers(f, "decode", r, fault.ScalarNotCanonical)
	f.sort()
	check(t, f, map[string]operation{"decode": func(a args) ([]byte, error) {
		x, err := suite.DecodeScalar(a.bytes("bytes"))
		return suite.EncodeScalar(&x), err
	}})
}

// points adds what is the same for both groups. A point comes with the encoding of its group.
func points(t *testing.T, f *file, generator *point, c pair, encode func(*point) []byte) {
	t.Helper()
	k := draw(f.Name+" multiple", r)
	for name, s := range map[string]*point{
		"generator": generator, "minus the generator": generator.negate(),
		"twice the generator": generator.multiply(big.NewInt(2)), "ordinary": generator.multiply(k),
		"r minus one times": generator.multiply(new(big.Int).Sub(r, big.NewInt(1))),
	} {
		if !s.onCurve(c) || !s.inSubgroup() {
			t.Fatalf("%s is not a point of the group", name)
		}
		f.good("decode", name, encoded(encode(s)), encode(s))
	}
	g := encode(generator)
	f.bad("decode", "identity as zeros", encoded(make([]byte, len(g))), fault.IdentityPoint)
	shiftedY := &point{generator.x, generator.y.plus(number(1))}
	f.bad("decode", "y plus one", encoded(encode(shiftedY)), fault.PointNotOnCurve)
	f.bad("decode", "x and y exchanged", encoded(encode(&point{generator.y, generator.x})), fault.PointNotOnCurve)
	f.bad("decode", "x zero", encoded(append(make([]byte, len(g)/2), g[len(g)/2:]...)), fault.PointNotOnCurve)
	for name, bits := range map[string]byte{"flag of compression": 0x80, "flag of infinity": 0x40, "both flags": 0xc0} {
		flagged := append([]byte(nil), g...)
		flagged[0] |= bits
		f.bad("decode", name, encoded(flagged), fault.PointNotCanonical)
	}
	infinity := make([]byte, len(g))
	infinity[0] = 0x40
	f.bad("decode", "identity in the library's raw form", encoded(infinity), fault.PointNotCanonical)
	for name, at := range map[string]int{"first": 0, "last": len(g) - 48} {
		for by, add := range map[string]*big.Int{"q in the": q, "q added to the": new(big.Int).Add(q, new(big.Int).SetBytes(g[at:at+48]))} {
			alias := append([]byte(nil), g...)
			add.FillBytes(alias[at : at+48])
			f.bad("decode", by+" "+name+" coordinate", encoded(alias), fault.PointNotCanonical)
		}
	}
	for name, b := range map[string][]byte{
		"empty": {}, "one byte short": g[:len(g)-1], "one byte long": append(g[:len(g):len(g)], 0), "half": g[:len(g)/2],
	} {
		f.bad("decode", name, encoded(b), fault.BadLength)
	}
}

// outside adds points of the curve that lie outside the subgroup.
func outside(t *testing.T, f *file, c pair, encode func(*point) []byte, named map[string]*point) {
	t.Helper()
	for name, s := range named {
		if !s.onCurve(c) || s.inSubgroup() {
			t.Fatalf("%s is not a point of the curve outside the subgroup", name)
		}
		f.bad("decode", name, encoded(encode(s)), fault.PointNotInSubgroup)
	}
}

// cofactorPart is a point of a prime order that divides the cofactor. The curve is the sum of G1 and of a group in which every
// order divides 1 - x for the curve's parameter x.
func cofactorPart(order int64) *point {
	strip := new(big.Int).Mul(r, integer("d201000000010001"))
	strip.Div(strip, big.NewInt(order))
	for start := int64(0); ; start++ {
		if s := curvePoint(start).multiply(strip); s != nil {
			return s
		}
	}
}

//spec:id E-03
func TestG1(t *testing.T) {
	f := &file{Name: "g1", About: "96 bytes x || y to a point of the first group; the output is its encoding"}
	points(t, f, generatorG1, constantG1, (*point).g1)
	order3 := &point{number(0), number(2)}
	outside(t, f, constantG1, (*point).g1, map[string]*point{
		"order 3": order3, "order 3, negative": order3.negate(), "order 11": cofactorPart(11), "order 10177": cofactorPart(10177),
		"order 859267": cofactorPart(859267), "order 52437899": cofactorPart(52437899),
		"generator plus a point of order 3": generatorG1.add(order3), "small x": curvePoint(4),
	})
	f.sort()
	check(t, f, map[string]operation{"decode": func(a args) ([]byte, error) {
		q, err := suite.DecodeG1(a.bytes("bytes"))
		if err != nil {
			return nil, err
		}
		return suite.EncodeG1(&q)
	}})
}

//spec:id E-04
func TestG2(t *testing.T) {
	f := &file{Name: "g2", About: "192 bytes (imaginary parts first) to a point of the second group; the output is its encoding"}
	points(t, f, generatorG2, constantG2, (*point).g2)
	stray := twistPoint()
	outside(t, f, constantG2, (*point).g2, map[string]*point{
		"small x": stray, "generator plus a stray point": generatorG2.add(stray), "r times a stray point": stray.multiply(r),
	})
	f.sort()
	check(t, f, map[string]operation{"decode": func(a args) ([]byte, error) {
		q, err := suite.DecodeG2(a.bytes("bytes"))
		if err != nil {
			return nil, err
		}
		return suite.EncodeG2(&q)
	}})
}

//spec:id E-07
func TestNetwork(t *testing.T) {
	f := &file{Name: "network", About: "a network id to the network's digest, whose first 16 bytes are the tag"}
	for _, id := range []string{vectorNetwork, "abc", "a-0", "01234567890123456789012345678901"} {
		f.good("digest", id, in{"id": id}, networkDigest(id))
	}
	for name, id := range map[string]string{
		"empty": "", "two characters": "ab", "33 characters": "012345678901234567890123456789012", "upper case": "Abc",
		"underscore": "a_c", "trailing space": "abc ", "not ASCII": "äbc", "zero byte": "a\x00c", "line end": "abc\n",
	} {
		f.bad("digest", name, in{"id": id}, fault.BadNetworkID)
	}
	f.sort()
	check(t, f, map[string]operation{"digest": func(a args) ([]byte, error) {
		n, err := statement.NewNetwork(a.text("id"))
		if err != nil {
			return nil, err
		}
		digest := n.Digest()
		return digest[:], nil
	}})
}
