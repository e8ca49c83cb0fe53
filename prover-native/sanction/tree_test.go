package sanction

import (
	"bytes"
	"errors"
	"math/big"
	"sort"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/hash"
)

var network = hash.NetworkTag{3}

func randomField() (e fr.Element) {
	e.MustSetRandom()
	return e
}

func randomKeys(n int) []Key {
	keys := make([]Key, n)
	for i := range keys {
		e := randomField()
		keys[i] = KeyOf(&e)
	}
	sort.Slice(keys, func(i, j int) bool { return bytes.Compare(keys[i][:], keys[j][:]) < 0 })
	return keys
}

func keyOf(x *big.Int) (k Key) {
	x.FillBytes(k[:])
	return k
}

func mustBuild(t testing.TB, keys []Key) *Tree {
	t.Helper()
	tree, err := Build(network, keys)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// naiveRoot hashes all 3^12 leaves of the definition for a sub-tree that starts at a position; empty ranges are memorised.
func naiveRoot(leaves []fr.Element, level, start int, empty map[int]fr.Element) fr.Element {
	if start >= len(leaves) {
		if e, ok := empty[level]; ok {
			return e
		}
	}
	if level == 0 {
		if start < len(leaves) {
			return leaves[start]
		}
		return fr.Element{}
	}
	width := 1
	for range level - 1 {
		width *= 3
	}
	var child [3]fr.Element
	for i := range child {
		child[i] = naiveRoot(leaves, level-1, start+i*width, empty)
	}
	node := hash.Node3(child[0], child[1], child[2])
	if start >= len(leaves) {
		empty[level] = node
	}
	return node
}

//spec:id O-13
func TestRootIsTheDefinition(t *testing.T) {
	h := hash.New(network)
	for _, n := range []int{0, 1, 2, 3, 7, 26, 27, 300} {
		keys := randomKeys(n)
		chain := append(append([]Key{{}}, keys...), HighSentinel())
		var leaves []fr.Element
		for i := range len(chain) - 1 {
			leaves = append(leaves, h.Leaf(chain[i].Element(), chain[i+1].Element()))
		}
		tree := mustBuild(t, keys)
		if tree.Root() != naiveRoot(leaves, Depth, 0, map[int]fr.Element{}) {
			t.Errorf("%d keys: another root", n)
		}
		if tree.Len() != n {
			t.Errorf("length %d, want %d", tree.Len(), n)
		}
	}
}

func TestPaths(t *testing.T) {
	h := hash.New(network)
	for _, n := range []int{0, 1, 5, 1000} {
		tree := mustBuild(t, randomKeys(n))
		root := tree.Root()
		for range 20 {
			apk := randomField()
			p, err := tree.Path(&apk)
			if err != nil {
				t.Fatal(err)
			}
			if !p.Verify(h, &apk, &root) {
				t.Error("an honest path does not verify")
			}
			assertPathIsBound(t, h, p, &apk, &root)
		}
	}
}

func assertPathIsBound(t *testing.T, h *hash.Hasher, p *Path, apk, root *fr.Element) {
	t.Helper()
	other := randomField()
	if p.Verify(h, apk, &other) {
		t.Error("another root verifies")
	}
	for name, change := range map[string]func(*Path){
		"low key":     func(q *Path) { q.Low[19]++ },
		"high key":    func(q *Path) { q.High[19]-- },
		"index":       func(q *Path) { q.Index = (q.Index + 1) % Capacity },
		"large index": func(q *Path) { q.Index += Capacity },
		"sibling":     func(q *Path) { q.Siblings[Depth-1][1] = other },
		"empty leaf":  func(q *Path) { q.Low, q.High = q.High, q.Low },
	} {
		q := *p
		change(&q)
		if q.Verify(h, apk, root) {
			t.Errorf("a path with another %s verifies", name)
		}
	}
}

func TestListedAddresses(t *testing.T) {
	apk := randomField()
	tree := mustBuild(t, []Key{KeyOf(&apk)})
	if _, err := tree.Path(&apk); !errors.Is(err, ErrListed) {
		t.Errorf("got %v", err)
	}
	// the same key with another low part
	x := apk.BigInt(new(big.Int))
	x.SetBit(x, 0, x.Bit(0)^1)
	var twin fr.Element
	twin.SetBigInt(x)
	if _, err := tree.Path(&twin); !errors.Is(err, ErrListed) {
		t.Errorf("same key: got %v", err)
	}
	// both sentinels count as listed
	low, high := fr.Element{}, fr.Element{}
	high.SetInt64(-1)
	for _, e := range []fr.Element{low, high} {
		if _, err := tree.Path(&e); !errors.Is(err, ErrListed) {
			t.Errorf("sentinel: got %v", err)
		}
	}
	neighbour := KeyOf(&apk)
	y := new(big.Int).SetBytes(neighbour[:])
	for _, d := range []int64{-1, 1} {
		var e fr.Element
		e.SetBigInt(new(big.Int).Lsh(new(big.Int).Add(y, big.NewInt(d)), LowBits))
		if _, err := tree.Path(&e); err != nil {
			t.Errorf("neighbour %+d: %v", d, err)
		}
	}
}

//spec:id O-13
func TestBuildRefuses(t *testing.T) {
	keys := randomKeys(5)
	with := func(change func(k []Key)) []Key {
		k := append([]Key(nil), keys...)
		change(k)
		return k
	}
	high := HighSentinel()
	above := new(big.Int).Add(new(big.Int).SetBytes(high[:]), big.NewInt(1))
	for name, tc := range map[string]struct {
		keys []Key
		want error
	}{
		"unsorted":               {with(func(k []Key) { k[1], k[2] = k[2], k[1] }), ErrOrder},
		"duplicate":              {with(func(k []Key) { k[3] = k[2] }), ErrDuplicate},
		"low sentinel":           {with(func(k []Key) { k[0] = Key{} }), ErrSentinel},
		"high sentinel":          {with(func(k []Key) { k[4] = high }), ErrSentinel},
		"above the high":         {with(func(k []Key) { k[4] = keyOf(above) }), ErrSentinel},
		"all ones":               {with(func(k []Key) { k[4] = Key(bytes.Repeat([]byte{0xff}, KeyBytes)) }), ErrSentinel},
		"more keys than a tree":  {make([]Key, Capacity), ErrFull},
		"low sentinel elsewhere": {with(func(k []Key) { k[2] = Key{} }), ErrSentinel},
	} {
		if _, err := Build(network, tc.keys); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", name, err, tc.want)
		}
	}
	for name, k := range map[string]Key{"1": keyOf(big.NewInt(1)), "below the high": keyOf(above.Sub(above, big.NewInt(2)))} {
		if _, err := Build(network, []Key{k}); err != nil {
			t.Errorf("key %s: %v", name, err)
		}
	}
}

