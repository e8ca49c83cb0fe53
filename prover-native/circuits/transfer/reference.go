package transfer

import (
	"fmt"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/jubjub"
)

// The reference reads an assignment as integers in [0, r). It shares no constraint code with the circuit and decodes the
// encodings of the gadgets itself.

// integer reads an assigned variable.
func integer(v frontend.Variable) *big.Int {
	var x big.Int
	switch v := v.(type) {
	case fr.Element:
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
	return sum.Mod(sum, jubjub.Order()), true
}
