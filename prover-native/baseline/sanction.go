package baseline

import (
	"errors"
	"math/big"
	"sort"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark/frontend"
)

// Depth of the sanction tree: room for 2^20 addresses.
const Depth = 20

// Membership shows two neighbouring leaves around an address.
type Membership struct {
	Lo, Hi         frontend.Variable
	Index          frontend.Variable // of Lo
	PathLo, PathHi [Depth]frontend.Variable
}

// assertAbsent asserts that the key lies strictly between two neighbours. The comparisons are strict on canonical integers; writing them
// as lo + 1 <= key would wrap for lo = p - 1 and let two unused leaves surround anything.
//
//spec:id B-11
func (m *Membership) assertAbsent(api frontend.API, h *hasher, key, root frontend.Variable) {
	lo := api.ToBinary(m.Index, Depth)
	hi := api.ToBinary(api.Add(m.Index, 1), Depth)
	api.AssertIsEqual(climb(api, h, m.Lo, lo, m.PathLo[:]), root)
	api.AssertIsEqual(climb(api, h, m.Hi, hi, m.PathHi[:]), root)
	api.AssertIsLessOrEqual(m.Lo, key)
	api.AssertIsDifferent(m.Lo, key)
	api.AssertIsLessOrEqual(key, m.Hi)
	api.AssertIsDifferent(m.Hi, key)
}

func climb(api frontend.API, h *hasher, leaf frontend.Variable, right, path []frontend.Variable) frontend.Variable {
	node := leaf
	for i := range path {
		l := api.Select(right[i], path[i], node)
		node = h.sum(l, api.Sub(api.Add(path[i], node), l))
	}
	return node
}

// sanctionTree is the sorted list in a sparse binary tree.
type sanctionTree struct {
	keys   []*big.Int // sorted, with both sentinels
	levels [Depth + 1]map[int]fr.Element
	unused [Depth + 1]fr.Element
}

func newSanctionTree(listed []fr.Element) *sanctionTree {
	top := new(big.Int).Sub(fr.Modulus(), big.NewInt(1))
	t := &sanctionTree{keys: []*big.Int{new(big.Int), top}}
	for i := range listed {
		t.keys = append(t.keys, listed[i].BigInt(new(big.Int)))
	}
	sort.Slice(t.keys, func(i, j int) bool { return t.keys[i].Cmp(t.keys[j]) < 0 })

	t.levels[0] = make(map[int]fr.Element, len(t.keys))
	for i, k := range t.keys {
		var e fr.Element
		t.levels[0][i] = *e.SetBigInt(k)
	}
	t.unused[0].SetBigInt(top)
	for d := 0; d < Depth; d++ {
		t.unused[d+1] = hashOf(t.unused[d], t.unused[d])
		t.levels[d+1] = make(map[int]fr.Element, len(t.levels[d])/2+1)
		for i := range t.levels[d] {
			t.levels[d+1][i/2] = hashOf(t.at(d, i&^1), t.at(d, i|1))
		}
	}
	return t
}

func (t *sanctionTree) at(level, i int) fr.Element {
	if e, ok := t.levels[level][i]; ok {
		return e
	}
	return t.unused[level]
}

func (t *sanctionTree) root() fr.Element { return t.at(Depth, 0) }

func (t *sanctionTree) path(i int) (p [Depth]frontend.Variable) {
	for d := range p {
		p[d] = t.at(d, i^1)
		i >>= 1
	}
	return p
}

// around returns the neighbours of an address. For a listed address there are none; the
// witness then starts at the address itself, and the circuit must refuse it.
func (t *sanctionTree) around(address fr.Element) (Membership, error) {
	k := address.BigInt(new(big.Int))
	i := sort.Search(len(t.keys), func(i int) bool { return t.keys[i].Cmp(k) > 0 }) - 1
	if i+1 >= len(t.keys) {
		return Membership{}, errors.New("baseline: address beyond the last sentinel")
	}
	return Membership{
		Lo: t.at(0, i), Hi: t.at(0, i+1), Index: i,
		PathLo: t.path(i), PathHi: t.path(i + 1),
	}, nil
}
