package vectors

import (
	"math/big"
	"slices"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/sanction"
	"solidus.io/prover/suite"
)

const (
	treeDepth = 12
	keyShift  = 95
)

// rootOf is the root over sorted keys, level by level with a default for what is absent.
func rootOf(keys []*big.Int) *big.Int {
	all := append(append([]*big.Int{new(big.Int)}, keys...), new(big.Int).Rsh(r, keyShift))
	var level []*big.Int
	for i := range len(all) - 1 {
		level = append(level, hash(network, tagLeaf, new(big.Int), all[i], all[i+1]))
	}
	absent := new(big.Int)
	for range treeDepth {
		for len(level)%3 != 0 {
			level = append(level, absent)
		}
		var above []*big.Int
		for i := 0; i < len(level); i += 3 {
			above = append(above, node(level[i], level[i+1], level[i+2]))
		}
		level, absent = above, node(absent, absent, absent)
	}
	return level[0]
}

func keyOf(address *big.Int) *big.Int { return new(big.Int).Rsh(address, keyShift) }

func key(x *big.Int) []byte { return x.FillBytes(make([]byte, 20)) }

func listIn(keys []*big.Int) in {
	list := []string{}
	for _, k := range keys {
		list = append(list, hexOf(key(k)))
	}
	return in{"network": vectorNetwork, "keys": list}
}

func sampleKeys(n int) []*big.Int {
	var keys []*big.Int
	for i := range n {
		keys = append(keys, keyOf(draw("listed "+decimal(uint64(i)), r)))
	}
	slices.SortFunc(keys, (*big.Int).Cmp)
	return keys
}

//spec:id O-13
func TestSanction(t *testing.T) {
	f := &file{Name: "sanction", About: "root of a list of 20-byte keys; neighbours low || high of an address's key in the list"}
	for _, n := range []int{0, 1, 2, 3, 8, 9, 26, 27, 100} {
		keys := sampleKeys(n)
		f.good("root", decimal(uint64(n))+" keys", listIn(keys), field(rootOf(keys)))
	}
	limit := keyOf(r)
	edges := []*big.Int{big.NewInt(1), big.NewInt(2), new(big.Int).Sub(limit, big.NewInt(1))}
	f.good("root", "keys beside the sentinels", listIn(edges), field(rootOf(edges)))
	a, b := sampleKeys(2)[0], sampleKeys(2)[1]
	f.bad("root", "not sorted", listIn([]*big.Int{b, a}), fault.ListNotSorted)
	f.bad("root", "not sorted at the end", listIn([]*big.Int{a, b, a}), fault.ListNotSorted)
	f.bad("root", "duplicate", listIn([]*big.Int{a, a, b}), fault.ListDuplicate)
	f.bad("root", "low sentinel", listIn([]*big.Int{new(big.Int), a}), fault.ListSentinel)
	f.bad("root", "high sentinel", listIn([]*big.Int{a, limit}), fault.ListSentinel)
	f.bad("root", "above the high sentinel", listIn([]*big.Int{a, new(big.Int).Add(limit, big.NewInt(1))}), fault.ListSentinel)
	addNeighbours(f)
	f.sort()
	check(t, f, sanctionOperations)
}

func addNeighbours(f *file) {
	keys := sampleKeys(9)
	all := append(append([]*big.Int{new(big.Int)}, keys...), keyOf(r))
	add := func(name string, address *big.Int) {
		args := listIn(keys)
		args["apk"] = hexOf(field(address))
		k := keyOf(address)
		i, listed := slices.BinarySearchFunc(all, k, (*big.Int).Cmp)
		if listed {
			f.bad("neighbours", name, args, fault.Listed)
			return
		}
		f.good("neighbours", name, args, append(key(all[i-1]), key(all[i])...))
	}
	lift := func(k *big.Int, low int64) *big.Int {
		x := new(big.Int).Lsh(k, keyShift)
		return x.Add(x, big.NewInt(low))
	}
	for i := range 5 {
		add("ordinary "+decimal(uint64(i)), draw("address "+decimal(uint64(i)), r))
	}
	add("just below a listed key", new(big.Int).Sub(lift(keys[4], 0), big.NewInt(1)))
	add("just above a listed key", lift(new(big.Int).Add(keys[4], big.NewInt(1)), 0))
	add("listed", lift(keys[4], 0))
	add("listed by its leading bits", lift(keys[0], 12345))
	add("key zero", big.NewInt(12345))
	add("largest address", new(big.Int).Sub(r, big.NewInt(1)))
}

func (a args) tree() (*sanction.Tree, error) {
	var keys []sanction.Key
	for _, b := range a.list("keys") {
		keys = append(keys, sanction.Key(b))
	}
	return sanction.Build(a.network().Tag(), keys)
}

var sanctionOperations = map[string]operation{
	"root": func(a args) ([]byte, error) {
		tree, err := a.tree()
		if err != nil {
			return nil, err
		}
		root := tree.Root()
		return suite.EncodeField(&root), nil
	},
	"neighbours": func(a args) ([]byte, error) {
		tree, err := a.tree()
		if err != nil {
			return nil, err
		}
		apk, root := a.field("apk"), tree.Root()
		path, err := tree.Path(&apk)
		if err != nil {
			return nil, err
		}
		if !path.Verify(a.network().Hasher(), &apk, &root) {
			a.t.Error("the path does not lead to the root")
		}
		return append(path.Low[:], path.High[:]...), nil
	},
}
