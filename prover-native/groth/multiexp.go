package groth

import (
	"math/bits"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
)

// half is a scalar of up to 128 bits, low word first: what the endomorphism leaves of a weight.
type half [2]uint64

// multiExp returns the sums of scalars_i points_i, one for each row of points. It runs in the calling goroutine and
// shares its inversions among all rows, windows and buckets. Points may be outside the subgroup.
func multiExp(rows [][]affine, scalars []half) []bw6.G1Jac {
	c := windowFor(len(scalars))
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
	results := make([]bw6.G1Jac, len(rows))
	for r := range rows {
		results[r] = horner(bitSums[r*windows*c : (r+1)*windows*c])
	}
	return results
}

// buckets sums the points of each row, window and digit.
func (s *adder) buckets(rows [][]affine, digits []int16, sizes []int, total, windows, buckets int) [][]affine {
	space := make([]affine, total*len(rows))
	lists := make([][]affine, len(rows)*windows*buckets)
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
					own[at] = append(own[at], affine{X: points[i].X})
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
func (s *adder) bits(sums [][]affine, windows, buckets, c int) []affine {
	lists := make([][]affine, windows*c)
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
	all := make([]affine, len(lists))
	for i, list := range lists {
		if len(list) == 1 {
			all[i] = list[0]
		}
	}
	return all
}

// horner is the sum of 2^i points_i.
func horner(points []affine) bw6.G1Jac {
	var sum bw6.G1Jac
	sum.FromAffine(&bw6.G1Affine{})
	for i := len(points) - 1; i >= 0; i-- {
		sum.DoubleAssign().AddMixed((*bw6.G1Affine)(&points[i]))
	}
	return sum
}

// normalise is the library's BatchJacobianToAffineG1 without its goroutines.
func normalise(points []bw6.G1Jac) []affine {
	all := make([]affine, len(points))
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
			all[i] = affine{}
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

// windowFor is the cheapest window for so many points.
func windowFor(n int) int {
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
