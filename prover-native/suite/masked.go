package suite

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/g1/fp8"
)

// ladderSteps is the length of the scalars in digits of 1 and -1.
const ladderSteps = 129

// maskedMul returns x*p + y*q for secret x and y, and points of the group other than the identity.
func maskedMul(p, q *G1, x, y *Scalar) (G1, error) {
	var r G1
	err := maskedMulAll([]signingPair{{h: *p, k: *q, into: &r}}, x, y)
	return r, err
}

// maskedMulAll is maskedMul for many pairs.
//
// Both scalars are halved by the endomorphism and written in digits of 1 and -1. Each step of the ladder doubles the sum and
// adds one of the sixteen points +-h +-phi(h) +-k +-phi(k), all of which it reads. The formulas have no special cases. So the
// operations and the memory accesses are the same for all scalars and points.
//
// Of two operations the time depends on the values: the inversion at the end and, on processors for which the library has no
// assembly, its multiplication. The coordinates are multiplied by fresh random factors, so that these values are random.
func maskedMulAll(pairs []signingPair, x, y *Scalar) error {
	scrubStack()
	defer scrubStack()
	var digits [ladderSteps]uint8
	defer clear(digits[:])
	ladderDigits(&digits, x, y)
	for len(pairs) > 0 {
		n := min(len(pairs), fp8.Size)
		if err := ladder(pairs[:n], &digits); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}

// ladder is maskedMulAll for up to eight pairs, with the digits of the scalars.
func ladder(pairs []signingPair, digits *[ladderSteps]uint8) error {
	s := g1.NewSteps(len(pairs))
	h, k := make([]G1, len(pairs)), make([]G1, len(pairs))
	for i := range pairs {
		for _, p := range []*G1{&pairs[i].h, &pairs[i].k} {
			if _, err := finite(*p, "base or blinded coin"); err != nil {
				return err
			}
		}
		h[i], k[i] = pairs[i].h, pairs[i].k
	}
	var terms [4]g1.Eight
	for i, points := range [][]G1{h, k} {
		s.Set(&terms[2*i], points)
		if err := s.Mask(&terms[2*i]); err != nil {
			return err
		}
		s.Image(&terms[2*i+1], &terms[2*i])
	}
	var table g1.SignedSums
	s.SumSigned(&table, &terms)

	var sum, term g1.Eight
	s.Choose(&sum, &table, int(digits[0]))
	for _, d := range digits[1:] {
		s.Double(&sum)
		s.Choose(&term, &table, int(d))
		s.Add(&sum, &sum, &term)
	}
	s.Affine(h, &sum)
	for i := range pairs {
		*pairs[i].into = h[i]
	}
	return nil
}

// ladderDigits adds the points of the steps to digits, which are zero: bit j of a digit negates term j.
func ladderDigits(digits *[ladderSteps]uint8, x, y *Scalar) {
	var halves [2]oddHalf
	defer clear(halves[:])
	for i, secret := range []*Scalar{x, y} {
		u, v := &halves[0], &halves[1]
		oddHalves(u, v, secret)
		for at := range digits {
			digits[ladderSteps-1-at] |= (u.sign(at) | v.sign(at)<<1) << (2 * i)
		}
	}
}

// oddHalf is an odd number n above -2^129 and below 2^129, kept as (n + 2^129 - 1) / 2: bit i of this is one where digit i is 1,
// and zero where it is -1.
type oddHalf [3]uint64

// sign returns one for a digit of -1.
func (n *oddHalf) sign(i int) uint8 { return uint8(n[i/64]>>(i%64))&1 ^ 1 }

// oddHalves sets odd u and v with u + lambda v = s modulo r. It is split in a time that does not depend on s.
func oddHalves(u, v *oddHalf, s *Scalar) {
	words := s.Bits()
	var quotient, multiple [7]uint64
	defer func() {
		clear(words[:])
		clear(quotient[:])
		clear(multiple[:])
	}()
	product(&quotient, words[:], reciprocal[:])
	copy(v[:], quotient[4:]) // s / lambda, or one less
	product(&multiple, v[:], lambdaWords[:])
	copy(u[:], words[:])
	u.sub((*oddHalf)(multiple[:]), 1)

	// (-lambda, 1) and (-1, -lambda - 1) stand for zero. The first changes whether u and v are even, the second for u alone.
	even := 1 - v[0]&1
	u.sub(&lambdaWords, even)
	v.add(&oddHalf{1}, even)
	even = 1 - u[0]&1
	u.sub(&oddHalf{1}, even)
	v.sub(&oddHalf{1}, even)
	v.sub(&lambdaWords, even)
	for _, n := range []*oddHalf{u, v} {
		n.add(&oddHalf{^uint64(0), ^uint64(0), 1}, 1)
		n[0], n[1], n[2] = n[0]>>1|n[1]<<63, n[1]>>1|n[2]<<63, n[2]>>1
	}
}

var (
	lambdaWords = toWords(lambdaInt)
	// reciprocal is 2^256 / lambda.
	reciprocal = toWords(new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), 256), lambdaInt))
)

func toWords(n *big.Int) (words oddHalf) {
	var b [8 * len(words)]byte
	n.FillBytes(b[:])
	for i := range words {
		words[i] = binary.BigEndian.Uint64(b[len(b)-8*(i+1):])
	}
	return words
}

// product adds a b to p, which is zero.
func product(p *[7]uint64, a, b []uint64) {
	for i := range a {
		var carry, c uint64
		for j := range b {
			high, low := bits.Mul64(a[i], b[j])
			low, c = bits.Add64(low, carry, 0)
			high += c
			p[i+j], c = bits.Add64(p[i+j], low, 0)
			carry = high + c
		}
		p[i+len(b)] = carry
	}
}

// add adds m if the bit is one.
func (n *oddHalf) add(m *oddHalf, bit uint64) {
	var carry uint64
	for i := range n {
		n[i], carry = bits.Add64(n[i], m[i]&-bit, carry)
	}
}

// sub subtracts m if the bit is one.
func (n *oddHalf) sub(m *oddHalf, bit uint64) {
	var borrow uint64
	for i := range n {
		n[i], borrow = bits.Sub64(n[i], m[i]&-bit, borrow)
	}
}
