package gadgets

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/hash"
	"solidus.io/prover/sanction"
)

const keyBits = 8 * sanction.KeyBytes

// Absence shows that an address is not in the sanction tree.
type Absence struct {
	// LowKey and HighKey are the neighbours in the list. Key and Rest are the two parts of the address.
	LowKey, HighKey, Key, Rest frontend.Variable
	// Left and Right mark, on each level, a node that is the left or the right child. Neither is set for the middle child.
	Left, Right [sanction.Depth]frontend.Variable
	// Siblings are the other two children, left one first.
	Siblings [sanction.Depth][2]frontend.Variable
}

// NewAbsence assigns the path of an address.
func NewAbsence(apk *fr.Element, path *sanction.Path) Absence {
	full := apk.BigInt(new(big.Int))
	key := new(big.Int).Rsh(full, sanction.LowBits)
	a := Absence{
		LowKey:  path.Low.Element(),
		HighKey: path.High.Element(),
		Key:     key,
		Rest:    new(big.Int).Sub(full, new(big.Int).Lsh(key, sanction.LowBits)),
	}
	index := path.Index
	for level := range sanction.Depth {
		a.Left[level], a.Right[level] = 0, 0
		switch index % 3 {
		case 0:
			a.Left[level] = 1
		case 2:
			a.Right[level] = 1
		}
		a.Siblings[level] = [2]frontend.Variable{path.Siblings[level][0], path.Siblings[level][1]}
		index /= 3
	}
	return a
}

// Assert asserts it for an address and a root.
//
//spec:id G-08
func (a *Absence) Assert(api frontend.API, h *hash.Circuit, apk, root frontend.Variable) {
	shifted := api.Mul(a.Key, new(big.Int).Lsh(big.NewInt(1), sanction.LowBits))
	api.AssertIsEqual(apk, api.Add(shifted, a.Rest))
	AssertRange(api, a.Rest, sanction.LowBits)
	// strictly between; HighKey <= floor(r / 2^95) in an honest tree, so that key * 2^95 + rest < r without a further check
	AssertRange(api, api.Sub(a.Key, a.LowKey, 1), keyBits)
	AssertRange(api, api.Sub(a.HighKey, a.Key, 1), keyBits)
	node := h.Leaf(a.LowKey, a.HighKey)
	for level := range sanction.Depth {
		node = a.parent(api, h, level, node)
	}
	api.AssertIsEqual(node, root)
}

func (a *Absence) parent(api frontend.API, h *hash.Circuit, level int, node frontend.Variable) frontend.Variable {
	left, right, s := a.Left[level], a.Right[level], a.Siblings[level]
	api.AssertIsBoolean(left)
	api.AssertIsBoolean(right)
	api.AssertIsBoolean(api.Add(left, right)) // not both
	first := api.Select(left, node, s[0])
	last := api.Select(right, node, s[1])
	middle := api.Sub(api.Add(s[0], s[1], node), first, last)
	return h.Node3(first, middle, last)
}
