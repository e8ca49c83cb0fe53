package sanction

import (
	"bytes"
	"math/big"
	"sort"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

const (
	// Depth is the height of the tree.
	Depth = 12
	// Capacity is the number of leaves, 3^Depth; one leaf more than keys is used.
	Capacity = 531441
	// KeyBytes is the length of a key.
	KeyBytes = 20
	// LowBits is the number of address bits below the key.
	LowBits = fr.Bits - 8*KeyBytes
)

// Errors of [Build] and [Tree.Path]. errors.Is matches them by code.
var (
	ErrListed    error = fault.New(fault.Listed, "")
	ErrFull      error = fault.New(fault.ListTooLarge, "")
	ErrOrder     error = fault.New(fault.ListNotSorted, "")
	ErrDuplicate error = fault.New(fault.ListDuplicate, "")
	ErrSentinel  error = fault.New(fault.ListSentinel, "")
)

// Key is the comparison key of an address, big endian.
type Key [KeyBytes]byte

// Path proves that an address is not listed: the two keys next to it, and the path from their leaf to the root.
type Path struct {
	Low, High Key
	// Index is the number of the leaf. Its base-3 digits, lowest first, are the positions on the path.
	Index uint32
	// Siblings are the other two children on each level, left one first.
	Siblings [Depth][2]fr.Element
}

// Tree is the tree of a list. It is immutable and safe for concurrent use.
type Tree struct {
	hasher *hash.Hasher
	keys   []Key
	// levels[0] are the leaves, levels[Depth] is the root. Positions beyond the end of a level have the value
	// defaults[level].
	levels   [Depth + 1][]fr.Element
	defaults [Depth + 1]fr.Element
}

// KeyOf returns the comparison key of an address.
func KeyOf(apk *fr.Element) Key {
	var k Key
	v := apk.BigInt(new(big.Int))
	v.Rsh(v, LowBits).FillBytes(k[:])
	return k
}

// HighSentinel returns floor(r / 2^95).
func HighSentinel() Key {
	var k Key
	new(big.Int).Rsh(fr.Modulus(), LowBits).FillBytes(k[:])
	return k
}

// Element returns the key as a field element.
func (k Key) Element() fr.Element {
	var e fr.Element
	e.SetBytes(k[:])
	return e
}

// Build makes the tree of a sorted list of distinct keys.
//
//spec:id O-13
func Build(net hash.NetworkTag, keys []Key) (*Tree, error) {
	if err := checkKeys(keys); err != nil {
		return nil, err
	}
	t := &Tree{hasher: hash.New(net), keys: append([]Key(nil), keys...)}
	t.buildLeaves()
	for level := range Depth {
		d := t.defaults[level]
		t.defaults[level+1] = hash.Node3(d, d, d)
		t.buildLevel(level)
	}
	return t, nil
}

func checkKeys(keys []Key) error {
	if len(keys) > Capacity-1 {
		return ErrFull
	}
	previous, high := Key{}, HighSentinel()
	for i := range keys {
		order := bytes.Compare(previous[:], keys[i][:])
		switch {
		case keys[i] == (Key{}) || bytes.Compare(keys[i][:], high[:]) >= 0:
			return fault.Newf(fault.ListSentinel, "position %d", i)
		case order == 0:
			return fault.Newf(fault.ListDuplicate, "position %d", i)
		case order > 0:
			return fault.Newf(fault.ListNotSorted, "position %d", i)
		}
		previous = keys[i]
	}
	return nil
}

// neighbour returns key i of the list with its sentinels.
func (t *Tree) neighbour(i int) Key {
	switch {
	case i == 0:
		return Key{}
	case i > len(t.keys):
		return HighSentinel()
	default:
		return t.keys[i-1]
	}
}

func (t *Tree) buildLeaves() {
	leaves := make([]fr.Element, len(t.keys)+1)
	parallel(len(leaves), func(i int) {
		leaves[i] = t.hasher.Leaf(t.neighbour(i).Element(), t.neighbour(i+1).Element())
	})
	t.levels[0] = leaves
}

func (t *Tree) buildLevel(level int) {
	above := make([]fr.Element, (len(t.levels[level])+2)/3)
	parallel(len(above), func(i int) {
		above[i] = hash.Node3(t.at(level, 3*i), t.at(level, 3*i+1), t.at(level, 3*i+2))
	})
	t.levels[level+1] = above
}

func (t *Tree) at(level, i int) fr.Element {
	if i < len(t.levels[level]) {
		return t.levels[level][i]
	}
	return t.defaults[level]
}

// Root returns the root of the tree.
func (t *Tree) Root() fr.Element { return t.levels[Depth][0] }

// Len returns the number of keys.
func (t *Tree) Len() int { return len(t.keys) }

// Path returns the proof that an address is not listed, or ErrListed when it is.
func (t *Tree) Path(apk *fr.Element) (*Path, error) {
	key, high := KeyOf(apk), HighSentinel()
	i := sort.Search(len(t.keys), func(i int) bool { return bytes.Compare(t.keys[i][:], key[:]) >= 0 })
	if key == (Key{}) || key == high || i < len(t.keys) && t.keys[i] == key {
		return nil, ErrListed
	}
	p := &Path{Low: t.neighbour(i), High: t.neighbour(i + 1), Index: uint32(i)}
	for level := range Depth {
		first, sibling := i/3*3, 0
		for j := first; j < first+3; j++ {
			if j != i {
				p.Siblings[level][sibling] = t.at(level, j)
				sibling++
			}
		}
		i /= 3
	}
	return p, nil
}

// Verify checks a path natively: the keys surround the address, and their leaf leads to the root.
func (p *Path) Verify(h *hash.Hasher, apk, root *fr.Element) bool {
	key := KeyOf(apk)
	if bytes.Compare(p.Low[:], key[:]) >= 0 || bytes.Compare(key[:], p.High[:]) >= 0 || p.Index >= Capacity {
		return false
	}
	node := h.Leaf(p.Low.Element(), p.High.Element())
	index := p.Index
	for level := range Depth {
		s := p.Siblings[level]
		switch index % 3 {
		case 0:
			node = hash.Node3(node, s[0], s[1])
		case 1:
			node = hash.Node3(s[0], node, s[1])
		default:
			node = hash.Node3(s[0], s[1], node)
		}
		index /= 3
	}
	return node.Equal(root)
}
