// Package fp8 computes with eight elements of the base field of BLS12-381 at once. Processors with AVX-512 IFMA do so in the
// time of about two operations of the library; elsewhere it is one operation after the other.
//
// The time and the memory accesses of an operation do not depend on the elements. Without the library's assembly, its
// multiplication ends with a subtraction that depends on the result.
package fp8

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/utils/cpu"
)

// Element has eight elements of the field. With Lanes that compute at once, a row has one limb of 52 bits of each, the lowest
// limb first, in Montgomery form with R = 2^416. Elements need no reduction there: an operand of Mul may be up to 2^16 p, and
// what Sub subtracts up to 2^8 p. A product is below 2p. Otherwise a row is a reduced element of the library in its first six
// words. Of other operands, with limbs below 2^52, the product x y is below p + x y / 2^416.
type Element [8][8]uint64

// Size is the number of elements in an Element.
const Size = 8

// Lanes are the elements in use, and how to compute with them.
type Lanes struct {
	n      int
	atOnce bool
}

// atOnceFrom is the number of elements from which eight at once are cheaper than one after the other.
const atOnceFrom = 2

var supported = cpu.SupportAVX512IFMA

// LanesFor returns the lanes for n elements, up to Size.
func LanesFor(n int) Lanes { return Lanes{n: n, atOnce: supported && n >= atOnceFrom} }

// OneByOne makes LanesFor return lanes that compute one element after the other. Tests call it, before other goroutines run.
func OneByOne() (restore func()) {
	before := supported
	supported = false
	return func() { supported = before }
}

func row(e *Element, i int) *fp.Element { return (*fp.Element)(e[i][:fp.Limbs]) }

// Mul sets z = x y.
func (l Lanes) Mul(z, x, y *Element) {
	if l.atOnce {
		mul(z, x, y)
		return
	}
	for i := range l.n {
		row(z, i).Mul(row(x, i), row(y, i))
	}
}

// Add sets z = x + y.
func (l Lanes) Add(z, x, y *Element) {
	if l.atOnce {
		add(z, x, y)
		return
	}
	for i := range l.n {
		addTo(row(z, i), row(x, i), row(y, i))
	}
}

// Sub sets z = x - y.
func (l Lanes) Sub(z, x, y *Element) {
	if l.atOnce {
		sub(z, x, y)
		return
	}
	for i := range l.n {
		subTo(row(z, i), row(x, i), row(y, i))
	}
}

// Times12 sets z = 12 x.
func (l Lanes) Times12(z, x *Element) {
	if l.atOnce {
		times12(z, x)
		return
	}
	for i := range l.n {
		var double, four fp.Element
		addTo(&double, row(x, i), row(x, i))
		addTo(&four, &double, &double)
		addTo(&double, &four, &four)
		addTo(row(z, i), &double, &four)
	}
}

// Choose sets z to an entry of the table. It reads all of them.
func (l Lanes) Choose(z *Element, table []Element, index int) {
	if l.atOnce {
		choose(z, &table[0], len(table), index)
		return
	}
	for i := range l.n {
		var sum fp.Element
		for at := range table {
			mask := -((uint64(at^index) - 1) >> 63)
			for w, v := range row(&table[at], i) {
				sum[w] |= v & mask
			}
		}
		*row(z, i) = sum
	}
}

// Exp sets z = x^n for a public n above 0. It takes time that depends on n.
func (l Lanes) Exp(z, x *Element, n *big.Int) {
	const window = 5
	var odd [1 << (window - 1)]Element // x, x^3, x^5, ...
	var square Element
	l.Mul(&square, x, x)
	odd[0] = *x
	for i := 1; i < len(odd); i++ {
		l.Mul(&odd[i], &odd[i-1], &square)
	}
	started := false
	for at := n.BitLen() - 1; at >= 0; {
		if n.Bit(at) == 0 {
			l.Mul(z, z, z)
			at--
			continue
		}
		low := max(at-window+1, 0)
		for n.Bit(low) == 0 {
			low++
		}
		digit := uint(0)
		for ; at >= low; at-- {
			digit = digit<<1 | n.Bit(at)
			if started {
				l.Mul(z, z, z)
			}
		}
		if started {
			l.Mul(z, z, &odd[digit/2])
		} else {
			*z, started = odd[digit/2], true
		}
	}
}

// Load sets z to elements of the library.
func (l Lanes) Load(z *Element, values []fp.Element) {
	if !l.atOnce {
		for i := range l.n {
			*row(z, i) = values[i]
		}
		return
	}
	for i := range l.n {
		split(z, i, &values[i])
	}
	mul(z, z, &enter)
}

// Store sets values to the elements of z.
func (l Lanes) Store(values []fp.Element, z *Element) {
	if !l.atOnce {
		for i := range l.n {
			values[i] = *row(z, i)
		}
		return
	}
	var left Element
	mul(&left, z, &leave)
	for i := range l.n {
		values[i] = join(&left, i)
	}
}

// Random draws random elements.
func (l Lanes) Random(z *Element) error {
	var values [Size]fp.Element
	for i := range l.n {
		if _, err := values[i].SetRandom(); err != nil {
			return err
		}
	}
	l.Load(z, values[:])
	return nil
}

// AtOnce reports whether all eight elements are computed with at once.
func (l Lanes) AtOnce() bool { return l.atOnce }

// The functions below are for Lanes that compute at once, and for public points that are used too briefly to change the form of
// their coordinates. They stay as the library has them, with R = 2^384. The product of two is then 2^-32 of that of the library.

