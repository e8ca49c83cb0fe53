package g1

import (
	"math/big"
	"strconv"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/internal/measure"
	"solidus.io/prover/internal/multiexp"
)

func TestAdderAgreesWithTheLibrary(t *testing.T) { bothWays(t, testAdder) }

func testAdder(t *testing.T) {
	small := cofactorPoints(t)
	points := []bls.G1Affine{{}, randomPoint(t), randomPoint(t), small["(0, 2)"], small["11"], small["11 image"]}
	for i := range points {
		points = append(points, minus(points[i]), points[i])
	}
	var s Adder
	var got []*bls.G1Affine
	var want []bls.G1Affine
	expect := func(sum bls.G1Affine) *bls.G1Affine {
		got, want = append(got, new(bls.G1Affine)), append(want, sum)
		return got[len(got)-1]
	}
	for i := range points {
		for j := range points {
			s.Add(expect(plus(points[i], points[j])), &points[i], &points[j])
		}
		s.Double(expect(plus(points[i], points[i])), &points[i])
	}
	s.Flush()
	for i := range got {
		if !got[i].Equal(&want[i]) {
			t.Fatalf("sum %d", i)
		}
	}
	doubled := append([]bls.G1Affine(nil), points...)
	s.DoubleAll(doubled)
	for i := range points {
		if twice := plus(points[i], points[i]); !doubled[i].Equal(&twice) {
			t.Fatalf("twice point %d", i)
		}
	}
}

func TestNormalise(t *testing.T) {
	points := append(randomPoints(t, 5), bls.G1Affine{})
	jacobian := make([]bls.G1Jac, len(points))
	for i := range points {
		jacobian[i].FromAffine(&points[i])
		jacobian[i].DoubleAssign()
	}
	for i, p := range Normalise(jacobian) {
		if want := plus(points[i], points[i]); !p.Equal(&want) {
			t.Fatalf("point %d", i)
		}
	}
}

func TestMultiExpAgreesWithTheLibrary(t *testing.T) { bothWays(t, testMultiExp) }

func testMultiExp(t *testing.T) {
	for _, n := range []int{1, 2, 7, 64, 300} {
		rows := [][]bls.G1Affine{randomPoints(t, n), randomPoints(t, n), make([]bls.G1Affine, n)}
		scalars := make([]multiexp.Half, n)
		lambda := Lambda()
		weights, err := multiexp.DrawWeights(n, &lambda)
		must(t, err)
		for i := range scalars {
			rows[2][i] = rows[0][0] // one point n times
			scalars[i] = multiexp.Half{weights[i].U, weights[i].V}
			switch i % 5 {
			case 1:
				scalars[i] = multiexp.Half{}
			case 2:
				scalars[i] = multiexp.Half{^uint64(0), ^uint64(0)}
			case 3:
				scalars[i][1] = 0
			}
		}
		for r, sum := range multiexp.Sums[bls.G1Jac](new(Adder), rows, scalars) {
			var want bls.G1Affine
			for i := range scalars {
				k := new(big.Int).SetUint64(scalars[i][1])
				k.Lsh(k, 64).Add(k, new(big.Int).SetUint64(scalars[i][0]))
				want = plus(want, times(rows[r][i], k))
			}
			if got := new(bls.G1Affine).FromJacobian(&sum); !got.Equal(&want) {
				t.Fatalf("row %d of %d points", r, n)
			}
		}
	}
}

// The endomorphism multiplies points of the subgroup by lambda, and a weight is its value.
func TestWeights(t *testing.T) {
	lambda := Lambda()
	weights, err := multiexp.DrawWeights(40, &lambda)
	must(t, err)
	for i := range weights {
		w, p := &weights[i], randomPoint(t)
		image := Image(&p)
		if want := times(p, lambda.BigInt(new(big.Int))); !image.Equal(&want) {
			t.Fatal("another eigenvalue")
		}
		sum := multiexp.Sums[bls.G1Jac](new(Adder), [][]bls.G1Affine{{p, image}}, w.AppendHalves(nil))[0]
		want := times(p, w.Value.BigInt(new(big.Int)))
		if got := new(bls.G1Affine).FromJacobian(&sum); !got.Equal(&want) {
			t.Fatal("a weight is not its value")
		}
	}
}

func BenchmarkAdder(b *testing.B) {
	for _, n := range []int{8, 16, 64, 512, 4096} {
		points, sums := randomPoints(b, 256), make([]bls.G1Affine, n)
		var s Adder
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			measure.Loop(b, n, func() {
				for i := range sums {
					s.Add(&sums[i], &points[i%256], &points[(i+i/256+1)%256])
				}
				s.Flush()
			})
		})
	}
}
