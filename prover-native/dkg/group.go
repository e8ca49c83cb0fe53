package dkg

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"encoding/binary"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

type (
	scalar = suite.Scalar
	g1     = suite.G1
	g2     = suite.G2
)

// pedersenBase is a point whose logarithm is unknown, because it is the hash of its own name.
//
//spec:id D-01
var base1, base2, pedersenBase = bases()

func bases() (g1, g2, g2) {
	_, _, b1, b2 := bls.Generators()
	h, err := bls.HashToG2([]byte("solidus/dkg/pedersen/v1"), []byte("SOLIDUS-V01-DKG"))
	if err != nil {
		panic(err) // the arguments are constants
	}
	return b1, b2, h
}

func mul1(p *g1, s *scalar) (r g1) {
	n := s.BigInt(new(big.Int))
	defer wipeInt(n)
	r.ScalarMultiplication(p, n)
	return r
}

func mul2(p *g2, s *scalar) (r g2) {
	n := s.BigInt(new(big.Int))
	defer wipeInt(n)
	r.ScalarMultiplication(p, n)
	return r
}

func add2(p, q g2) (r g2) {
	r.Add(&p, &q)
	return r
}

func sub2(p, q g2) (r g2) {
	r.Sub(&p, &q)
	return r
}

func wipeInt(n *big.Int) {
	words := n.Bits()
	clear(words[:cap(words)])
	n.SetInt64(0)
}

// polynomial has its constant term first.
type polynomial []scalar

func (p polynomial) at(x int) (y scalar) {
	at := small(x)
	for i := len(p) - 1; i >= 0; i-- {
		y.Mul(&y, &at).Add(&y, &p[i])
	}
	return y
}

// vanishAt sets the constant term so that the value at x is zero.
func (p polynomial) vanishAt(x int) {
	p[0].SetZero()
	y := p.at(x)
	p[0].Neg(&y)
}

func small(n int) (s scalar) {
	s.SetInt64(int64(n))
	return s
}

// powersOf returns 1, x, x^2 and so on.
func powersOf(x, n int) []scalar {
	all := make([]scalar, n)
	at := small(x)
	all[0].SetOne()
	for i := 1; i < n; i++ {
		all[i].Mul(&all[i-1], &at)
	}
	return all
}

// evaluate2 returns the value at x of a polynomial whose coefficients are given as exponents.
func evaluate2(coefficients []g2, x int) (sum g2) {
	for i, w := range powersOf(x, len(coefficients)) {
		sum = add2(sum, mul2(&coefficients[i], &w))
	}
	return sum
}

func evaluate1(coefficients []g1, x int) (sum g1) {
	for i, w := range powersOf(x, len(coefficients)) {
		p := mul1(&coefficients[i], &w)
		sum.Add(&sum, &p)
	}
	return sum
}

// weights returns the Lagrange weights that map the values at the indices to the value at x.
func weights(indices []int, x int) []scalar {
	all := make([]scalar, len(indices))
	for i, xi := range indices {
		num, den := small(1), small(1)
		for j, xj := range indices {
			if i != j {
				a, b := small(x-xj), small(xi-xj)
				num.Mul(&num, &a)
				den.Mul(&den, &b)
			}
		}
		den.Inverse(&den)
		all[i].Mul(&num, &den)
	}
	return all
}

func weighted(values, by []scalar) (sum scalar) {
	for i := range values {
		var term scalar
		sum.Add(&sum, term.Mul(&values[i], &by[i]))
	}
	return sum
}

// interpolate returns the polynomial of degree n-1 through n values.
func interpolate(indices []int, values []scalar) polynomial {
	p := make(polynomial, len(indices))
	for i, xi := range indices {
		basis := make(polynomial, 1, len(indices))
		basis[0].SetOne()
		den := small(1)
		for j, xj := range indices {
			if i == j {
				continue
			}
			d := small(xi - xj)
			den.Mul(&den, &d)
			basis = timesLinear(basis, xj)
		}
		den.Inverse(&den).Mul(&den, &values[i])
		for k := range p {
			var term scalar
			p[k].Add(&p[k], term.Mul(&basis[k], &den))
		}
	}
	return p
}

