package gadgets

import (
	"bytes"
	"math/big"
	"sort"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/hash"
	"solidus.io/prover/internal/circuittest"
	"solidus.io/prover/sanction"
)

var testNetwork = hash.NetworkTag{7}

type absenceCircuit struct {
	Apk     frontend.Variable
	Absence Absence
	Root    frontend.Variable `gnark:",public"`
}

func (c *absenceCircuit) Define(api frontend.API) error {
	c.Absence.Assert(api, hash.NewCircuit(api, testNetwork), c.Apk, c.Root)
	return nil
}

func randomField() (e fr.Element) {
	e.MustSetRandom()
	return e
}

func field(x *big.Int) (e fr.Element) {
	e.SetBigInt(x)
	return e
}

// toInt reads an assigned variable.
func toInt(v frontend.Variable) *big.Int {
	var e fr.Element
	if _, err := e.SetInterface(v); err != nil {
		panic(err)
	}
	return e.BigInt(new(big.Int))
}

func buildTree(t *testing.T, addresses ...fr.Element) *sanction.Tree {
	t.Helper()
	keys := make([]sanction.Key, len(addresses))
	for i := range addresses {
		keys[i] = sanction.KeyOf(&addresses[i])
	}
	sort.Slice(keys, func(i, j int) bool { return bytes.Compare(keys[i][:], keys[j][:]) < 0 })
	tree, err := sanction.Build(testNetwork, keys)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func randomTree(t *testing.T, n int) *sanction.Tree {
	addresses := make([]fr.Element, n)
	for i := range addresses {
		addresses[i] = randomField()
	}
	return buildTree(t, addresses...)
}

func absenceAssignment(t *testing.T, tree *sanction.Tree, apk fr.Element) *absenceCircuit {
	t.Helper()
	path, err := tree.Path(&apk)
	if err != nil {
		t.Fatal(err)
	}
	return &absenceCircuit{Apk: apk, Absence: NewAbsence(&apk, path), Root: tree.Root()}
}

// fromKey is an address with the given key and low part.
func fromKey(key *big.Int, rest int64) (e fr.Element) {
	x := new(big.Int).Lsh(key, sanction.LowBits)
	e.SetBigInt(x.Add(x, big.NewInt(rest)))
	return e
}

func highKey() *big.Int {
	k := sanction.HighSentinel()
	return new(big.Int).SetBytes(k[:])
}

//spec:id G-08
func TestAbsence(t *testing.T) {
	s := circuittest.Compile(t, &absenceCircuit{})
	if got := s.GetNbConstraints(); got != 3600 {
		t.Errorf("%d constraints, want 3600", got)
	}
	for _, n := range []int{0, 1, 2, 3, 8, 40} { // the empty list has one leaf, between the sentinels
		tree := randomTree(t, n)
		for range 3 {
			c := absenceAssignment(t, tree, randomField())
			s.Accepts(t, c)
			if free := s.Undetermined(t, c); len(free) != 0 {
				t.Errorf("undetermined wires %v", free)
			}
		}
	}
}

// The neighbours of listed keys and of the sentinels, and the low part at its borders.
func TestAbsenceAtTheBorders(t *testing.T) {
	s := circuittest.Compile(t, &absenceCircuit{})
	key := new(big.Int).SetBytes([]byte("a key in the middle"))
	tree := buildTree(t, fromKey(key, 0))
	one := big.NewInt(1)
	lowTop := new(big.Int).Lsh(one, sanction.LowBits)
	for name, apk := range map[string]fr.Element{
		"key - 1":              fromKey(new(big.Int).Sub(key, one), 0),
		"key + 1":              fromKey(new(big.Int).Add(key, one), 0),
		"key 1":                fromKey(one, 0),
		"below the high limit": fromKey(new(big.Int).Sub(highKey(), one), 0),
		"largest low part":     field(new(big.Int).Sub(new(big.Int).Lsh(new(big.Int).Add(key, big.NewInt(2)), sanction.LowBits), one)),
	} {
		t.Run(name, func(t *testing.T) { s.Accepts(t, absenceAssignment(t, tree, apk)) })
	}
	for name, apk := range map[string]fr.Element{
		"listed":                       fromKey(key, 0),
		"listed with another low part": fromKey(key, 99),
		"listed with the largest":      field(new(big.Int).Sub(new(big.Int).Lsh(new(big.Int).Add(key, one), sanction.LowBits), one)),
		"low sentinel":                 {},
		"low sentinel with a low part": field(new(big.Int).Sub(lowTop, one)),
		"high sentinel":                fromKey(highKey(), 0),
		"-1, beyond the high sentinel": field(big.NewInt(-1)),
	} {
		t.Run(name, func(t *testing.T) {
			for _, at := range []int64{-1, 0, 1} { // the leaves around it
				near := new(big.Int).Rsh(apk.BigInt(new(big.Int)), sanction.LowBits)
				neighbour := fromKey(near.Add(near, big.NewInt(at)), 0)
				path, err := tree.Path(&neighbour)
				if err != nil {
					continue
				}
				s.Refuses(t, &absenceCircuit{Apk: apk, Absence: NewAbsence(&apk, path), Root: tree.Root()})
			}
		})
	}
}

//spec:id G-08
func TestAbsenceRefusals(t *testing.T) {
	s := circuittest.Compile(t, &absenceCircuit{})
	tree := randomTree(t, 30)
	honest := absenceAssignment(t, tree, randomField())
	key, rest := toInt(honest.Absence.Key), toInt(honest.Absence.Rest)
	full := new(big.Int).Lsh(key, sanction.LowBits)
	full.Add(full, rest).Add(full, fr.Modulus())
	wrappedKey := new(big.Int).Rsh(full, sanction.LowBits)
	step := new(big.Int).Lsh(big.NewInt(1), sanction.LowBits)

	wrong := map[string]frontend.Circuit{}
	change := func(name string, f func(c *absenceCircuit)) {
		c := *honest
		f(&c)
		wrong[name] = &c
	}
	change("another root", func(c *absenceCircuit) { c.Root = randomField() })
	change("another address", func(c *absenceCircuit) { c.Apk = randomField() })
	change("made-up leaf", func(c *absenceCircuit) {
		c.Absence.LowKey, c.Absence.HighKey = new(big.Int).Sub(key, big.NewInt(1)), new(big.Int).Add(key, big.NewInt(1))
	})
	change("low = high", func(c *absenceCircuit) { c.Absence.LowKey = c.Absence.HighKey })
	change("low and high exchanged", func(c *absenceCircuit) {
		c.Absence.LowKey, c.Absence.HighKey = c.Absence.HighKey, c.Absence.LowKey
	})
	change("leaf elsewhere", func(c *absenceCircuit) {
		for {
			apk := randomField()
			other := absenceAssignment(t, tree, apk)
			if toInt(other.Absence.LowKey).Cmp(toInt(c.Absence.LowKey)) != 0 {
				other.Absence.Key, other.Absence.Rest = c.Absence.Key, c.Absence.Rest
				c.Absence = other.Absence
				return
			}
		}
	})
	change("address + r", func(c *absenceCircuit) {
		c.Absence.Key, c.Absence.Rest = wrappedKey, new(big.Int).Sub(full, new(big.Int).Lsh(wrappedKey, sanction.LowBits))
	})
	change("key - 1, low part + 2^95", func(c *absenceCircuit) {
		c.Absence.Key, c.Absence.Rest = new(big.Int).Sub(key, big.NewInt(1)), new(big.Int).Add(rest, step)
	})
	change("key + 1, low part - 2^95", func(c *absenceCircuit) {
		c.Absence.Key, c.Absence.Rest = new(big.Int).Add(key, big.NewInt(1)), new(big.Int).Sub(rest, step)
	})
	change("flag 2", func(c *absenceCircuit) { c.Absence.Left[5] = 2 })
	change("flag -1", func(c *absenceCircuit) { c.Absence.Right[5] = -1 })
	change("both flags", func(c *absenceCircuit) { c.Absence.Left[0], c.Absence.Right[0] = 1, 1 })
	change("another position", func(c *absenceCircuit) {
		c.Absence.Left[11] = 1 - c.Absence.Left[11].(int)
		c.Absence.Right[11] = 0
	})
	change("another sibling", func(c *absenceCircuit) { c.Absence.Siblings[4][1] = randomField() })
	for name, c := range wrong {
		if _, err := s.Solve(t, c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	s.DishonestHints(t, honest, wrong)
}

// An unused leaf is the field element 0, which is not the hash of any leaf: a path to it shows nothing.
func TestAbsenceInAnUnusedLeaf(t *testing.T) {
	s := circuittest.Compile(t, &absenceCircuit{})
	tree := randomTree(t, 2)
	c := absenceAssignment(t, tree, randomField())
	for i := range c.Absence.Left { // the last leaf of all
		c.Absence.Left[i], c.Absence.Right[i] = 0, 1
	}
	key := toInt(c.Absence.Key)
	c.Absence.LowKey, c.Absence.HighKey = new(big.Int).Sub(key, big.NewInt(1)), new(big.Int).Add(key, big.NewInt(1))
	s.Refuses(t, c)
}

// A tree with a duplicate key, which Build refuses, would have a leaf (k, k): no key lies strictly between.
func TestAbsenceInADuplicateLeaf(t *testing.T) {
	s := circuittest.Compile(t, &absenceCircuit{})
	apk := randomField()
	key := sanction.KeyOf(&apk)
	node := hash.New(testNetwork).Leaf(key.Element(), key.Element())
	path := &sanction.Path{Low: key, High: key}
	for level := range path.Siblings {
		node = hash.Node3(node, path.Siblings[level][0], path.Siblings[level][1])
	}
	s.Refuses(t, &absenceCircuit{Apk: apk, Absence: NewAbsence(&apk, path), Root: node})
}