// The tree does not change with the slice it was built from.
func TestBuildCopiesItsKeys(t *testing.T) {
	keys := randomKeys(3)
	tree := mustBuild(t, keys)
	apk := randomField()
	before, err := tree.Path(&apk)
	if err != nil {
		t.Fatal(err)
	}
	clear(keys)
	after, err := tree.Path(&apk)
	if err != nil || *before != *after {
		t.Error("the path changed with the caller's slice")
	}
}

func TestConstants(t *testing.T) {
	leaves := 1
	for range Depth {
		leaves *= 3
	}
	if leaves != Capacity || LowBits != 95 || KeyBytes*8+LowBits != fr.Bits {
		t.Error("the constants do not fit together")
	}
	// every address lies at or below the high sentinel
	top := new(big.Int).Sub(fr.Modulus(), big.NewInt(1))
	var e fr.Element
	e.SetBigInt(top)
	if KeyOf(&e) != HighSentinel() {
		t.Error("the key of r - 1 is not the high sentinel")
	}
}

// A full tree of 531,440 keys builds in seconds. The timeout of go test ends a build that hangs.
func TestFullTree(t *testing.T) {
	keys := make([]Key, Capacity-1)
	x, step := new(big.Int), new(big.Int).Lsh(big.NewInt(1), 137)
	for i := range keys {
		keys[i] = keyOf(x.Add(x, step))
	}
	start := time.Now()
	tree := mustBuild(t, keys)
	t.Logf("%d keys in %v", len(keys), time.Since(start))
	h, root := hash.New(network), tree.Root()
	for range 20 {
		apk := randomField()
		p, err := tree.Path(&apk)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Verify(h, &apk, &root) {
			t.Error("an honest path does not verify")
		}
	}
	last := new(big.Int).Lsh(x.Add(x, big.NewInt(1)), LowBits) // beyond the last key: the very last leaf
	var apk fr.Element
	apk.SetBigInt(last)
	if p, err := tree.Path(&apk); err != nil || p.Index != Capacity-1 || !p.Verify(h, &apk, &root) {
		t.Error("the last leaf has no path")
	}
}

func TestParallelRaisesAPanicInTheCaller(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the panic was lost")
		}
	}()
	parallel(10_000, func(i int) {
		if i == 7_777 {
			panic("failure")
		}
	})
}

func FuzzPath(f *testing.F) {
	tree := mustBuild(f, randomKeys(50))
	h, root := hash.New(network), tree.Root()
	f.Add([]byte{0})
	f.Add(bytes.Repeat([]byte{0xff}, fr.Bytes))
	f.Fuzz(func(t *testing.T, b []byte) {
		var apk fr.Element
		apk.SetBytes(b)
		if p, err := tree.Path(&apk); err == nil && !p.Verify(h, &apk, &root) {
			t.Error("a path that does not verify")
		}
	})
}
