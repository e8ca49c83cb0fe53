// Package multiexp computes sums of scalars times points by the bucket method. It works on affine points, whose additions
// share inversions.
//
// The additions themselves are in package g1. Written over a type parameter for the field, every operation on a field element
// is a call through a dictionary, which made an addition 6 % slower on a field of this size.
package multiexp

import "math/bits"

// Adder performs independent additions of affine points A in batches.
type Adder[A any] interface {
	// Add queues dst = a + b. dst may be a or b, but no other operand that is queued.
	Add(dst, a, b *A)
	// Flush computes what is queued.
	Flush()
}

type affinePoint[A any] interface {
	*A
	Neg(*A) *A
}

type jacobianPoint[A, J any] interface {
	*J
	FromAffine(*A) *J
	DoubleAssign() *J
	AddMixed(*A) *J
}

// Half is a scalar of up to 128 bits, low word first. The endomorphism of a curve splits a scalar into two of them.
type Half [2]uint64

// Sums returns sum_i scalars_i points_i for each row of points. It runs in the calling goroutine. All rows, windows and
// buckets share their inversions. Points are public and may be outside the subgroup.
func Sums[J, A any, PA affinePoint[A], PJ jacobianPoint[A, J]](adder Adder[A], rows [][]A, scalars []Half) []J {
	c := windowBits(len(scalars))
	windows := (maxBits(scalars) + c) / c // a bit to spare for the carry
	digits := make([]int16, len(scalars)*windows)
	for i := range scalars {
		scalars[i].recode(c, digits[i*windows:(i+1)*windows])
	}
	bitSums := windowSums[A, PA](adder, rows, digits, windows, c)
	results := make([]J, len(rows))
	for r := range rows {
		results[r] = Horner[J, A, PJ](bitSums[r*windows*c : (r+1)*windows*c])
	}
	return results
}

// windowSums combines every row of points with every window of digits, which has a digit from -2^(c-1) to 2^(c-1) for each point:
// digits holds those of a point side by side. The combination of row r and window w is sum_j 2^j sums[(r*windows+w)*c+j].
func windowSums[A any, PA affinePoint[A]](adder Adder[A], rows [][]A, digits []int16, windows, c int) []A {
	buckets := 1 << (c - 1)
	lists := fillBuckets[A, PA](rows, digits, windows, buckets)
	Reduce(adder, lists)
	return bitSums(adder, lists, windows*len(rows), buckets, c)
}

// fillBuckets collects the points of each row, window and magnitude of a digit, negated where the digit is negative.
func fillBuckets[A any, PA affinePoint[A]](rows [][]A, digits []int16, windows, buckets int) [][]A {
	sizes := make([]int, windows*buckets)
	total := 0
	for start := 0; start < len(digits); start += windows {
		for w, d := range digits[start : start+windows] {
			if d != 0 {
				sizes[w*buckets+magnitude(d)-1]++
				total++
			}
		}
	}
	space := make([]A, total*len(rows))
	lists := make([][]A, len(rows)*windows*buckets)
	for r, points := range rows {
		own := lists[r*windows*buckets : (r+1)*windows*buckets]
		for i, size := range sizes {
			own[i], space = space[:0:size], space[size:]
		}
		for i := range points {
			for w, d := range digits[i*windows : (i+1)*windows] {
				if d == 0 {
					continue
				}
				list := &own[w*buckets+magnitude(d)-1]
				*list = append(*list, points[i])
				if d < 0 {
					last := PA(&(*list)[len(*list)-1])
					last.Neg((*A)(last))
				}
			}
		}
	}
	return lists
}

// bitSums turns the sums of buckets 1 to 2^(c-1) of every window into c sums, one for each bit of a digit's magnitude.
func bitSums[A any](adder Adder[A], sums [][]A, windows, buckets, c int) []A {
	lists := make([][]A, windows*c)
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
	Reduce(adder, lists)
	all := make([]A, len(lists))
	for i, list := range lists {
		if len(list) == 1 {
			all[i] = list[0]
		}
	}
	return all
}

// Reduce replaces every list by the sum of its points, all lists at once. The lists are overwritten.
func Reduce[A any](adder Adder[A], lists [][]A) {
	for busy := true; busy; {
		busy = false
		for i, list := range lists {
			half := len(list) / 2
			for j := range half {
				adder.Add(&list[j], &list[j], &list[len(list)-1-j])
			}
			lists[i] = list[:len(list)-half]
			busy = busy || len(lists[i]) > 1
		}
		adder.Flush()
	}
}

// Horner returns sum_i 2^i points_i.
func Horner[J, A any, PJ jacobianPoint[A, J]](points []A) J {
	var sum J
	PJ(&sum).FromAffine(new(A)) // the identity
	for i := len(points) - 1; i >= 0; i-- {
		PJ(PJ(&sum).DoubleAssign()).AddMixed(&points[i])
	}
	return sum
}

// windowBits is the cheapest window for n points.
func windowBits(n int) int {
	best, cost := 0, 0
	for c := 2; c <= 12; c++ {
		if here := (n + c<<(c-2)) * 1000 / c; best == 0 || here < cost {
			best, cost = c, here
		}
	}
	return best
}

func maxBits(scalars []Half) int {
	var all Half
	for i := range scalars {
		all[0] |= scalars[i][0]
		all[1] |= scalars[i][1]
	}
	if all[1] != 0 {
		return 64 + bits.Len64(all[1])
	}
	return bits.Len64(all[0])
}

// recode writes a scalar in digits from -2^(c-1)+1 to 2^(c-1), the lowest first.
func (s Half) recode(c int, digits []int16) {
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
}

func magnitude(d int16) int {
	if d < 0 {
		return int(-d)
	}
	return int(d)
}
