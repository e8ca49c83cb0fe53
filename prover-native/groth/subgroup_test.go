package groth

import (
	"math/big"
	"testing"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/measure"
)

// onCurve returns the point of the curve y^2 = x^3 + b with the smallest x from the given one.
func onCurve(b int64, x uint64) affine {
	for ; ; x++ {
		var p affine
		var y2, c fp.Element
		p.X.SetUint64(x)
		c.SetInt64(b)
		y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, &c)
		if p.Y.Sqrt(&y2) != nil {
			return p
		}
	}
}

// timesAny multiplies any point of either curve.
func timesAny(p affine, n *big.Int) affine {
	var base, sum bw6.G1Jac
	base.FromAffine(&p)
	sum.FromAffine(&bw6.G1Affine{})
	for i := n.BitLen() - 1; i >= 0; i-- {
		sum.DoubleAssign()
		if n.Bit(i) == 1 {
			sum.AddAssign(&base)
		}
	}
	return normalise([]bw6.G1Jac{sum})[0]
}

func plus(a, b affine) affine {
	var s adder
	var sum affine
	s.Add(&sum, &a, &b)
	s.Flush()
	return sum
}

// The cofactors, from the group orders, and that nothing but the primes named in subgroup.go divides them below 10^6.
var cofactors = map[string]struct {
	b     int64
	h     string
	small []int64
}{
	"G1": {-1, "26642435879335816683987677701488073867751118270052650655942102502312977592501693353047140953112195348280268661194876", []int64{2, 2, 127}},
	"G2": {4, "26642435879335816683987677701488073867751118270052650655942102502312977592501693353047140953112195348280268661194869", []int64{3, 13}},
}

func TestCofactors(t *testing.T) {
	for name, c := range cofactors {
		h, ok := new(big.Int).SetString(c.h, 10)
		if !ok {
			t.Fatal(name)
		}
		order := new(big.Int).Mul(h, fr.Modulus())
		for x := range uint64(8) {
			if p := timesAny(onCurve(c.b, 1000*x+1), order); !p.IsInfinity() {
				t.Fatalf("%s: not the order", name)
			}
		}
		distance := new(big.Int).Sub(order, fp.Modulus()) // |#E - p - 1| <= 2 sqrt(p): there is one such multiple of h r
		if distance.BitLen() > 383 {
			t.Fatalf("%s: outside Hasse's bound", name)
		}
		rest := new(big.Int).Set(h)
		for _, q := range c.small {
			var m big.Int
			if rest.DivMod(rest, big.NewInt(q), &m); m.Sign() != 0 {
				t.Fatalf("%s: %d does not divide", name, q)
			}
		}
		for q := int64(2); q < 1_000_000; q++ {
			if new(big.Int).Mod(rest, big.NewInt(q)).Sign() == 0 {
				t.Fatalf("%s: %d divides the rest", name, q)
			}
		}
	}
}

// cofactorPoints are points of each small prime order and one of the large rest.
func cofactorPoints(t testing.TB, name string) map[string]affine {
	t.Helper()
	c := cofactors[name]
	h, _ := new(big.Int).SetString(c.h, 10)
	all := map[string]affine{}
	order := new(big.Int).Mul(h, fr.Modulus())
	rest := new(big.Int).Set(h)
	for _, q := range c.small {
		rest.Div(rest, big.NewInt(q))
	}
	orders := append([]int64{0}, c.small...)
	for _, q := range orders {
		n, label := big.NewInt(q), big.NewInt(q).String()
		if q == 0 {
			n, label = rest, "rest"
		}
		exponent := new(big.Int).Div(order, n)
		if q == 2 {
			exponent.Div(order, big.NewInt(4)) // the 2-torsion is not cyclic
		}
		for x := uint64(1); ; x += 7 {
			p := timesAny(onCurve(c.b, x), exponent)
			if zero := timesAny(p, n); !p.IsInfinity() && zero.IsInfinity() {
				all[label] = p
				break
			}
		}
	}
	if name == "G1" {
		for label, x := range map[string]fp.Element{"(1,0)": fp.One(), "(w,0)": endomorphism.omega} {
			all[label] = affine{X: x}
		}
		var w2 fp.Element
		w2.Square(&endomorphism.omega)
		all["(w^2,0)"] = affine{X: w2}
	}
	return all
}

