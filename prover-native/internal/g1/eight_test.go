package g1

import (
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/internal/g1/fp8"
)

// bothWays runs a test with eight field elements at once, where the processor can, and with one after the other.
func bothWays(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Run("at once", test)
	defer fp8.OneByOne()()
	t.Run("one by one", test)
}

// some returns points of all kinds: of the subgroup, outside, and such that are equal, opposite or images.
func some(t *testing.T) []bls.G1Affine {
	t.Helper()
	all := randomPoints(t, 2)
	for _, p := range cofactorPoints(t) {
		all = append(all, p)
	}
	for _, p := range all[:3] {
		all = append(all, minus(p), Image(&p), plus(p, p))
	}
	return all
}

func TestSteps(t *testing.T) {
	points := some(t)
	bothWays(t, func(t *testing.T) {
		for n := 1; n <= fp8.Size; n++ {
			s := NewSteps(n)
			got := make([]bls.G1Affine, n)
			check := func(name string, e *Eight, want func(i int) bls.G1Affine) {
				t.Helper()
				s.Affine(got, e)
				for i := range got {
					if got[i] != want(i) {
						t.Fatalf("%s: point %d of %d", name, i, n)
					}
				}
			}
			for at := range points {
				a, b := make([]bls.G1Affine, n), make([]bls.G1Affine, n)
				for i := range a {
					a[i], b[i] = points[(at+i)%len(points)], points[(3*at+5*i)%len(points)]
				}
				var p, q, r, zero Eight
				s.Set(&p, a)
				s.Set(&q, b)
				s.Add(&r, &p, &q)
				check("sum", &r, func(i int) bls.G1Affine { return plus(a[i], b[i]) })
				s.Neg(&q, &p)
				s.Add(&zero, &p, &q)
				check("sum of opposite points", &zero, func(int) bls.G1Affine { return bls.G1Affine{} })
				s.Add(&r, &zero, &p)
				check("sum with the identity", &r, func(i int) bls.G1Affine { return a[i] })
				s.Add(&r, &p, &p)
				check("sum of equal points", &r, func(i int) bls.G1Affine { return plus(a[i], a[i]) })
				s.Double(&zero)
				check("double of the identity", &zero, func(int) bls.G1Affine { return bls.G1Affine{} })
				r = p
				s.Double(&r)
				check("double", &r, func(i int) bls.G1Affine { return plus(a[i], a[i]) })
				s.Image(&r, &p)
				check("image", &r, func(i int) bls.G1Affine { return Image(&a[i]) })
				r = p
				must(t, s.Mask(&r))
				if r.Y == p.Y || r.Z == p.Z {
					t.Fatal("the coordinates are not masked")
				}
				check("masked", &r, func(i int) bls.G1Affine { return a[i] })
			}
		}
	})
}

func TestSignedSums(t *testing.T) {
	points := some(t)
	bothWays(t, func(t *testing.T) {
		const n = 5
		s := NewSteps(n)
		var affine [4][]bls.G1Affine
		var terms [4]Eight
		for j := range terms {
			for i := range n {
				affine[j] = append(affine[j], points[(i*i+j)%len(points)])
			}
			s.Set(&terms[j], affine[j])
		}
		var table SignedSums
		s.SumSigned(&table, &terms)
		got := make([]bls.G1Affine, n)
		for at := range 16 {
			var e Eight
			s.Choose(&e, &table, at)
			s.Affine(got, &e)
			for i := range got {
				var want bls.G1Affine
				for j := range affine {
					p := affine[j][i]
					if at>>j&1 == 1 {
						p = minus(p)
					}
					want = plus(want, p)
				}
				if got[i] != want {
					t.Fatalf("entry %d of point %d", at, i)
				}
			}
		}
	})
}

func TestTimesSeed(t *testing.T) {
	points := some(t)[:6]
	bothWays(t, func(t *testing.T) {
		s := NewSteps(len(points))
		var p Eight
		s.Set(&p, points)
		s.TimesSeed(&p)
		got := make([]bls.G1Affine, len(points))
		s.Affine(got, &p)
		for i := range got {
			if got[i] != times(points[i], new(big.Int).SetUint64(seed)) {
				t.Fatalf("point %d", i)
			}
		}
	})
}
