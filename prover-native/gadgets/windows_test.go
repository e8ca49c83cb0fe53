package gadgets

import (
	"math/big"
	"testing"

	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/jubjub"
)

type fixedBaseCircuit struct {
	P Point
	W Windows
	R Point `gnark:",public"`
}

func (c *fixedBaseCircuit) Define(api frontend.API) error {
	assertPoint(api, AddFixedBase(api, c.P, &c.W), c.R)
	return nil
}

func scalar(x *big.Int) jubjub.Scalar {
	b := make([]byte, jubjub.ScalarBytes)
	new(big.Int).Mod(x, jubjub.Order()).FillBytes(b)
	s, err := jubjub.DecodeScalar(b)
	if err != nil {
		panic(err)
	}
	return s
}

// edgeScalars are the values at which recodings and ladders fail: 0, 1 and l - 1, both parities, single windows, all windows.
func edgeScalars(t *testing.T) []jubjub.Scalar {
	t.Helper()
	var all []jubjub.Scalar
	for _, x := range []int64{0, 1, 2, 3, 6, 7, 8, 9, 15, 16, -1, -2, -7, -8} {
		all = append(all, scalar(big.NewInt(x)))
	}
	half := new(big.Int).Rsh(jubjub.Order(), 1)
	top := new(big.Int).Lsh(big.NewInt(1), 251) // the highest bit of the last window
	for _, x := range []*big.Int{half, new(big.Int).Add(half, big.NewInt(1)), top, new(big.Int).Sub(top, big.NewInt(1))} {
		all = append(all, scalar(x))
	}
	for range 2 {
		s, err := jubjub.RandomScalar()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func fixedBaseAssignment(p *jubjub.Point, s *jubjub.Scalar) *fixedBaseCircuit {
	r := jubjub.Add(*p, jubjub.MulBase(s))
	return &fixedBaseCircuit{P: NewPoint(p), W: RecodeWindows(s), R: NewPoint(&r)}
}

// For every scalar and every point, p = -s B and the identity included, the result is the group's, no wire is undetermined and
// no other result is accepted.
//
//spec:id G-04
func TestAddFixedBase(t *testing.T) {
	s := circuittest.Compile(t, &fixedBaseCircuit{})
	const perWindow = 3 + 1 + 1 + 6 // three bits, their product, the sign, an addition
	if got, want := s.GetNbConstraints(), WindowCount*perWindow+2; got != want {
		t.Errorf("%d constraints, want %d", got, want)
	}
	for _, x := range edgeScalars(t) {
		var opposite jubjub.Scalar
		opposite.Neg(&x)
		base, other := jubjub.Base(), randomPoint(t)
		points := map[string]jubjub.Point{
			"B": base, "random": other, "O": identity(), "-s B": jubjub.MulBase(&opposite), "s B": jubjub.MulBase(&x),
			"order 2": torsion()[4], "order 8": torsion()[1],
		}
		for name, p := range points {
			c := fixedBaseAssignment(&p, &x)
			if name == "-s B" && (toInt(c.R.X).Sign() != 0 || toInt(c.R.Y).Cmp(big.NewInt(1)) != 0) {
				t.Fatal("-s B + s B is not the identity")
			}
			s.Accepts(t, c)
			if free := s.Undetermined(t, c); len(free) != 0 {
				t.Errorf("%s, s = %v: undetermined wires %v", name, x.Big(), free)
			}
			wrong := randomPoint(t)
			c.R = NewPoint(&wrong)
			s.Refuses(t, c)
		}
	}
}

// A bit of a window that is none is refused, also where the result follows the formulas.
//
//spec:id G-03
func TestWindowsAreBits(t *testing.T) {
	s := circuittest.Compile(t, &fixedBaseCircuit{})
	p, x := randomPoint(t), edgeScalars(t)[18]
	for i := range 3 * WindowCount {
		c := fixedBaseAssignment(&p, &x)
		for _, digit := range []int{2, -1} {
			c.W[i] = digit
			s.Refuses(t, c)
		}
	}
	honest := fixedBaseAssignment(&p, &x)
	wrong := *honest
	wrong.R = NewPoint(&p)
	s.DishonestHints(t, honest, map[string]frontend.Circuit{"another point": &wrong})
}

// valueOf is the integer that windows stand for. It fails the test where a digit is not a bit.
func valueOf(t *testing.T, w *Windows) *big.Int {
	t.Helper()
	sum, power := new(big.Int), big.NewInt(1)
	for i := 0; i < len(w); i += 3 {
		for _, v := range w[i : i+3] {
			if b := v.(int); b != 0 && b != 1 {
				t.Fatalf("digit %d is not a bit", b)
			}
		}
		digit := int64(1 + 2*w[i].(int) + 4*w[i+1].(int))
		if w[i+2].(int) == 1 {
			digit = -digit
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(digit), power))
		power.Lsh(power, 3)
	}
	return sum
}

// A scalar and its windows are the same number modulo l. Odd ones are recoded as they are, even ones and 0 as s - l.
//
//spec:id G-03
func TestRecodeWindows(t *testing.T) {
	for range 20 {
		for _, s := range edgeScalars(t) {
			w := RecodeWindows(&s)
			want := s.Big()
			if want.Bit(0) == 0 {
				want.Sub(want, jubjub.Order())
			}
			if got := valueOf(t, &w); got.Cmp(want) != 0 {
				t.Fatalf("the windows of %v are %v", s.Big(), got)
			}
		}
	}
}

// Signed windows with the digits +-1 to +-7 have exactly the odd values below 8^n. Of s and s - l one is odd and, below l, within
// those of WindowCount windows; one window less would not do.
//
//spec:id G-03
func TestWindowCount(t *testing.T) {
	values := map[int]bool{0: true}
	for range 3 {
		next := map[int]bool{}
		for v := range values {
			for _, digit := range []int{1, 3, 5, 7, -1, -3, -5, -7} {
				next[8*v+digit] = true
			}
		}
		values = next
	}
	for v := -600; v <= 600; v++ {
		if odd := v%2 != 0; values[v] != (odd && v > -512 && v < 512) {
			t.Errorf("three windows: value %d is %v", v, values[v])
		}
	}
	last := new(big.Int).Sub(jubjub.Order(), big.NewInt(1))
	bound := new(big.Int).Lsh(big.NewInt(1), 3*WindowCount)
	if last.Cmp(bound) >= 0 {
		t.Error("l - 1 has more windows")
	}
	if last.Cmp(bound.Rsh(bound, 3)) < 0 {
		t.Error("one window less is enough")
	}
	if jubjub.Order().Bit(0) == 0 {
		t.Error("l is even, so s - l has the parity of s")
	}
}

// The table holds the odd multiples of 8^i B.
func TestWindowTable(t *testing.T) {
	base := jubjub.Base()
	for i, entry := range windowTable() {
		for j := range entry {
			s := new(big.Int).Lsh(big.NewInt(int64(2*j+1)), uint(3*i))
			var p jubjub.Point
			p.ScalarMultiplication(&base, s)
			if p.X != field(entry[j][0]) || p.Y != field(entry[j][1]) {
				t.Fatalf("entry %d of window %d is another point", j, i)
			}
		}
	}
}
