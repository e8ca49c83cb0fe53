package vectors

import "math/big"

// pair is an element a + b u of the quadratic extension, u^2 = -5. Points of G1 have b = 0 throughout, so that one
// arithmetic serves both groups.
type pair struct{ a, b *big.Int }

func base(x *big.Int) pair { return pair{x, new(big.Int)} }

func (x pair) plus(y pair) pair { return pair{plus(x.a, y.a), plus(x.b, y.b)} }

func (x pair) minus(y pair) pair {
	return x.plus(pair{times(y.a, small(-1)), times(y.b, small(-1))})
}

func (x pair) times(y pair) pair {
	return pair{
		plus(times(x.a, y.a), times(small(-5), times(x.b, y.b))),
		plus(times(x.a, y.b), times(x.b, y.a)),
	}
}

func (x pair) over(y pair) pair {
	norm := plus(times(y.a, y.a), times(small(5), times(y.b, y.b)))
	inverse := new(big.Int).ModInverse(norm, p)
	return x.times(pair{times(y.a, inverse), times(times(y.b, small(-1)), inverse)})
}

func (x pair) equals(y pair) bool { return x.a.Cmp(y.a) == 0 && x.b.Cmp(y.b) == 0 }

func (x pair) isZero() bool { return x.a.Sign() == 0 && x.b.Sign() == 0 }

// point is an affine point of y^2 = x^3 + c; nil is the identity.
type point struct{ x, y pair }

// constants of the two curves: c = 1, and c = 1/u on the twist.
var (
	constantG1 = base(small(1))
	constantG2 = base(small(1)).over(pair{new(big.Int), small(1)})
)

func (q *point) onCurve(c pair) bool {
	return q.y.times(q.y).equals(q.x.times(q.x).times(q.x).plus(c))
}

func (q *point) add(s *point) *point {
	var slope pair
	switch {
	case q == nil:
		return s
	case s == nil:
		return q
	case !q.x.equals(s.x):
		slope = s.y.minus(q.y).over(s.x.minus(q.x))
	case q.y.equals(s.y) && !q.y.isZero():
		square := q.x.times(q.x)
		slope = square.plus(square).plus(square).over(q.y.plus(q.y))
	default:
		return nil
	}
	x := slope.times(slope).minus(q.x).minus(s.x)
	return &point{x, slope.times(q.x.minus(x)).minus(q.y)}
}

func (q *point) multiply(k *big.Int) (out *point) {
	for i := k.BitLen() - 1; i >= 0; i-- {
		out = out.add(out)
		if k.Bit(i) == 1 {
			out = out.add(q)
		}
	}
	return out
}

func (q *point) negate() *point { return &point{q.x, base(new(big.Int)).minus(q.y)} }

func (q *point) inSubgroup() bool { return q.multiply(r) == nil }

// g1 and g2 encode a point.
func (q *point) g1() []byte { return append(field(q.x.a), field(q.y.a)...) }

func (q *point) g2() []byte {
	return append(append(field(q.x.b), field(q.x.a)...), append(field(q.y.b), field(q.y.a)...)...)
}

// generatorG1 and generatorG2 are the fixed generators.
var (
	generatorG1 = &point{
		base(integer("8848defe740a67c8fc6225bf87ff5485951e2caa9d41bb188282c8bd37cb5cd5481512ffcd394eeab9b16eb21be9ef")),
		base(integer("1914a69c5102eff1f674f5d30afeec4bd7fb348ca3e52d96d182ad44fb82305c2fe3d3634a9591afd82de55559c8ea6")),
	}
	generatorG2 = &point{
		pair{
			integer("18480be71c785fec89630a2a3841d01c565f071203e50317ea501f557db6b9b71889f52bb53540274e3e48f7c005196"),
			integer("ea6040e700403170dc5a51b1b140d5532777ee6651cecbe7223ece0799c9de5cf89984bff76fe6b26bfefa6ea16afe"),
		},
		pair{
			integer("690d665d446f7bd960736bcbb2efb4de03ed7274b49a58e458c282f832d204f2cf88886d8c7c2ef094094409fd4ddf"),
			integer("f8169fd28355189e549da3151a70aa61ef11ac3d591bf12463b01acee304c24279b83f5e52270bd9a1cdd185eb8f93"),
		},
	}
)

// curvePoint is the point of least x >= start on the G1 curve, which almost surely lies outside the subgroup.
func curvePoint(start int64) *point {
	for x := start; ; x++ {
		square := plus(times(small(x), times(small(x), small(x))), small(1))
		if y := new(big.Int).ModSqrt(square, p); y != nil {
			return &point{base(small(x)), base(y)}
		}
	}
}

// twistPoint is a point of the twist with a small x, found by the square root in the extension.
func twistPoint() *point {
	for x := int64(1); ; x++ {
		at := pair{small(x), small(1)}
		if y, ok := root(at.times(at).times(at).plus(constantG2)); ok {
			return &point{at, y}
		}
	}
}

// root solves (a + b u)^2 = z for b != 0: a^2 = (z.a +- sqrt(norm)) / 2, b = z.b / 2a.
func root(z pair) (pair, bool) {
	norm := plus(times(z.a, z.a), times(small(5), times(z.b, z.b)))
	s := new(big.Int).ModSqrt(norm, p)
	if s == nil {
		return pair{}, false
	}
	half := new(big.Int).ModInverse(small(2), p)
	for _, sign := range []int64{1, -1} {
		a := new(big.Int).ModSqrt(times(plus(z.a, times(small(sign), s)), half), p)
		if a == nil || a.Sign() == 0 {
			continue
		}
		b := times(times(z.b, half), new(big.Int).ModInverse(a, p))
		if y := (pair{a, b}); y.times(y).equals(z) {
			return y, true
		}
	}
	return pair{}, false
}