// timesLinear multiplies by (X - root).
func timesLinear(p polynomial, root int) polynomial {
	minus := small(-root)
	out := make(polynomial, len(p)+1)
	for k := range p {
		var term scalar
		out[k].Add(&out[k], term.Mul(&p[k], &minus))
		out[k+1].Add(&out[k+1], &p[k])
	}
	return out
}

// reduce maps 64 bytes to a scalar with a bias below 2^-257.
func reduce(wide []byte) (s scalar) {
	n := new(big.Int).SetBytes(wide)
	defer wipeInt(n)
	s.SetBigInt(n)
	return s
}

// derive returns the scalar that is derived from a seed for a label and numbers.
func derive(seed []byte, label string, numbers ...int) scalar {
	h := hmac.New(sha512.New, seed)
	h.Write([]byte(label))
	for _, n := range numbers {
		_ = binary.Write(h, binary.BigEndian, int64(n))
	}
	wide := h.Sum(nil)
	defer suite.Wipe(wide)
	return reduce(wide)
}

func fresh() (scalar, error) {
	var wide [64]byte
	defer clear(wide[:])
	if _, err := rand.Read(wide[:]); err != nil {
		return scalar{}, err
	}
	return reduce(wide[:]), nil
}

// Encodings. The identity has none.

func encode2(points []g2) ([]string, error) {
	all := make([]string, len(points))
	for i := range points {
		b, err := suite.EncodeG2(&points[i])
		if err != nil {
			return nil, err
		}
		all[i] = hexOf(b)
	}
	return all, nil
}

func encode1(points []g1) ([]string, error) {
	all := make([]string, len(points))
	for i := range points {
		b, err := suite.EncodeG1(&points[i])
		if err != nil {
			return nil, err
		}
		all[i] = hexOf(b)
	}
	return all, nil
}

func decode2(texts []string, n int) ([]g2, error) {
	if len(texts) != n {
		return nil, ceremony.Refuse(ceremony.WrongSize, "%d points, want %d", len(texts), n)
	}
	points := make([]g2, n)
	for i, s := range texts {
		b, err := bytesOf(s, suite.G2Bytes)
		if err != nil {
			return nil, err
		}
		if points[i], err = suite.DecodeG2(b); err != nil {
			return nil, ceremony.Refuse(ceremony.NotAPoint, "%v", err)
		}
	}
	return points, nil
}

func decode1(texts []string, n int) ([]g1, error) {
	if len(texts) != n {
		return nil, ceremony.Refuse(ceremony.WrongSize, "%d points, want %d", len(texts), n)
	}
	points := make([]g1, n)
	for i, s := range texts {
		b, err := bytesOf(s, suite.G1Bytes)
		if err != nil {
			return nil, err
		}
		if points[i], err = suite.DecodeG1(b); err != nil {
			return nil, ceremony.Refuse(ceremony.NotAPoint, "%v", err)
		}
	}
	return points, nil
}

func decodeScalar(s string) (scalar, error) {
	b, err := bytesOf(s, suite.ScalarBytes)
	if err != nil {
		return scalar{}, err
	}
	defer suite.Wipe(b)
	v, err := suite.DecodeScalar(b)
	if err != nil {
		return scalar{}, ceremony.Refuse(ceremony.Malformed, "a scalar")
	}
	return v, nil
}

func decodeScalars(texts []string, n int) ([]scalar, error) {
	if len(texts) != n {
		return nil, ceremony.Refuse(ceremony.WrongSize, "%d scalars, want %d", len(texts), n)
	}
	all := make([]scalar, n)
	for i, s := range texts {
		var err error
		if all[i], err = decodeScalar(s); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func encodeScalars(all []scalar) []string {
	texts := make([]string, len(all))
	for i := range all {
		texts[i] = hexOf(suite.EncodeScalar(&all[i]))
	}
	return texts
}
