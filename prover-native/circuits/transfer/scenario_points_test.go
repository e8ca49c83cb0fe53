package transfer

import (
	"bytes"
	"sort"
	"sync"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	blsfr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"

	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/sanction"
)

// points makes commitments, blinded and shown points. Signatures are outside the circuit, so h' may be any point of G1.
func (s *scenario) points(t testing.TB, h *hash.Hasher, c *Circuit, w *Witness, d *derived) {
	for i := range d.blinds {
		d.blinds[i] = randomScalar()
	}
	for j, n := range []string{"0", "1"} {
		w.S[j], w.B[j] = random(), d.blinds[j]
		out := &w.Public.Out[j]
		out.Cm = s.derive("cm"+n, h.Commit(w.S[j], d.messages[j]))
		base, err := h.CoinBase(&out.Cm, &w.Public.D)
		if err != nil {
			t.Fatal(err)
		}
		out.H = base
		out.K, c.NewOpening[j] = openPoint(t, &base, &d.messages[j], &d.blinds[j])
	}
	w.ShowCcBlind, w.ShowBlind = d.blinds[2], [2]blsfr.Element{d.blinds[3], d.blinds[4]}
	shown := []*Shown{&w.Public.ShowCc, &w.Public.Show[0], &w.Public.Show[1]}
	openings := []*gadgets.Opening{&c.CcOpening, &c.InOpening[0], &c.InOpening[1]}
	for i := range shown {
		x, message := randomScalar(), d.messages[2+i]
		if i > 0 && s.dummy[i-1] == 1 {
			message = d.messages[2] // a dummy shows the compliance signature once more
		}
		shown[i].H = timesBase(&x)
		shown[i].M, *openings[i] = openPoint(t, &shown[i].H, &message, &d.blinds[2+i])
	}
}

func openPoint(t testing.TB, base *bls12377.G1Affine, message *fr.Element, blind *blsfr.Element) (bls12377.G1Affine, gadgets.Opening) {
	o, err := gadgets.NewOpening(message, blind)
	if err != nil {
		t.Fatal(err)
	}
	m, err := gadgets.Exponent(message)
	if err != nil {
		t.Fatal(err)
	}
	point, shift := times(base, &m), timesBase(blind)
	point.Add(&point, &shift)
	return point, o
}

// blockedKeys are the keys of a fixed list that stands behind every scenario.
var blockedKeys = sync.OnceValue(func() []sanction.Key {
	keys := make([]sanction.Key, 200)
	for i := range keys {
		e := random()
		keys[i] = sanction.KeyOf(&e)
	}
	return keys
})

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
