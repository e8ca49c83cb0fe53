package vectors

import (
	"bytes"
	"crypto/sha512"
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

func TestBlind(t *testing.T) {
	f := &file{Name: "blind", About: "exponent m of a message, base point h of (c_m, D), blinded message k = m h + b g1"}
	bound := new(big.Int).Lsh(big.NewInt(1), 124)
	limit := new(big.Int).Mul(bound, r) // the least hash whose quotient by r has 125 bits
	for name, hm := range map[string]*big.Int{
		"zero": new(big.Int), "one": big.NewInt(1), "order": r, "order minus one": new(big.Int).Sub(r, big.NewInt(1)),
		"largest with an exponent": new(big.Int).Sub(limit, big.NewInt(1)),
	} {
		f.good("exponent", name, in{"message": hexOf(field(hm))}, scalar(new(big.Int).Mod(hm, r)))
	}
	f.bad("exponent", "least without", in{"message": hexOf(field(limit))}, fault.RetrySeed)
	f.bad("exponent", "largest element", in{"message": hexOf(field(small(-1)))}, fault.RetrySeed)
	for i := range 6 {
		addBlinded(t, f, "sample "+decimal(uint64(i)), bound)
	}
	f.sort()
	check(t, f, blindOperations)
}

func addBlinded(t *testing.T, f *file, label string, bound *big.Int) {
	t.Helper()
	cm, d, b := draw(label+" cm", p), draw(label+" D", p), draw(label+" b", r)
	hm := draw(label+" message", p)
	base := baseOf(t, cm, d)
	at := in{"network": vectorNetwork, "cm": hexOf(field(cm)), "d": hexOf(field(d))}
	f.good("base", label, at, base.g1())
	full := in{"network": vectorNetwork, "cm": at["cm"], "d": at["d"], "message": hexOf(field(hm)), "b": hexOf(scalar(b))}
	q, m := new(big.Int).DivMod(hm, r, new(big.Int))
	if q.Cmp(bound) >= 0 {
		f.bad("blind", label, full, fault.RetrySeed)
		f.bad("exponent", label, in{"message": full["message"]}, fault.RetrySeed)
		return
	}
	f.good("exponent", label, in{"message": full["message"]}, scalar(m))
	f.good("blind", label, full, base.multiply(m).add(generatorG1.multiply(b)).g1())
}

// baseOf hashes to the curve by the library; message and domain are put together here.
func baseOf(t *testing.T, cm, d *big.Int) *point {
	t.Helper()
	h, err := bls.HashToG1(append(field(cm), field(d)...), []byte("SOLIDUS-V01-H-"+hexOf(network[:16])))
	if err != nil {
		t.Fatal(err)
	}
	q := &point{real(h.X.BigInt(new(big.Int))), real(h.Y.BigInt(new(big.Int)))}
	if !q.onCurve(constantG1) || !q.inSubgroup() {
		t.Fatal("the hash is not a point of the group")
	}
	return q
}

var blindOperations = map[string]operation{
	"exponent": func(a args) ([]byte, error) {
		hm := a.field("message")
		m, err := suite.Exponent(&hm)
		return suite.EncodeScalar(&m), err
	},
	"base": func(a args) ([]byte, error) {
		cm, d := a.field("cm"), a.field("d")
		h, err := a.network().Scheme().BlindBase(&cm, &d)
		if err != nil {
			return nil, err
		}
		return suite.EncodeG1(&h)
	},
	"blind": func(a args) ([]byte, error) {
		hm, cm, d, b := a.field("message"), a.field("cm"), a.field("d"), a.scalar("b")
		k, err := a.network().Scheme().Blind(&hm, &cm, &d, &b)
		if err != nil {
			return nil, err
		}
		return suite.EncodeG1(&k)
	},
}

// keySignature signs with a chosen nonce.
func keySignature(key, nonce *big.Int, core []byte) (rk *point, signature []byte) {
	rk = generatorG1.multiply(key)
	commitment := generatorG1.multiply(nonce)
	z := new(big.Int).Mul(challenge(commitment.g1(), rk.g1(), core), key)
	z.Add(z, nonce).Mod(z, r)
	return rk, append(commitment.g1(), scalar(z)...)
}

func challenge(commitment, rk, core []byte) *big.Int {
	digest := sha512.Sum512(bytes.Join([][]byte{[]byte("solidus/rk/v1"), commitment, rk, core}, nil))
	c := new(big.Int).SetBytes(digest[:])
	return c.Mod(c, r)
}

//spec:id O-04 O-05
func TestKeySignature(t *testing.T) {
	f := &file{Name: "keysig", About: "rk = pk_auth + alpha g1, and signatures R || z under rk over a core; an accepted signature outputs rk again"}
	a, alpha := draw("a", r), draw("alpha", r)
	pk := generatorG1.multiply(a)
	randomised := pk.add(generatorG1.multiply(alpha))
	f.good("randomisedKey", "ordinary", keyIn(pk, alpha), randomised.g1())
	f.good("randomisedKey", "alpha zero", keyIn(pk, new(big.Int)), pk.g1())
	f.bad("randomisedKey", "alpha is minus a", keyIn(pk, new(big.Int).Sub(r, a)), fault.IdentityPoint)

	key := new(big.Int).Add(a, alpha)
	key.Mod(key, r)
	message := sum("a core")
	for name, nonce := range map[string]*big.Int{"ordinary": draw("nonce", r), "nonce one": big.NewInt(1)} {
		rk, signature := keySignature(key, nonce, message)
		f.good("verify", name, signatureIn(rk.g1(), message, signature), rk.g1())
	}
	addBadSignatures(f, key, message)
	f.sort()
	check(t, f, keySignatureOperations)
}

func keyIn(pk *point, alpha *big.Int) in {
	return in{"pkAuth": hexOf(pk.g1()), "alpha": hexOf(scalar(alpha))}
}

func signatureIn(rk, core, signature []byte) in {
	return in{"rk": hexOf(rk), "core": hexOf(core), "signature": hexOf(signature)}
}

func addBadSignatures(f *file, key *big.Int, message []byte) {
	rk, good := keySignature(key, draw("nonce", r), message)
	bad := func(name string, code fault.Code, rk, core, signature []byte) {
		f.bad("verify", name, signatureIn(rk, core, signature), code)
	}
	with := func(commitment, z []byte) []byte { return append(append([]byte(nil), commitment...), z...) }
	commitment, z := good[:96], good[96:]
	order3 := &point{real(small(0)), real(small(1))}
	other, _ := keySignature(big.NewInt(7), big.NewInt(1), message)
	plusOne := new(big.Int).SetBytes(z)
	plusOne.Add(plusOne, big.NewInt(1)).Mod(plusOne, r)
	aliased := new(big.Int).Add(new(big.Int).SetBytes(z), r)

	bad("another core", fault.KeySignatureInvalid, rk.g1(), sum("another core"), good)
	bad("another key", fault.KeySignatureInvalid, other.g1(), message, good)
	bad("negated key", fault.KeySignatureInvalid, rk.negate().g1(), message, good)
	bad("z plus one", fault.KeySignatureInvalid, rk.g1(), message, with(commitment, scalar(plusOne)))
	bad("R negated", fault.KeySignatureInvalid, rk.g1(), message, with((&point{pointOf(commitment).x, pointOf(commitment).y}).negate().g1(), z))
	bad("z plus the order", fault.ScalarNotCanonical, rk.g1(), message, with(commitment, scalar(aliased)))
	bad("R is the identity", fault.IdentityPoint, rk.g1(), message, with(make([]byte, 96), z))
	bad("R outside the subgroup", fault.PointNotInSubgroup, rk.g1(), message, with(pointOf(commitment).add(order3).g1(), z))
	bad("R off the curve", fault.PointNotOnCurve, rk.g1(), message, with(append(commitment[48:96:96], commitment[:48]...), z))
	bad("rk outside the subgroup", fault.PointNotInSubgroup, rk.add(order3).g1(), message, good)
	bad("rk is the identity", fault.IdentityPoint, make([]byte, 96), message, good)
	bad("one byte short", fault.BadLength, rk.g1(), message, good[:127])
	bad("one byte long", fault.BadLength, rk.g1(), message, append(good[:128:128], 0))
	bad("empty", fault.BadLength, rk.g1(), message, nil)
}

func pointOf(b []byte) *point {
	return &point{real(new(big.Int).SetBytes(b[:48])), real(new(big.Int).SetBytes(b[48:]))}
}

var keySignatureOperations = map[string]operation{
	"randomisedKey": func(a args) ([]byte, error) {
		pk, alpha := a.g1("pkAuth"), a.scalar("alpha")
		rk, err := suite.RandomisedKey(&pk, &alpha)
		if err != nil {
			return nil, err
		}
		return suite.EncodeG1(&rk)
	},
	"verify": func(a args) ([]byte, error) {
		rk, err := suite.DecodeG1(a.bytes("rk"))
		if err != nil {
			return nil, err
		}
		if err := suite.VerifyCore(&rk, [32]byte(a.bytes("core")), a.bytes("signature")); err != nil {
			return nil, err
		}
		return suite.EncodeG1(&rk)
	},
}
