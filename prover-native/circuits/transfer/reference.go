package transfer

import (
	"fmt"
	"math/big"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bls12-377/fp"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"

	"solidus.io/prover/gadgets"
)

// The reference reads an assignment as integers in [0, p) and shares no constraint code with the circuit: what it needs
// of the gadgets' encodings it decodes itself.

// seed is the parameter x of BLS12-377; lambda = x^2 - 1 is the eigenvalue of the endomorphism.
var referenceLambda = func() *big.Int {
	x := new(big.Int).SetUint64(0x8508c00000000001)
	return x.Mul(x, x).Sub(x, big.NewInt(1))
}()

// integer reads an assigned variable.
func integer(v frontend.Variable) *big.Int {
	var x big.Int
	switch v := v.(type) {
	case fr.Element:
		v.BigInt(&x)
	case fp.Element:
		v.BigInt(&x)
	case *big.Int:
		x.Mod(v, fr.Modulus())
	case big.Int:
		x.Mod(&v, fr.Modulus())
	case uint64:
		x.SetUint64(v)
	case uint32:
		x.SetUint64(uint64(v))
	case int:
		x.Mod(big.NewInt(int64(v)), fr.Modulus())
	default:
		panic(fmt.Sprintf("transfer: variable of type %T is not assigned", v))
	}
	return &x
}

func element(v frontend.Variable) (e fr.Element) {
	e.SetBigInt(integer(v))
	return e
}

// uintOf reads a value of at most n <= 64 bits.
func uintOf(v frontend.Variable, n int) (uint64, bool) {
	x := integer(v)
	if x.BitLen() > n {
		return 0, false
	}
	return x.Uint64(), true
}

// boolOf reads a 0 or a 1.
func boolOf(v frontend.Variable) (value, ok bool) {
	x, ok := uintOf(v, 1)
	return x == 1, ok
}

// pointOf reads a point and checks what a validator checks of every point: on the curve, in G1, not O.
func pointOf(p sw.G1Affine) (*bls12377.G1Affine, bool) {
	var q bls12377.G1Affine
	q.X.SetBigInt(integer(p.X))
	q.Y.SetBigInt(integer(p.Y))
	return &q, !q.IsInfinity() && q.IsInSubGroup()
}

// windowScalar is G-03; it fails where something is not a bit.
func windowScalar(w *gadgets.Windows) (*big.Int, bool) {
	sum, power := new(big.Int), big.NewInt(1)
	for i := 0; i < len(w); i += 3 {
		low, ok0 := boolOf(w[i])
		high, ok1 := boolOf(w[i+1])
		negative, ok2 := boolOf(w[i+2])
		if !ok0 || !ok1 || !ok2 {
			return nil, false
		}
		digit := int64(1 + 2*bit(low) + 4*bit(high))
		if negative {
			digit = -digit
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(digit), power))
		power.Lsh(power, 3)
	}
	return sum.Mod(sum, blsfr.Modulus()), true
}

// exponentOf is m of G-06 and whether both halves are in range.
func exponentOf(o *gadgets.Opening) (*big.Int, bool) {
	low, high := integer(o.Low), integer(o.High)
	m := new(big.Int).Mul(high, referenceLambda)
	return m.Add(m, low), low.BitLen() <= 127 && high.BitLen() <= 127
}

// linked is G-06: hm = q r + m over the integers with q < 2^124.
func linked(o *gadgets.Opening, message fr.Element) bool {
	m, _ := exponentOf(o)
	sum := new(big.Int).Mul(integer(o.Quotient), blsfr.Modulus())
	return sum.Add(sum, m).Cmp(message.BigInt(new(big.Int))) == 0
}

// opens is G-07: point = m base + b g1, all of it in range.
func opens(o *gadgets.Opening, base, point *bls12377.G1Affine) bool {
	m, inRange := exponentOf(o)
	b, isScalar := windowScalar(&o.Blind)
	if !inRange || !isScalar {
		return false
	}
	var sum, shift bls12377.G1Affine
	sum.ScalarMultiplication(base, m.Mod(m, blsfr.Modulus()))
	shift.ScalarMultiplicationBase(b)
	sum.Add(&sum, &shift)
	return sum.Equal(point)
}
