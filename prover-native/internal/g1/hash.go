package g1

import (
	"math/big"
	"slices"
	"sync"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/hash_to_curve"

	"solidus.io/prover/internal/g1/fp8"
)

// HashAll is the library's HashToG1 (RFC 9380, BLS12381G1_XMD:SHA-256_SSWU_RO) for many public messages.
func HashAll(messages [][]byte, dst []byte) ([]bls.G1Affine, error) {
	points := make([]bls.G1Affine, len(messages))
	for start := 0; start < len(messages); start += fp8.Size {
		end := min(start+fp8.Size, len(messages))
		if err := hashEight(points[start:end], messages[start:end], dst); err != nil {
			return nil, err
		}
	}
	return points, nil
}

func hashEach(points []bls.G1Affine, messages [][]byte, dst []byte) (err error) {
	for i := range points {
		if points[i], err = bls.HashToG1(messages[i], dst); err != nil {
			return err
		}
	}
	return nil
}

// hashEight hashes up to eight messages. It adds the two points of each on the curve E' of the map, and takes the isogeny of
// the sum.
func hashEight(points []bls.G1Affine, messages [][]byte, dst []byte) error {
	if !fp8.LanesFor(len(messages)).AtOnce() {
		return hashEach(points, messages, dst)
	}
	s := NewSteps(len(messages))
	var mapped [2][fp8.Size]sswu
	for i := range messages {
		u, err := fp.Hash(messages[i], dst, len(mapped))
		if err != nil {
			return err
		}
		mapped[0][i].start(&u[0])
		mapped[1][i].start(&u[1])
	}
	n := len(messages)
	finish(s.lanes, mapped[0][:n])
	finish(s.lanes, mapped[1][:n])
	var adder Adder
	for i := range points {
		p, q := &mapped[0][i].point, &mapped[1][i].point
		if p.X == q.X { // the adder would double with the other curve's formula
			return hashEach(points, messages, dst)
		}
		adder.Add(&points[i], p, q)
	}
	adder.Flush()
	var sum, multiple Eight
	s.isogeny(&sum, points)
	multiple = sum
	s.TimesSeed(&multiple) // the seed is negative, and 1 - seed clears the cofactor
	s.Add(&sum, &sum, &multiple)
	s.Affine(points, &sum)
	return nil
}

// sswu is the simplified map of Shallue, van de Woestijne and Ulas to E' (RFC 9380, 6.6.2 and F.2).
type sswu struct {
	u, zuu         fp.Element // z u^2
	x, den         fp.Element // the first candidate is x / den
	gx, gden       fp.Element // and its y^2 is gx / gden
	product, ratio fp.Element // gx gden and gx gden^3
	point          bls.G1Affine
}

var (
	isoA, isoB = hash_to_curve.G1SSWUIsogenyCurveCoefficients()
	sswuZ      = hash_to_curve.G1SSWUIsogenyZ()
	// rootOfMinusZ squared is -z.
	rootOfMinusZ = func() (root fp.Element) {
		root.Neg(&sswuZ)
		root.Sqrt(&root)
		return root
	}()
	// quarter is (p - 3) / 4.
	quarter = new(big.Int).Rsh(fp.Modulus(), 2)
)

func (m *sswu) start(u *fp.Element) {
	var t, one fp.Element
	m.u = *u
	m.zuu.Square(u).Mul(&m.zuu, &sswuZ)
	t.Square(&m.zuu).Add(&t, &m.zuu)
	one.SetOne()
	m.x.Add(&t, &one).Mul(&m.x, &isoB)
	if m.den.Neg(&t); t.IsZero() {
		m.den = sswuZ
	}
	m.den.Mul(&m.den, &isoA)

	t.Square(&m.den)
	m.gden.Mul(&t, &m.den)
	t.Mul(&t, &isoA)
	m.gx.Square(&m.x).Add(&m.gx, &t).Mul(&m.gx, &m.x)
	t.Mul(&m.gden, &isoB)
	m.gx.Add(&m.gx, &t)
	m.product.Mul(&m.gx, &m.gden)
	m.ratio.Square(&m.gden).Mul(&m.ratio, &m.product)
}

// end takes the power of the ratio to (p - 3) / 4 and the inverse of den.
func (m *sswu) end(power, inverse *fp.Element) {
	x, y := &m.point.X, &m.point.Y
	y.Mul(power, &m.product)
	x.Square(y).Mul(x, &m.gden)
	if isSquare := x.Equal(&m.gx); isSquare {
		*x = m.x
	} else { // the other candidate is z u^2 times the first
		x.Mul(&m.x, &m.zuu)
		y.Mul(y, &rootOfMinusZ).Mul(y, &m.zuu).Mul(y, &m.u)
	}
	x.Mul(x, inverse)
	if hash_to_curve.G1Sgn0(y) != hash_to_curve.G1Sgn0(&m.u) {
		y.Neg(y)
	}
}

// finish ends the maps of up to eight elements.
func finish(l fp8.Lanes, maps []sswu) {
	var ratios [fp8.Size]fp.Element
	dens := make([]fp.Element, len(maps))
	for i := range maps {
		ratios[i], dens[i] = maps[i].ratio, maps[i].den
	}
	var e fp8.Element
	l.Load(&e, ratios[:])
	l.Exp(&e, &e, quarter)
	l.Store(ratios[:], &e)
	dens = fp.BatchInvert(dens)
	for i := range maps {
		maps[i].end(&ratios[i], &dens[i])
	}
}

// isogenyMap has the coefficients of the numerator and the denominator of the isogeny's x and y, the constant ones first.
var isogenyMap = sync.OnceValue(func() (all [4][]fp8.Element) {
	l := fp8.LanesFor(fp8.Size)
	for i, polynomial := range hash_to_curve.G1IsogenyMap() {
		if i%2 == 1 {
			polynomial = append(slices.Clone(polynomial), fp.One())
		}
		for j := range polynomial {
			var e fp8.Element
			l.Load(&e, slices.Repeat(polynomial[j:j+1], fp8.Size))
			all[i] = append(all[i], e)
		}
	}
	return all
})

// isogeny sets p to the isogeny from E' of the points. Its kernel has no point that a map gives.
func (s *Steps) isogeny(p *Eight, points []bls.G1Affine) {
	var xs, ys [fp8.Size]fp.Element
	for i := range points {
		xs[i], ys[i] = points[i].X, points[i].Y
	}
	var x, y fp8.Element
	s.lanes.Load(&x, xs[:])
	s.lanes.Load(&y, ys[:])
	var values [4]fp8.Element
	for i, polynomial := range isogenyMap() {
		values[i] = polynomial[len(polynomial)-1]
		for j := len(polynomial) - 2; j >= 0; j-- {
			s.lanes.Mul(&values[i], &values[i], &x)
			s.lanes.Add(&values[i], &values[i], &polynomial[j])
		}
	}
	s.lanes.Mul(&p.X, &values[0], &values[3])
	s.lanes.Mul(&p.Y, &values[2], &values[1])
	s.lanes.Mul(&p.Y, &p.Y, &y)
	s.lanes.Mul(&p.Z, &values[1], &values[3])
}
