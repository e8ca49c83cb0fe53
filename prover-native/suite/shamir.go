package suite

import (
	"math/big"

	"solidus.io/prover/fault"
)

// polynomial has its constant term first.
type polynomial []Scalar

func randomPolynomial(degree int) (polynomial, error) {
	p := make(polynomial, degree+1)
	for i := range p {
		var err error
		if p[i], err = randomScalar(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p polynomial) at(index int) Scalar {
	var x, y Scalar
	x.SetUint64(uint64(index))
	for i := len(p) - 1; i >= 0; i-- {
		y.Mul(&y, &x).Add(&y, &p[i])
	}
	return y
}

func (p polynomial) wipe() { clear(p) }

// lagrange returns the weights that map values at the given indices to the value at x. Indices are positive and distinct, or
// the interpolation would have no meaning.
func lagrange(indices []int, x int) ([]Scalar, error) {
	seen := make(map[int]bool, len(indices))
	for _, i := range indices {
		if i < 1 || i > MaxAuthorities {
			return nil, fault.Newf(fault.IndexOutOfRange, "index %d", i)
		}
		if seen[i] {
			return nil, fault.Newf(fault.DuplicateIndex, "index %d", i)
		}
		seen[i] = true
	}
	weights := make([]Scalar, len(indices))
	for i, xi := range indices {
		num, den := small(1), small(1)
		for j, xj := range indices {
			if i == j {
				continue
			}
			a, b := small(x-xj), small(xi-xj)
			num.Mul(&num, &a)
			den.Mul(&den, &b)
		}
		den.Inverse(&den)
		weights[i].Mul(&num, &den)
	}
	return weights, nil
}

func small(n int) Scalar {
	var s Scalar
	s.SetInt64(int64(n))
	return s
}

func combineG1(points []G1, weights []Scalar) G1 {
	var sum G1
	for i := range points {
		sum = add(sum, mul(&points[i], &weights[i]))
	}
	return sum
}

func combineG2(points []G2, weights []Scalar) G2 {
	var sum G2
	for i := range points {
		var p G2
		p.ScalarMultiplication(&points[i], weights[i].BigInt(new(big.Int)))
		sum.Add(&sum, &p)
	}
	return sum
}
