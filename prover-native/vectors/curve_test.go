package vectors

import "math/big"

// pair is an element a + b u of the quadratic extension of the coordinates' field, u^2 = -1. Points of G1 have b = 0 throughout,
// so that one arithmetic serves both groups.
type pair struct{ a, b *big.Int }

func base(x *big.Int) pair { return pair{x, new(big.Int)} }

// number is a small element.
func number(x int64) pair { return base(modulo(big.NewInt(x), q)) }

func (x pair) plus(y pair) pair {
	return pair{modulo(new(big.Int).Add(x.a, y.a), q), modulo(new(big.Int).Add(x.b, y.b), q)}
}

func (x pair) minus(y pair) pair {
	return pair{modulo(new(big.Int).Sub(x.a, y.a), q), modulo(new(big.Int).Sub(x.b, y.b), q)}
}

func product(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }

func (x pair) times(y pair) pair {
	a, b := product(x.a, y.a), product(x.a, y.b)
	return pair{modulo(a.Sub(a, product(x.b, y.b)), q), modulo(b.Add(b, product(x.b, y.a)), q)}
}

func (x pair) norm() *big.Int {
	n := product(x.a, x.a)
	return modulo(n.Add(n, product(x.b, x.b)), q)
}

func (x pair) over(y pair) pair {
	conjugate := number(0).minus(y)
	conjugate.a = y.a
	return x.times(conjugate).times(base(new(big.Int).ModInverse(y.norm(), q)))
}

func (x pair) equals(y pair) bool { return x.a.Cmp(y.a) == 0 && x.b.Cmp(y.b) == 0 }

func (x pair) isZero() bool { return x.a.Sign() == 0 && x.b.Sign() == 0 }

// point is an affine point of y^2 = x^3 + c; nil is the identity.
type point struct{ x, y pair }

// constants of the two curves: c = 4, and c = 4 (1 + u) on the twist.
var (
	constantG1 = number(4)
	constantG2 = pair{big.NewInt(4), big.NewInt(4)}
)

func (s *point) onCurve(c pair) bool {
	return s.y.times(s.y).equals(s.x.times(s.x).times(s.x).plus(c))
}

func (s *point) add(t *point) *point {
	var slope pair
	switch {
	case s == nil:
		return t
	case t == nil:
		return s
	case !s.x.equals(t.x):
		slope = t.y.minus(s.y).over(t.x.minus(s.x))
	case s.y.equals(t.y) && !s.y.isZero():
		square := s.x.times(s.x)
		slope = square.plus(square).plus(square).over(s.y.plus(s.y))
	default:
		return nil
	}
	x := slope.times(slope).minus(s.x).minus(t.x)
	return &point{x, slope.times(s.x.minus(x)).minus(s.y)}
}

func (s *point) multiply(k *big.Int) (out *point) {
	for i := k.BitLen() - 1; i >= 0; i-- {
		out = out.add(out)
		if k.Bit(i) == 1 {
			out = out.add(s)
		}
	}
	return out
}

func (s *point) negate() *point { return &point{s.x, number(0).minus(s.y)} }

func (s *point) inSubgroup() bool { return s.multiply(r) == nil }

// g1 and g2 encode a point.
func (s *point) g1() []byte { return append(coordinate(s.x.a), coordinate(s.y.a)...) }

func (s *point) g2() []byte {
	return append(append(coordinate(s.x.b), coordinate(s.x.a)...), append(coordinate(s.y.b), coordinate(s.y.a)...)...)
}

// generatorG1 and generatorG2 are the fixed generators.
var (
	generatorG1 = &point{
		base(integer("17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb")),
		base(integer("8b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1")),
	}
	generatorG2 = &point{
		pair{
			integer("24aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"),
			integer("13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"),
		},
		pair{
			integer("ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801"),
			integer("606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be"),
		},
	}
)

