package suite

import (
	"math/big"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bls12-377/fp"

	"solidus.io/prover/internal/measure"
	"solidus.io/prover/internal/multiexp"
)

func pointers(points []G1) []*G1 {
	all := make([]*G1, len(points))
	for i := range points {
		all[i] = &points[i]
	}
	return all
}

// cofactorPoints has a point of each prime order that divides the cofactor, and one of order 2^46.
func cofactorPoints(t testing.TB) map[string]G1 {
	t.Helper()
	exponent := new(big.Int).SetUint64(seed - 1) // of the cofactor's group
	all := map[string]G1{}
	for name, order := range map[string]int64{"2": 2, "3": 3, "7": 7, "13": 13, "499": 499, "2^46": 1 << 46} {
		rest := new(big.Int).Div(exponent, big.NewInt(order))
		for x := uint64(1); ; x++ {
			var p, multiple, zero G1
			p.X.SetUint64(x)
			var y2 fp.Element
			y2.Square(&p.X).Mul(&y2, &p.X)
			y2.Add(&y2, new(fp.Element).SetOne())
			if p.Y.Sqrt(&y2) == nil {
				continue
			}
			timesInt(&multiple, &p, Order())
			timesInt(&multiple, &multiple, rest)
			timesInt(&zero, &multiple, big.NewInt(order))
			half := multiple
			if name == "2^46" {
				timesInt(&half, &multiple, big.NewInt(1<<45))
			}
			if !half.IsInfinity() && zero.IsInfinity() {
				all[name] = multiple
				break
			}
		}
	}
	return all
}

// timesInt multiplies any point of the curve; the library's multiplication is for the subgroup only.
func timesInt(r, p *G1, n *big.Int) {
	var sum, base bls.G1Jac
	sum.FromAffine(&G1{})
	base.FromAffine(p)
	for i := n.BitLen() - 1; i >= 0; i-- {
		sum.DoubleAssign()
		if n.Bit(i) == 1 {
			sum.AddAssign(&base)
		}
	}
	r.FromJacobian(&sum)
}

// Sizes on both sides of every threshold; a point of each small order, alone and beside one of the subgroup, at places that
// fall into the first, an inner and the last table.
func TestSubgroupBatches(t *testing.T) {
	bad := cofactorPoints(t)
	for _, n := range []int{1, 40, subgroupBatchFrom - 1, subgroupBatchFrom, subgroupBatchFrom + 5, 832} {
		points := make([]G1, n)
		for i := range points {
			points[i] = randomG1(t)
		}
		if !InSubgroup(pointers(points)) {
			t.Fatalf("%d points of the subgroup are refused", n)
		}
		for order, p := range bad {
			for _, at := range []int{0, n / 2, n - 1} {
				good := points[at]
				for _, wrong := range []G1{p, add(good, p)} {
					points[at] = wrong
					if InSubgroup(pointers(points)) {
						t.Fatalf("a component of order %s at %d of %d is accepted", order, at, n)
					}
				}
				points[at] = good
			}
		}
	}
}

// Errors that cancel in the sum of all points, and points that meet the addition's special cases.
func TestSubgroupBatchesOfRelatedPoints(t *testing.T) {
	p := randomG1(t)
	points := make([]G1, 400)
	for i := range points {
		points[i] = p
		if i%3 == 0 {
			points[i].Neg(&p)
		}
	}
	if !InSubgroup(pointers(points)) {
		t.Fatal("equal and opposite points are refused")
	}
	for order, small := range cofactorPoints(t) {
		var minus G1
		minus.Neg(&small)
		points[7], points[8] = add(points[7], small), add(points[8], minus)
		if InSubgroup(pointers(points)) {
			t.Fatalf("two components of order %s cancel", order)
		}
		points[7], points[8] = add(points[7], minus), add(points[8], small)
		all := make([]G1, 400)
		for i := range all {
			all[i] = small
		}
		if InSubgroup(pointers(all)) {
			t.Fatalf("only points of order %s are accepted", order)
		}
	}
}

// The rounds' sums are subset sums: with one point that is not the identity each is that point or the identity.
func TestRandomSumsAreSubsetSums(t *testing.T) {
	for _, at := range []int{0, 5, 6, 191, 192, 199} {
		points := make([]G1, 200)
		points[at] = randomG1(t)
		sums, err := randomSums(pointers(points))
		must(t, err)
		taken := 0
		for _, s := range sums {
			if s.Equal(&points[at]) {
				taken++
			} else if !s.IsInfinity() {
				t.Fatal("a sum of something else")
			}
		}
		if taken < 24 || taken > 104 { // 7 standard deviations
			t.Fatalf("point %d is in %d of %d subsets", at, taken, subgroupRounds)
		}
	}
}

