package transfer

import (
	"bytes"
	"math/big"
	"sort"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/sanction"
)

// blockedKeys are the keys of a fixed list that stands behind every scenario. The first and the last one leave room beside the
// sentinels, so that there is a leaf below and above that of any other key.
var blockedKeys = sync.OnceValue(func() []sanction.Key {
	sentinel := sanction.HighSentinel()
	last := new(big.Int).SetBytes(sentinel[:])
	keys := []sanction.Key{keyOf(big.NewInt(2)), keyOf(last.Sub(last, big.NewInt(2)))}
	for range 200 {
		e := random()
		keys = append(keys, sanction.KeyOf(&e))
	}
	return keys
})

func keyOf(x *big.Int) (k sanction.Key) {
	x.FillBytes(k[:])
	return k
}

var commonTree = sync.OnceValue(func() *sanction.Tree { return treeOf(blockedKeys()) })

func treeOf(keys []sanction.Key) *sanction.Tree {
	keys = append([]sanction.Key(nil), keys...)
	sort.Slice(keys, func(i, j int) bool { return bytes.Compare(keys[i][:], keys[j][:]) < 0 })
	tree, err := sanction.Build(network, keys)
	if err != nil {
		panic(err)
	}
	return tree
}

// sanctions assigns both paths. For a listed address it assigns the leaf that starts at its key, the closest there is.
func (s *scenario) sanctions(t testing.TB, c *Circuit, w *Witness, d *derived) {
	d.tree = commonTree()
	if s.listed != nil {
		keys := blockedKeys()
		for _, apk := range s.listed(d) {
			keys = append(keys[:len(keys):len(keys)], sanction.KeyOf(&apk))
		}
		d.tree = treeOf(keys)
	}
	w.Public.Root = d.tree.Root()
	for i, apk := range []fr.Element{d.apk, d.recipient} {
		path, err := d.tree.Path(&apk)
		if err != nil {
			near := sum(apk, power(sanction.LowBits, 0))
			if path, err = d.tree.Path(&near); err != nil {
				t.Fatal(err)
			}
		}
		*[]*sanction.Path{&w.SenderPath, &w.RecipientPath}[i] = *path
		*[]*gadgets.Absence{&c.SenderOut, &c.ReceiverOut}[i] = gadgets.NewAbsence(&apk, path)
	}
}