// curvePoint is the point of least x >= start on the G1 curve, which almost surely lies outside the subgroup.
func curvePoint(start int64) *point {
	for x := start; ; x++ {
		at := number(x)
		if y := new(big.Int).ModSqrt(at.times(at).times(at).plus(constantG1).a, q); y != nil {
			return &point{at, base(y)}
		}
	}
}

// twistPoint is a point of the twist with a small x, found by the square root in the extension.
func twistPoint() *point {
	for x := int64(1); ; x++ {
		at := number(x).plus(pair{new(big.Int), big.NewInt(1)})
		if y, ok := root(at.times(at).times(at).plus(constantG2)); ok {
			return &point{at, y}
		}
	}
}

// root solves (a + b u)^2 = z for b != 0: a^2 = (z.a +- sqrt(norm)) / 2, b = z.b / 2a.
func root(z pair) (pair, bool) {
	s := new(big.Int).ModSqrt(z.norm(), q)
	if s == nil {
		return pair{}, false
	}
	for _, sign := range []int64{1, -1} {
		square := base(z.a).plus(base(s).times(number(sign))).over(number(2)).a
		a := new(big.Int).ModSqrt(square, q)
		if a == nil || a.Sign() == 0 {
			continue
		}
		b := base(z.b).over(base(a).plus(base(a))).a
		if y := (pair{a, b}); y.times(y).equals(z) {
			return y, true
		}
	}
	return pair{}, false
}

// edwards is a point of -x^2 + y^2 = 1 + d x^2 y^2 over F.
type edwards struct{ x, y *big.Int }

// edwardsD is d = -10240/10241.
var edwardsD = over(small(-10240), small(10241))

// generatorKey is the generator of the group of owner keys, keyIdentity its identity.
var (
	generatorKey = &edwards{
		integer("33cab9428c97922a456d01156a3c0b5f48bf54819101b9e685ff90bcf4f8ba5e"),
		integer("56f168560e13820f1312a53c8338679b15f8e764499f87033728c334cc269cfb"),
	}
	keyIdentity = &edwards{new(big.Int), big.NewInt(1)}
)

func (s *edwards) onCurve() bool {
	x2, y2 := times(s.x, s.x), times(s.y, s.y)
	return minus(y2, x2).Cmp(plus(big.NewInt(1), times(edwardsD, times(x2, y2)))) == 0
}

func (s *edwards) add(t *edwards) *edwards {
	xy, yx := times(s.x, t.y), times(s.y, t.x)
	k := times(edwardsD, times(xy, yx))
	one := big.NewInt(1)
	return &edwards{
		over(plus(xy, yx), plus(one, k)),
		over(plus(times(s.y, t.y), times(s.x, t.x)), minus(one, k)),
	}
}

func (s *edwards) multiply(k *big.Int) *edwards {
	out := keyIdentity
	for i := k.BitLen() - 1; i >= 0; i-- {
		out = out.add(out)
		if k.Bit(i) == 1 {
			out = out.add(s)
		}
	}
	return out
}

func (s *edwards) negate() *edwards { return &edwards{minus(new(big.Int), s.x), s.y} }

func (s *edwards) equals(t *edwards) bool { return s.x.Cmp(t.x) == 0 && s.y.Cmp(t.y) == 0 }

func (s *edwards) inSubgroup() bool { return s.multiply(l).equals(keyIdentity) }

// bytes encode a point.
func (s *edwards) bytes() []byte { return append(field(s.x), field(s.y)...) }

// keyOfOrder8 is l times the point of least y >= 2 for which that has the order 8.
func keyOfOrder8() *edwards {
	for y := int64(2); ; y++ {
		square := times(small(y), small(y))
		x2 := over(minus(square, big.NewInt(1)), plus(times(edwardsD, square), big.NewInt(1)))
		x := new(big.Int).ModSqrt(x2, r)
		if x == nil {
			continue
		}
		s := (&edwards{x, small(y)}).multiply(l)
		if !s.multiply(big.NewInt(4)).equals(keyIdentity) {
			return s
		}
	}
}
