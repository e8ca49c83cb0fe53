package suite

import (
	"crypto/rand"
	"encoding/binary"
	"math/big"
	"math/bits"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bls12-377/fp"
)

// half is a scalar of up to 128 bits, low word first: what the endomorphism leaves of a scalar modulo r.
type half [2]uint64

// endomorphism is (x, y) -> (omega x, y). It multiplies points of the subgroup by lambda = x^2 - 1, x being the curve's
// seed: lambda^2 + lambda + 1 = x^4 - x^2 + 1 = r.
var endomorphism = findEndomorphism()

type endomorphismOf struct {
	omega  fp.Element
	lambda Scalar
	n      *big.Int // lambda
}

// seed is x of BLS12-377.
const seed = 0x8508c00000000001

func findEndomorphism() endomorphismOf {
	e := endomorphismOf{n: new(big.Int).SetUint64(seed)}
	e.n.Mul(e.n, e.n).Sub(e.n, big.NewInt(1))
	e.lambda.SetBigInt(e.n)
	third := new(big.Int).Sub(fp.Modulus(), big.NewInt(1))
	third.Div(third, big.NewInt(3))
	for i := uint64(2); e.omega.IsZero() || e.omega.IsOne(); i++ {
		e.omega.SetUint64(i)
		e.omega.Exp(e.omega, third)
	}
	_, _, g, _ := bls.Generators()
	var multiple G1
	multiple.ScalarMultiplication(&g, e.n)
	if image := e.of(&g); !multiple.Equal(&image) {
		e.omega.Square(&e.omega) // the other root
	}
	return e
}

func (e *endomorphismOf) of(p *G1) G1 {
	image := G1{Y: p.Y}
	image.X.Mul(&p.X, &e.omega)
	return image
}

// split writes s as u + lambda v with u and v below 2^127: s < r < lambda (lambda + 2).
func (e *endomorphismOf) split(s *Scalar) (u, v half) {
	var n, q, rest big.Int
	s.BigInt(&n)
	q.DivMod(&n, e.n, &rest)
	u, v = toHalf(&rest), toHalf(&q)
	for _, i := range []*big.Int{&n, &q, &rest} { // the scalar may be a summand of a secret one
		wipeInt(i)
	}
	return u, v
}

func toHalf(n *big.Int) half {
	var b [16]byte
	n.FillBytes(b[:])
	return half{binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[:8])}
}

// weight is u + lambda v for 64-bit u and v: one of 2^128 distinct scalars at half the price.
type weight struct {
	u, v  uint64
	value Scalar
}

// drawWeights draws fresh weights other than zero.
func drawWeights(n int) ([]weight, error) {
	weights := make([]weight, n)
	fresh := make([]byte, 16*n)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	for i := range weights {
		w := &weights[i]
		for w.value.IsZero() {
			w.u, w.v = binary.BigEndian.Uint64(fresh[16*i:]), binary.BigEndian.Uint64(fresh[16*i+8:])
			var u Scalar
			u.SetUint64(w.u)
			w.value.SetUint64(w.v)
			w.value.Mul(&w.value, &endomorphism.lambda).Add(&w.value, &u)
			if w.value.IsZero() {
				if _, err := rand.Read(fresh[16*i : 16*i+16]); err != nil {
					return nil, err
				}
			}
		}
	}
	return weights, nil
}

// multiExp returns the sums of scalars_i points_i, one for each row of points. It runs in the calling goroutine and
// shares its inversions among all rows, windows and buckets. Points are public and may be outside the subgroup.
func multiExp(rows [][]G1, scalars []half) []bls.G1Jac {
	c := windowBits(len(scalars))
	windows := (maxBits(scalars) + c) / c // a bit to spare for the carry
	buckets := 1 << (c - 1)
	digits := make([]int16, len(scalars)*windows)
	sizes := make([]int, windows*buckets)
	total := 0
	for i := range scalars {
		for w, d := range recode(&scalars[i], c, digits[i*windows:(i+1)*windows]) {
			if d != 0 {
				sizes[w*buckets+magnitude(d)-1]++
				total++
			}
		}
	}
	var s adder
	sums := s.buckets(rows, digits, sizes, total, windows, buckets)
	bitSums := s.bits(sums, windows*len(rows), buckets, c)
	results := make([]bls.G1Jac, len(rows))
	for r := range rows {
		results[r] = horner(bitSums[r*windows*c : (r+1)*windows*c])
	}
	return results
}

