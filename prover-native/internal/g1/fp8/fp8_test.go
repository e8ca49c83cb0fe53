package fp8

import (
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/utils/cpu"
)

// bothWays runs a test one after the other and at once, on all numbers of elements.
func bothWays(t *testing.T, test func(t *testing.T, l Lanes)) {
	for n := 1; n <= Size; n++ {
		test(t, Lanes{n: n})
		if cpu.SupportAVX512IFMA {
			test(t, Lanes{n: n, atOnce: true})
		}
	}
	if !cpu.SupportAVX512IFMA {
		t.Log("this processor computes one after the other only")
	}
}

// edge are the values at which carries and reductions differ.
func edge(t *testing.T) []fp.Element {
	t.Helper()
	var random, most, shifted fp.Element
	if _, err := random.SetRandom(); err != nil {
		t.Fatal(err)
	}
	most.SetInt64(-1)
	all := []fp.Element{{}, fp.One(), most, random, words(new(big.Int).Sub(fp.Modulus(), big.NewInt(1)))}
	for bit := uint(0); bit < 381; bit += 13 {
		v := new(big.Int).Lsh(big.NewInt(1), bit)
		if v.Cmp(fp.Modulus()) < 0 {
			shifted = words(v)
			all = append(all, shifted)
		}
		if v.Sub(v, big.NewInt(1)); v.Cmp(fp.Modulus()) < 0 {
			shifted = words(v)
			all = append(all, shifted)
		}
	}
	return all
}

func TestOperationsAgreeWithTheLibrary(t *testing.T) {
	values := edge(t)
	bothWays(t, func(t *testing.T, l Lanes) {
		for first := range values {
			x, y := make([]fp.Element, l.n), make([]fp.Element, l.n)
			for i := range x {
				x[i], y[i] = values[(first+i)%len(values)], values[(7*first+5*i)%len(values)]
			}
			var a, b, c Element
			l.Load(&a, x)
			l.Load(&b, y)
			check := func(name string, want func(z, x, y *fp.Element)) {
				t.Helper()
				got := make([]fp.Element, l.n)
				l.Store(got, &c)
				for i := range got {
					var z fp.Element
					if want(&z, &x[i], &y[i]); got[i] != z {
						t.Fatalf("%s of %v and %v with %+v: %v instead of %v", name, &x[i], &y[i], l, &got[i], &z)
					}
				}
			}
			l.Mul(&c, &a, &b)
			check("product", func(z, x, y *fp.Element) { z.Mul(x, y) })
			l.Add(&c, &a, &b)
			check("sum", func(z, x, y *fp.Element) { z.Add(x, y) })
			l.Sub(&c, &a, &b)
			check("difference", func(z, x, y *fp.Element) { z.Sub(x, y) })
			l.Times12(&c, &a)
			check("multiple", func(z, x, _ *fp.Element) { z.Mul(x, new(fp.Element).SetUint64(12)) })
			c = a
			l.Mul(&c, &c, &c)
			check("square in place", func(z, x, _ *fp.Element) { z.Square(x) })
			l.Sub(&a, &a, &b)
			l.Add(&a, &a, &a)
			l.Times12(&a, &a)
			l.Mul(&c, &a, &a)
			l.Sub(&c, &b, &c)
			check("unreduced operands", func(z, x, y *fp.Element) {
				var d fp.Element
				d.Sub(x, y)
				d.Mul(&d, new(fp.Element).SetUint64(24)).Square(&d)
				z.Sub(y, &d)
			})
		}
	})
}

// The bounds that the comment on Element promises, with limbs full of ones.
func TestUnreducedOperands(t *testing.T) {
	if !cpu.SupportAVX512IFMA {
		t.Skip("no unreduced elements on this processor")
	}
	l := LanesFor(Size)
	p, one := fp.Modulus(), big.NewInt(1)
	multiple := func(shift uint, less int64) *big.Int {
		n := new(big.Int).Lsh(p, shift)
		return n.Sub(n, big.NewInt(less))
	}
	ones := new(big.Int).Lsh(one, 396)
	values := []*big.Int{multiple(16, 1), multiple(16, 0), ones.Sub(ones, one), new(big.Int), one, multiple(8, 0), multiple(0, 1)}
	inverse := new(big.Int).ModInverse(new(big.Int).Lsh(one, 416), p)
	for i, a := range values {
		for _, b := range values[:i+1] {
			x, y := raw(a), raw(b)
			var z Element
			l.Mul(&z, &x, &y)
			want := new(big.Int).Mul(a, b)
			if got := value(&z, i); got.Cmp(multiple(1, 0)) >= 0 || !congruent(got, want.Mul(want, inverse)) {
				t.Fatalf("%x times %x is %x", a, b, got)
			}
			if a.BitLen() > 390 {
				continue
			}
			l.Sub(&z, &y, &x)
			if got := value(&z, i); !congruent(got, want.Sub(b, a)) {
				t.Fatalf("%x minus %x is %x", b, a, got)
			}
		}
	}
	for k := int64(0); k < 1<<10; k++ {
		for d := int64(-1); d <= 1 && k+d >= 0; d++ {
			n := new(big.Int).Mul(p, big.NewInt(k))
			x := raw(n.Add(n, big.NewInt(d)))
			Reduce(&x, &x)
			if got := value(&x, int(k)%Size); got.Cmp(p) >= 0 || !congruent(got, n) {
				t.Fatalf("%x is reduced to %x", n, got)
			}
		}
	}
	for shift := uint(0); shift < 3; shift++ {
		n := multiple(shift, 1)
		x := raw(n)
		Shift(&x, &x)
		if got := value(&x, 3); got.Cmp(n.Lsh(n, 32)) != 0 {
			t.Fatalf("%x instead of %x", got, n)
		}
	}
}