func TestAdderAgreesWithTheLibrary(t *testing.T) {
	small := cofactorPoints(t)
	points := []G1{{}, randomG1(t), randomG1(t), small["2"], small["3"], small["7"]}
	for i := range points {
		var minus G1
		minus.Neg(&points[i])
		points = append(points, minus, points[i])
	}
	var s adder
	var got []*G1
	var want []G1
	for i := range points {
		for j := range points {
			got, want = append(got, new(G1)), append(want, add(points[i], points[j]))
			s.Add(got[len(got)-1], &points[i], &points[j])
		}
		got, want = append(got, new(G1)), append(want, add(points[i], points[i]))
		s.double(got[len(got)-1], &points[i])
	}
	s.Flush()
	for i := range got {
		if !got[i].Equal(&want[i]) {
			t.Fatalf("addition %d", i)
		}
	}
	doubled := append([]G1(nil), points...)
	s.doubleAll(doubled)
	for i := range points {
		var minus, got G1
		minus.Neg(&points[i])
		s.subtract(&got, &points[i], &minus)
		s.Flush()
		if twice := add(points[i], points[i]); !doubled[i].Equal(&twice) || !got.Equal(&twice) {
			t.Fatalf("twice point %d", i)
		}
		for j := range points {
			minus.Neg(&points[j])
			s.subtract(&got, &points[i], &points[j])
			s.Flush()
			if want := add(points[i], minus); !got.Equal(&want) {
				t.Fatalf("point %d minus point %d", i, j)
			}
		}
	}
}

func TestMultiExpAgreesWithTheLibrary(t *testing.T) {
	for _, n := range []int{1, 2, 7, 64, 300} {
		rows := make([][]G1, 3)
		scalars := make([]multiexp.Half, n)
		for i := range scalars {
			s := scalar(t)
			words := s.Bits()
			scalars[i] = multiexp.Half{words[0], words[1]}
			switch i % 5 {
			case 1:
				scalars[i] = multiexp.Half{}
			case 2:
				scalars[i] = multiexp.Half{^uint64(0), ^uint64(0)}
			case 3:
				scalars[i][1] = 0
			}
		}
		for r := range rows {
			rows[r] = make([]G1, n)
			for i := range rows[r] {
				rows[r][i] = randomG1(t)
				if r == 2 {
					rows[r][i] = rows[0][0] // one point n times
				}
			}
		}
		for r, sum := range multiexp.Sums[bls.G1Jac](new(adder), rows, scalars) {
			var got, want G1
			got.FromJacobian(&sum)
			for i := range scalars {
				var term G1
				k := new(big.Int).SetUint64(scalars[i][1])
				k.Lsh(k, 64).Add(k, new(big.Int).SetUint64(scalars[i][0]))
				term.ScalarMultiplication(&rows[r][i], k)
				want = add(want, term)
			}
			if !got.Equal(&want) {
				t.Fatalf("row %d of %d points", r, n)
			}
		}
	}
}

func TestEndomorphismSplitsScalars(t *testing.T) {
	for range 50 {
		s, p := scalar(t), randomG1(t)
		u, v := endomorphism.split(&s)
		if u[1]>>63 != 0 || v[1]>>63 != 0 {
			t.Fatal("more than 127 bits")
		}
		sum := multiexp.Sums[bls.G1Jac](new(adder), [][]G1{{p, endomorphism.of(&p)}}, []multiexp.Half{u, v})[0]
		var got G1
		got.FromJacobian(&sum)
		if want := mul(&p, &s); !got.Equal(&want) {
			t.Fatal("another multiple")
		}
	}
	weights, err := multiexp.DrawWeights(40, &endomorphism.lambda)
	must(t, err)
	seen := map[Scalar]bool{}
	for _, w := range weights {
		p := randomG1(t)
		sum := multiexp.Sums[bls.G1Jac](new(adder), [][]G1{{p, endomorphism.of(&p)}}, []multiexp.Half{{w.U}, {w.V}})[0]
		var got G1
		got.FromJacobian(&sum)
		if want := mul(&p, &w.Value); !got.Equal(&want) || seen[w.Value] {
			t.Fatal("a weight is not its value, or is drawn twice")
		}
		seen[w.Value] = true
	}
}

func BenchmarkSubgroup(b *testing.B) {
	for _, n := range []int{13, 52, 208, 832, 3328} {
		points := make([]G1, n)
		for i := range points {
			points[i] = randomG1(b)
		}
		all := pointers(points)
		b.Run(big.NewInt(int64(n)).String()+"/each", func(b *testing.B) {
			measure.Loop(b, n, func() { eachInSubgroup(all) })
		})
		b.Run(big.NewInt(int64(n)).String()+"/rounds", func(b *testing.B) {
			measure.Loop(b, n, func() {
				sums, err := randomSums(all)
				must(b, err)
				eachInSubgroup(sums)
			})
		})
	}
}