// buckets sums the points of each row, window and digit.
func (s *adder) buckets(rows [][]G1, digits []int16, sizes []int, total, windows, buckets int) [][]G1 {
	space := make([]G1, total*len(rows))
	lists := make([][]G1, len(rows)*windows*buckets)
	for r, points := range rows {
		own := lists[r*windows*buckets : (r+1)*windows*buckets]
		for i, size := range sizes {
			own[i], space = space[:0:size], space[size:]
		}
		for i := range points {
			for w, d := range digits[i*windows : (i+1)*windows] {
				at := w*buckets + magnitude(d) - 1
				switch {
				case d > 0:
					own[at] = append(own[at], points[i])
				case d < 0:
					own[at] = append(own[at], G1{X: points[i].X})
					last := &own[at][len(own[at])-1]
					last.Y.Neg(&points[i].Y)
				}
			}
		}
	}
	s.reduce(lists)
	return lists
}

// bits turns the sums of buckets 1 to 2^(c-1) of every window into c sums, one for each bit of a digit's magnitude.
func (s *adder) bits(sums [][]G1, windows, buckets, c int) []G1 {
	lists := make([][]G1, windows*c)
	for w := range windows {
		for at, sum := range sums[w*buckets : (w+1)*buckets] {
			if len(sum) == 0 {
				continue
			}
			for rest := uint(at + 1); rest != 0; rest &= rest - 1 {
				j := w*c + bits.TrailingZeros(rest)
				lists[j] = append(lists[j], sum[0])
			}
		}
	}
	s.reduce(lists)
	all := make([]G1, len(lists))
	for i, list := range lists {
		if len(list) == 1 {
			all[i] = list[0]
		}
	}
	return all
}

// horner is the sum of 2^i points_i.
func horner(points []G1) bls.G1Jac {
	var sum bls.G1Jac
	sum.FromAffine(&G1{})
	for i := len(points) - 1; i >= 0; i-- {
		sum.DoubleAssign().AddMixed(&points[i])
	}
	return sum
}

// normalise is the library's BatchJacobianToAffineG1 without its goroutines.
func normalise(points []bls.G1Jac) []G1 {
	all := make([]G1, len(points))
	var run, zz fp.Element
	run.SetOne()
	for i := range points {
		all[i].X = run
		if !points[i].Z.IsZero() {
			run.Mul(&run, &points[i].Z)
		}
	}
	run.Inverse(&run)
	for i := len(points) - 1; i >= 0; i-- {
		p := &points[i]
		if p.Z.IsZero() {
			all[i] = G1{}
			continue
		}
		all[i].X.Mul(&all[i].X, &run)
		run.Mul(&run, &p.Z)
		zz.Square(&all[i].X)
		all[i].Y.Mul(&p.Y, &zz).Mul(&all[i].Y, &all[i].X)
		all[i].X.Mul(&p.X, &zz)
	}
	return all
}

// windowBits is the cheapest window for so many points.
func windowBits(n int) int {
	best, cost := 0, 0
	for c := 2; c <= 12; c++ {
		if here := (n + c<<(c-2)) * 1000 / c; best == 0 || here < cost {
			best, cost = c, here
		}
	}
	return best
}

func maxBits(scalars []half) int {
	var all half
	for i := range scalars {
		all[0] |= scalars[i][0]
		all[1] |= scalars[i][1]
	}
	if all[1] != 0 {
		return 64 + bits.Len64(all[1])
	}
	return bits.Len64(all[0])
}

// recode writes a scalar in digits from -2^(c-1)+1 to 2^(c-1).
func recode(s *half, c int, digits []int16) []int16 {
	low, high, carry := s[0], s[1], 0
	for w := range digits {
		d := int(low&(1<<c-1)) + carry
		low, high = low>>c|high<<(64-c), high>>c
		carry = 0
		if d > 1<<(c-1) {
			d -= 1 << c
			carry = 1
		}
		digits[w] = int16(d)
	}
	return digits
}

func magnitude(d int16) int {
	if d < 0 {
		return int(-d)
	}
	return int(d)
}
