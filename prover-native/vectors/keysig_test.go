package vectors

import (
	"bytes"
	"math/big"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// keySignature signs with a chosen nonce.
func keySignature(key, nonce *big.Int, core []byte) (rk *edwards, signature []byte) {
	rk = generatorKey.multiply(key)
	commitment := generatorKey.multiply(nonce)
	z := new(big.Int).Mul(keyChallenge(commitment.bytes(), rk.bytes(), core), key)
	return rk, append(commitment.bytes(), field(modulo(z.Add(z, nonce), l))...)
}

func keyChallenge(commitment, rk, core []byte) *big.Int {
	return reduced(l, []byte("solidus/rk/v2"), commitment, rk, core)
}

//spec:id O-02 O-04 O-05
func TestKeySignature(t *testing.T) {
	f := &file{Name: "keysig", About: "pk_auth = a B; rk = pk_auth + alpha B; signatures R || z under rk over a core. An accepted " +
		"signature outputs rk again"}
	a, alpha := draw("a", l), draw("alpha", l)
	pk := generatorKey.multiply(a)
	randomised := pk.add(generatorKey.multiply(alpha))
	f.good("publicKey", "ordinary", in{"a": hexOf(field(a))}, pk.bytes())
	f.good("publicKey", "one", in{"a": hexOf(field(big.NewInt(1)))}, generatorKey.bytes())
	f.good("publicKey", "l minus one", in{"a": hexOf(field(new(big.Int).Sub(l, big.NewInt(1))))}, generatorKey.negate().bytes())
	f.bad("publicKey", "zero", in{"a": hexOf(field(new(big.Int)))}, fault.ScalarZero)
	f.good("randomisedKey", "ordinary", keyIn(pk, alpha), randomised.bytes())
	f.good("randomisedKey", "alpha zero", keyIn(pk, new(big.Int)), pk.bytes())
	f.bad("randomisedKey", "alpha is minus a", keyIn(pk, new(big.Int).Sub(l, a)), fault.IdentityPoint)
	f.bad("randomisedKey", "pk_auth outside the subgroup", keyIn(pk.add(keyOfOrder8()), alpha), fault.PointNotInSubgroup)

	key := modulo(new(big.Int).Add(a, alpha), l)
	message := sum("a core")
	for name, nonce := range map[string]*big.Int{"ordinary": draw("nonce", l), "nonce one": big.NewInt(1)} {
		rk, signature := keySignature(key, nonce, message)
		f.good("verify", name, signatureIn(rk.bytes(), message, signature), rk.bytes())
	}
	addBadSignatures(f, key, message)
	f.sort()
	check(t, f, keySignatureOperations)
}

func keyIn(pk *edwards, alpha *big.Int) in {
	return in{"pkAuth": hexOf(pk.bytes()), "alpha": hexOf(field(alpha))}
}

func signatureIn(rk, core, signature []byte) in {
	return in{"rk": hexOf(rk), "core": hexOf(core), "signature": hexOf(signature)}
}

func addBadSignatures(f *file, key *big.Int, message []byte) {
	rk, good := keySignature(key, draw("nonce", l), message)
	bad := func(name string, code fault.Code, rk, core, signature []byte) {
		f.bad("verify", name, signatureIn(rk, core, signature), code)
	}
	with := func(commitment, z []byte) []byte { return append(append([]byte(nil), commitment...), z...) }
	commitment, z := good[:64], good[64:]
	r0 := generatorKey.multiply(draw("nonce", l))
	order8 := keyOfOrder8()
	other, _ := keySignature(big.NewInt(7), big.NewInt(1), message)
	plusOne := modulo(new(big.Int).Add(new(big.Int).SetBytes(z), big.NewInt(1)), l)
	aliased := new(big.Int).Add(new(big.Int).SetBytes(z), l)

	bad("another core", fault.KeySignatureInvalid, rk.bytes(), sum("another core"), good)
	bad("another key", fault.KeySignatureInvalid, other.bytes(), message, good)
	bad("negated key", fault.KeySignatureInvalid, rk.negate().bytes(), message, good)
	bad("z plus one", fault.KeySignatureInvalid, rk.bytes(), message, with(commitment, field(plusOne)))
	bad("R negated", fault.KeySignatureInvalid, rk.bytes(), message, with(r0.negate().bytes(), z))
	bad("z plus l", fault.ScalarNotCanonical, rk.bytes(), message, with(commitment, field(aliased)))
	bad("R is the identity", fault.IdentityPoint, rk.bytes(), message, with(keyIdentity.bytes(), z))
	bad("R is zeros", fault.PointNotOnCurve, rk.bytes(), message, with(make([]byte, 64), z))
	bad("R outside the subgroup", fault.PointNotInSubgroup, rk.bytes(), message, with(r0.add(order8).bytes(), z))
	bad("R off the curve", fault.PointNotOnCurve, rk.bytes(), message, with(append(commitment[32:64:64], commitment[:32]...), z))
	bad("R not canonical", fault.PointNotCanonical, rk.bytes(), message, with(append(field(plusModulus(r0.x)), commitment[32:]...), z))
	bad("rk outside the subgroup", fault.PointNotInSubgroup, rk.add(order8).bytes(), message, good)
	bad("rk is the identity", fault.IdentityPoint, keyIdentity.bytes(), message, good)
	bad("one byte short", fault.BadLength, rk.bytes(), message, good[:95])
	bad("one byte long", fault.BadLength, rk.bytes(), message, append(good[:96:96], 0))
	bad("empty", fault.BadLength, rk.bytes(), message, nil)
}

func plusModulus(x *big.Int) *big.Int { return new(big.Int).Add(x, r) }

var keySignatureOperations = map[string]operation{
	"publicKey": func(a args) ([]byte, error) {
		secret := a.keyScalar("a")
		pk, err := suite.PublicKey(&secret)
		return jubjub.EncodePoint(&pk), err
	},
	"randomisedKey": func(a args) ([]byte, error) {
		pk, alpha := a.key("pkAuth"), a.keyScalar("alpha")
		rk, err := suite.RandomisedKey(&pk, &alpha)
		return jubjub.EncodePoint(&rk), err
	},
	"verify": func(a args) ([]byte, error) {
		rk, err := jubjub.DecodePoint(a.bytes("rk"))
		if err != nil {
			return nil, err
		}
		if err := suite.VerifyCore(&rk, [32]byte(a.bytes("core")), a.bytes("signature")); err != nil {
			return nil, err
		}
		return jubjub.EncodePoint(&rk), nil
	},
}

//spec:id E-16 E-17
func TestJubjub(t *testing.T) {
	f := &file{Name: "jubjub", About: "the group of owner keys: 64 bytes x || y to a point, 32 bytes below l to a scalar, multiples " +
		"and sums of points"}
	k := draw("jubjub multiple", l)
	for name, s := range map[string]*edwards{
		"generator": generatorKey, "minus the generator": generatorKey.negate(), "ordinary": generatorKey.multiply(k),
		"twice the generator": generatorKey.add(generatorKey),
		"l minus one times":   generatorKey.multiply(new(big.Int).Sub(l, big.NewInt(1))),
	} {
		if !s.onCurve() || !s.inSubgroup() {
			t.Fatalf("%s is not a point of the group", name)
		}
		f.good("point", name, encoded(s.bytes()), s.bytes())
	}
	addBadKeys(t, f)
	numbers(f, "scalar", l, fault.ScalarNotCanonical)
	p, other := generatorKey.multiply(k), generatorKey.multiply(draw("another multiple", l))
	for name, n := range map[string]*big.Int{
		"one": big.NewInt(1), "two": big.NewInt(2), "ordinary": draw("jubjub scalar", l),
		"l minus one": new(big.Int).Sub(l, big.NewInt(1)),
	} {
		f.good("multiply", name, in{"point": hexOf(p.bytes()), "scalar": hexOf(field(n))}, p.multiply(n).bytes())
	}
	for name, s := range map[string]*edwards{
		"two points": other, "a point and itself": p, "a point and its negative": p.negate(),
	} {
		f.good("add", name, in{"a": hexOf(p.bytes()), "b": hexOf(s.bytes())}, p.add(s).bytes())
	}
	f.sort()
	check(t, f, jubjubOperations)
}

func addBadKeys(t *testing.T, f *file) {
	t.Helper()
	bad := func(name string, code fault.Code, b []byte) { f.bad("point", name, encoded(b), code) }
	g, order8 := generatorKey.bytes(), keyOfOrder8()
	bad("identity", fault.IdentityPoint, keyIdentity.bytes())
	bad("zeros", fault.PointNotOnCurve, make([]byte, 64))
	bad("x and y exchanged", fault.PointNotOnCurve, (&edwards{generatorKey.y, generatorKey.x}).bytes())
	bad("y plus one", fault.PointNotOnCurve, (&edwards{generatorKey.x, plus(generatorKey.y, big.NewInt(1))}).bytes())
	bad("r added to x", fault.PointNotCanonical, append(field(plusModulus(generatorKey.x)), g[32:]...))
	bad("r added to y", fault.PointNotCanonical, append(g[:32:32], field(plusModulus(generatorKey.y))...))
	bad("all ones", fault.PointNotCanonical, bytes.Repeat([]byte{0xff}, 64))
	for n, b := range map[string][]byte{"empty": {}, "one byte short": g[:63], "one byte long": append(g[:64:64], 0), "half": g[:32]} {
		bad(n, fault.BadLength, b)
	}
	for n, s := range map[string]*edwards{
		"order 2": order8.multiply(big.NewInt(4)), "order 4": order8.multiply(big.NewInt(2)), "order 8": order8,
		"generator plus a point of order 2": generatorKey.add(order8.multiply(big.NewInt(4))),
		"generator plus a point of order 8": generatorKey.add(order8),
	} {
		if !s.onCurve() || s.inSubgroup() {
			t.Fatalf("%s is not a point of the curve outside the subgroup", n)
		}
		bad(n, fault.PointNotInSubgroup, s.bytes())
	}
}

var jubjubOperations = map[string]operation{
	"point": func(a args) ([]byte, error) {
		p, err := jubjub.DecodePoint(a.bytes("bytes"))
		if err == nil {
			err = jubjub.Check(&p)
		}
		return jubjub.EncodePoint(&p), err
	},
	"scalar": func(a args) ([]byte, error) {
		s, err := jubjub.DecodeScalar(a.bytes("bytes"))
		return s.Bytes(), err
	},
	"multiply": func(a args) ([]byte, error) {
		p, s := a.key("point"), a.keyScalar("scalar")
		product := jubjub.Mul(&p, &s)
		return jubjub.EncodePoint(&product), nil
	},
	"add": func(a args) ([]byte, error) {
		sum := jubjub.Add(a.key("a"), a.key("b"))
		return jubjub.EncodePoint(&sum), nil
	},
}