// raw has a value in all lanes.
func raw(v *big.Int) (z Element) {
	for j := range z {
		w := new(big.Int).Rsh(v, uint(j)*limbBits)
		for i := range z[j] {
			z[j][i] = w.And(w, big.NewInt(limb)).Uint64()
		}
	}
	return z
}

func value(z *Element, lane int) *big.Int {
	v := new(big.Int)
	for j := len(z) - 1; j >= 0; j-- {
		if z[j][lane] > limb {
			panic("a limb of more than 52 bits")
		}
		v.Lsh(v, limbBits).Add(v, new(big.Int).SetUint64(z[j][lane]))
	}
	return v
}

func congruent(a, b *big.Int) bool {
	d := new(big.Int).Sub(a, b)
	return d.Mod(d, fp.Modulus()).Sign() == 0
}

// Coordinates that are gathered are those that are scattered, in every lane.
func TestGatherAndScatter(t *testing.T) {
	if !cpu.SupportAVX512IFMA {
		t.Skip("no such functions on this processor")
	}
	values := edge(t)
	for at := range values {
		var from, to [Size]bls.G1Affine
		var fromAt, toAt [Size]*bls.G1Affine
		for i := range from {
			from[i].X, from[i].Y = values[(at+i)%len(values)], values[(at+3*i+1)%len(values)]
			fromAt[i], toAt[Size-1-i] = &from[i], &to[i]
		}
		var x, y, d Element
		GatherX(&x, &fromAt)
		GatherY(&y, &fromAt)
		Scatter(&toAt, &x, &y)
		for i := range from {
			if to[Size-1-i] != from[i] {
				t.Fatalf("point %d", i)
			}
		}
		SubReduced(&d, &x, &y)
		Reduce(&d, &d)
		Scatter(&fromAt, &d, &y)
		for i := range from {
			var want fp.Element
			if want.Sub(&to[Size-1-i].X, &to[Size-1-i].Y); from[i].X != want {
				t.Fatalf("difference %d", i)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	values := edge(t)
	bothWays(t, func(t *testing.T, l Lanes) {
		table := make([]Element, 11)
		for at := range table {
			l.Load(&table[at], values[at:])
		}
		got := make([]fp.Element, l.n)
		for at := range table {
			var c Element
			c[0][0], c[7][7] = 1, 1 // what was there before
			l.Choose(&c, table, at)
			l.Store(got, &c)
			for i := range got {
				if got[i] != values[at+i] {
					t.Fatalf("entry %d with %+v", at, l)
				}
			}
		}
	})
}

func TestExp(t *testing.T) {
	values := edge(t)
	third := new(big.Int).Div(fp.Modulus(), big.NewInt(3))
	exponents := []*big.Int{big.NewInt(1), big.NewInt(2), big.NewInt(31), big.NewInt(32), big.NewInt(0x4100000), third}
	bothWays(t, func(t *testing.T, l Lanes) {
		for _, n := range exponents {
			var z, x Element
			l.Load(&x, values)
			l.Exp(&z, &x, n)
			got := make([]fp.Element, l.n)
			l.Store(got, &z)
			for i := range got {
				var want fp.Element
				if want.Exp(values[i], n); got[i] != want {
					t.Fatalf("%v to the power of %v with %+v", &values[i], n, l)
				}
			}
		}
	})
}

func TestRandom(t *testing.T) {
	bothWays(t, func(t *testing.T, l Lanes) {
		seen := map[fp.Element]bool{}
		for range 10 {
			var z Element
			if err := l.Random(&z); err != nil {
				t.Fatal(err)
			}
			values := make([]fp.Element, l.n)
			l.Store(values, &z)
			for _, v := range values {
				if seen[v] {
					t.Fatal("drawn twice")
				}
				seen[v] = true
			}
		}
	})
}

func BenchmarkMul(b *testing.B) {
	for name, l := range map[string]Lanes{"each": {n: Size}, "at once": LanesFor(Size)} {
		var z, x Element
		if err := l.Random(&x); err != nil {
			b.Fatal(err)
		}
		z = x
		b.Run(name+"/mul", func(b *testing.B) {
			for b.Loop() {
				l.Mul(&z, &z, &x)
			}
		})
		b.Run(name+"/add", func(b *testing.B) {
			for b.Loop() {
				l.Add(&z, &x, &x)
			}
		})
		b.Run(name+"/sub", func(b *testing.B) {
			for b.Loop() {
				l.Sub(&z, &x, &x)
			}
		})
		table := make([]Element, 8)
		b.Run(name+"/choose", func(b *testing.B) {
			for b.Loop() {
				l.Choose(&z, table, 3)
			}
		})
	}
}