// GatherX sets z to coordinates of points.
func GatherX(z *Element, from *[Size]*bls.G1Affine) { gather(z, from, 0) }

// GatherY sets z to coordinates of points.
func GatherY(z *Element, from *[Size]*bls.G1Affine) { gather(z, from, fp.Bytes) }

// Scatter writes reduced coordinates.
func Scatter(to *[Size]*bls.G1Affine, x, y *Element) {
	scatter(to, 0, x)
	scatter(to, fp.Bytes, y)
}

// SubReduced sets z = x - y for reduced x and y. The result is below 2^3 p.
func SubReduced(z, x, y *Element) { subReduced(z, x, y) }

// Shift sets z = 2^32 x for an x below 2^3 p, without a reduction.
func Shift(z, x *Element) { shift32(z, x) }

// Reduce sets z = x modulo p for an x below 2^10 p.
func Reduce(z, x *Element) { canonical(z, x) }

const (
	limbBits = 52
	limb     = 1<<limbBits - 1
)

// split writes the limbs of v.
func split(z *Element, i int, v *fp.Element) {
	z[0][i] = v[0] & limb
	z[1][i] = (v[0]>>52 | v[1]<<12) & limb
	z[2][i] = (v[1]>>40 | v[2]<<24) & limb
	z[3][i] = (v[2]>>28 | v[3]<<36) & limb
	z[4][i] = (v[3]>>16 | v[4]<<48) & limb
	z[5][i] = v[4] >> 4 & limb
	z[6][i] = (v[4]>>56 | v[5]<<8) & limb
	z[7][i] = v[5] >> 44
}

// join returns the value of a product.
func join(z *Element, i int) fp.Element {
	v := fp.Element{
		z[0][i] | z[1][i]<<52,
		z[1][i]>>12 | z[2][i]<<40,
		z[2][i]>>24 | z[3][i]<<28,
		z[3][i]>>36 | z[4][i]<<16,
		z[4][i]>>48 | z[5][i]<<4 | z[6][i]<<56,
		z[6][i]>>8 | z[7][i]<<44,
	}
	reduce(&v)
	return v
}

// enter and leave change from the library's Montgomery form, with R = 2^384, to that with R = 2^416 and back.
var enter, leave = power(448), power(384)

func power(n uint) (z Element) {
	v := new(big.Int).Lsh(big.NewInt(1), n)
	w := words(v.Mod(v, fp.Modulus()))
	for i := range Size {
		split(&z, i, &w)
	}
	return z
}

var modulus = words(fp.Modulus())

// words returns an element whose words are those of n.
func words(n *big.Int) (w fp.Element) {
	var b [fp.Bytes]byte
	n.FillBytes(b[:])
	for i := range w {
		w[i] = binary.BigEndian.Uint64(b[fp.Bytes-8*(i+1):])
	}
	return w
}

// addTo is the library's addition without a branch.
func addTo(z, x, y *fp.Element) {
	var carry uint64
	z[0], carry = bits.Add64(x[0], y[0], 0)
	z[1], carry = bits.Add64(x[1], y[1], carry)
	z[2], carry = bits.Add64(x[2], y[2], carry)
	z[3], carry = bits.Add64(x[3], y[3], carry)
	z[4], carry = bits.Add64(x[4], y[4], carry)
	z[5], _ = bits.Add64(x[5], y[5], carry)
	reduce(z)
}

// reduce subtracts p from a value below 2p unless it is below p.
func reduce(z *fp.Element) {
	t0, borrow := bits.Sub64(z[0], modulus[0], 0)
	t1, borrow := bits.Sub64(z[1], modulus[1], borrow)
	t2, borrow := bits.Sub64(z[2], modulus[2], borrow)
	t3, borrow := bits.Sub64(z[3], modulus[3], borrow)
	t4, borrow := bits.Sub64(z[4], modulus[4], borrow)
	t5, borrow := bits.Sub64(z[5], modulus[5], borrow)
	keep := -borrow
	z[0] = t0 ^ keep&(t0^z[0])
	z[1] = t1 ^ keep&(t1^z[1])
	z[2] = t2 ^ keep&(t2^z[2])
	z[3] = t3 ^ keep&(t3^z[3])
	z[4] = t4 ^ keep&(t4^z[4])
	z[5] = t5 ^ keep&(t5^z[5])
}

// subTo is the library's subtraction without a branch.
func subTo(z, x, y *fp.Element) {
	var borrow, carry uint64
	z[0], borrow = bits.Sub64(x[0], y[0], 0)
	z[1], borrow = bits.Sub64(x[1], y[1], borrow)
	z[2], borrow = bits.Sub64(x[2], y[2], borrow)
	z[3], borrow = bits.Sub64(x[3], y[3], borrow)
	z[4], borrow = bits.Sub64(x[4], y[4], borrow)
	z[5], borrow = bits.Sub64(x[5], y[5], borrow)
	back := -borrow
	z[0], carry = bits.Add64(z[0], modulus[0]&back, 0)
	z[1], carry = bits.Add64(z[1], modulus[1]&back, carry)
	z[2], carry = bits.Add64(z[2], modulus[2]&back, carry)
	z[3], carry = bits.Add64(z[3], modulus[3]&back, carry)
	z[4], carry = bits.Add64(z[4], modulus[4]&back, carry)
	z[5], _ = bits.Add64(z[5], modulus[5]&back, carry)
}
