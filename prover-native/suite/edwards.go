package suite

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/twistededwards"

	"solidus.io/prover/jubjub"
)

// jubjubSum adds up multiples of points of Jubjub. All multiplications share their doublings. The formulas are complete, so
// any points of the curve may be added. Points and scalars are public.
type jubjubSum struct {
	tables [][jubjubTable]cachedPoint
	digits [][]int8
}

const (
	jubjubWindow = 5
	// jubjubTable is the number of a point's odd multiples, 1 to 15.
	jubjubTable = 1 << (jubjubWindow - 2)
)

// newJubjubSum has room for n terms.
func newJubjubSum(n int) *jubjubSum {
	return &jubjubSum{tables: make([][jubjubTable]cachedPoint, 0, n), digits: make([][]int8, 0, n)}
}

// add adds n p, 0 <= n < 2^256.
func (s *jubjubSum) add(p *jubjub.Point, n *big.Int) {
	s.tables = append(s.tables, oddMultiples(p))
	s.digits = append(s.digits, oddDigits(n))
}

// total is the sum.
func (s *jubjubSum) total() jubjub.Point {
	sum := jubjubIdentity()
	top := 0
	for i := range s.digits {
		top = max(top, len(s.digits[i]))
	}
	for at := top - 1; at >= 0; at-- {
		sum.Double(&sum)
		for i := range s.digits {
			if at < len(s.digits[i]) {
				if d := s.digits[i][at]; d > 0 {
					addCached(&sum, &s.tables[i][d/2])
				} else if d < 0 {
					minus := s.tables[i][-d/2].negative()
					addCached(&sum, &minus)
				}
			}
		}
	}
	var p jubjub.Point
	p.FromExtended(&sum)
	return p
}

// oddDigits writes n, 0 <= n < 2^256, as a sum of 2^i digits_i. Each digit is 0 or odd and between -15 and 15, and the four
// digits after one that is not 0 are 0.
func oddDigits(n *big.Int) []int8 {
	var b [fr.Bytes]byte
	n.FillBytes(b[:])
	bit := func(i int) int {
		if i >= 8*len(b) {
			return 0
		}
		return int(b[len(b)-1-i/8]>>(i%8)) & 1
	}
	digits := make([]int8, n.BitLen()+1)
	for i, carry := 0, 0; i < len(digits); {
		if bit(i) == carry {
			i++
			continue
		}
		d := carry
		for j := range jubjubWindow {
			d += bit(i+j) << j
		}
		carry = 0
		if d > 1<<(jubjubWindow-1) {
			d -= 1 << jubjubWindow
			carry = 1
		}
		digits[i] = int8(d)
		i += jubjubWindow
	}
	return digits
}

// cachedPoint is a point as the addition wants it: y - x, y + x, 2z and 2dt.
type cachedPoint struct{ minus, plus, z2, t2d fr.Element }

var jubjubD2 = twiceD()

func twiceD() fr.Element {
	d := twistededwards.GetEdwardsCurve().D
	return *d.Double(&d)
}

func cached(p *twistededwards.PointExtended) (c cachedPoint) {
	c.minus.Sub(&p.Y, &p.X)
	c.plus.Add(&p.Y, &p.X)
	c.z2.Double(&p.Z)
	c.t2d.Mul(&p.T, &jubjubD2)
	return c
}

func (c *cachedPoint) negative() cachedPoint {
	minus := cachedPoint{minus: c.plus, plus: c.minus, z2: c.z2}
	minus.t2d.Neg(&c.t2d)
	return minus
}

// oddMultiples is p, 3p, ... 15p.
func oddMultiples(p *jubjub.Point) (table [jubjubTable]cachedPoint) {
	var multiple, twice twistededwards.PointExtended
	multiple.FromAffine(p)
	twice.Double(&multiple)
	step := cached(&twice)
	for i := range table {
		table[i] = cached(&multiple)
		addCached(&multiple, &step)
	}
	return table
}

// addCached adds c to p: add-2008-hwcd-3 for a = -1.
func addCached(p *twistededwards.PointExtended, c *cachedPoint) {
	var a, b, tt, zz, e, f, g, h fr.Element
	a.Sub(&p.Y, &p.X).Mul(&a, &c.minus)
	b.Add(&p.Y, &p.X).Mul(&b, &c.plus)
	tt.Mul(&p.T, &c.t2d)
	zz.Mul(&p.Z, &c.z2)
	e.Sub(&b, &a)
	f.Sub(&zz, &tt)
	g.Add(&zz, &tt)
	h.Add(&b, &a)
	p.X.Mul(&e, &f)
	p.Y.Mul(&g, &h)
	p.T.Mul(&e, &h)
	p.Z.Mul(&f, &g)
}

func jubjubIdentity() (p twistededwards.PointExtended) {
	p.Y.SetOne()
	p.Z.SetOne()
	return p
}