func randomPoints(t testing.TB, name string, n int) []affine {
	t.Helper()
	_, _, g1, g2 := bw6.Generators()
	g := g1
	if name == "G2" {
		g = affine(g2)
	}
	all := make([]affine, n)
	for i := range all {
		var e Field
		_, err := e.SetRandom()
		must(t, err)
		all[i] = timesAny(g, e.BigInt(new(big.Int)))
	}
	return all
}

func TestSubgroups(t *testing.T) {
	for name, test := range map[string]func([]affine) bool{"G1": g1InSubgroup, "G2": g2InSubgroup} {
		bad := cofactorPoints(t, name)
		for _, n := range []int{1, g1BatchFrom - 1, g1BatchFrom, 130} {
			points := randomPoints(t, name, n)
			if !test(points) {
				t.Fatalf("%s: %d points of the subgroup are refused", name, n)
			}
			for order, p := range bad {
				for _, at := range []int{0, n - 1} {
					good := points[at]
					for _, wrong := range []affine{p, plus(good, p)} {
						points[at] = wrong
						if test(points) {
							t.Fatalf("%s: a component of order %s at %d of %d is accepted", name, order, at, n)
						}
					}
					points[at] = good
				}
			}
			if n > 1 {
				for order, p := range bad {
					minus := p
					minus.Y.Neg(&minus.Y)
					first, second := points[0], points[1]
					points[0], points[1] = plus(first, p), plus(second, minus)
					if test(points) {
						t.Fatalf("%s: two components of order %s cancel", name, order)
					}
					points[0], points[1] = first, second
				}
			}
		}
	}
}

// The library accepts a point of order three in G2, which is why this package has its own test. When this test fails, the
// library is fixed.
func TestTheLibraryAcceptsAPointOfOrderThree(t *testing.T) {
	var small bw6.G2Affine
	small.Y.SetUint64(2)
	_, _, _, g := bw6.Generators()
	var sum bw6.G2Affine
	sum.Add(&g, &small)
	for _, p := range []bw6.G2Affine{small, sum} {
		if !p.IsOnCurve() || !p.IsInSubGroup() {
			t.Fatal("the library refuses it now")
		}
		if g2InSubgroup([]affine{affine(p)}) {
			t.Fatal("accepted")
		}
	}
	vk, all := claims(t, inStepFrom)
	proof := *all[1].Proof
	proof.B.Add(&proof.B, &small)
	all[1].Proof = &proof
	refused(t, vk.Verify(&proof, all[1].Public), fault.ProofInvalid)
	refused(t, vk.VerifyBatch(all[:3]), fault.ProofInvalid)
	refused(t, vk.VerifyBatch(all), fault.ProofInvalid)
}

// The degree of the test's map is r, so that its kernel is the subgroup and nothing else.
func TestTheKernelHasOrderR(t *testing.T) {
	x, y := new(big.Int).SetUint64(seed), new(big.Int).SetUint64(third)
	one := big.NewInt(1)
	if new(big.Int).Add(new(big.Int).Mul(y, big.NewInt(3)), one).Cmp(x) != 0 {
		t.Fatal("y is not (x-1)/3")
	}
	d := new(big.Int).Mul(x, x)
	d.Mul(d, y).Add(d, y).Add(d, one)
	c := new(big.Int).Sub(x, d)
	c.Add(c, one)
	norm := new(big.Int).Mul(c, c)
	norm.Sub(norm, new(big.Int).Mul(c, d)).Add(norm, new(big.Int).Mul(d, d))
	if norm.Cmp(fr.Modulus()) != 0 {
		t.Fatal("another degree")
	}
}

func BenchmarkSubgroups(b *testing.B) {
	for name, test := range map[string]func([]affine) bool{"G1": g1InSubgroup, "G2": g2InSubgroup} {
		for _, n := range []int{1, 8, 16, 32, 64, 128, 512} {
			points := randomPoints(b, name, n)
			b.Run(name+"/"+big.NewInt(int64(n)).String(), func(b *testing.B) {
				measure.Loop(b, n, func() { test(points) })
			})
		}
	}
}
