package sanction

import (
	"bytes"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/fuzztest"
)

// keysOf cuts bytes into keys and drops the rest.
func keysOf(raw []byte) []Key {
	keys := make([]Key, 0, len(raw)/KeyBytes)
	for ; len(raw) >= KeyBytes; raw = raw[KeyBytes:] {
		keys = append(keys, Key(raw[:KeyBytes]))
	}
	return keys
}

// FuzzBuild checks that an accepted list is strictly ascending and without sentinels, that the tree and the list agree on
// every address, and that its paths verify.
func FuzzBuild(f *testing.F) {
	ascending := append(append(make([]byte, 19), 1), append(make([]byte, 19), 2)...)
	high := HighSentinel()
	f.Add(ascending, []byte{1})
	f.Add(append(bytes.Clone(ascending), high[:]...), []byte{2})
	f.Add(append(bytes.Clone(ascending), ascending...), []byte{3})
	f.Add(make([]byte, KeyBytes), []byte{})
	f.Add([]byte{}, bytes.Repeat([]byte{0xff}, 32))
	f.Fuzz(func(t *testing.T, raw, address []byte) {
		keys := keysOf(raw)
		if len(keys) > 2000 {
			return // more of the same, and slow
		}
		var tree *Tree
		var err error
		fuzztest.Bounded(t, 8<<20+512*uint64(len(raw)), func() { tree, err = Build(network, keys) })
		if ordered(keys) != (err == nil) {
			t.Fatalf("%d keys, ordered: %v, built with %v", len(keys), ordered(keys), err)
		}
		if err != nil {
			if fault.CodeOf(err) == fault.Internal {
				t.Fatalf("a failure without a code: %v", err)
			}
			return
		}
		var apk fr.Element
		apk.SetBytes(address)
		checkAddress(t, tree, keys, &apk)
	})
}

func ordered(keys []Key) bool {
	previous, high := Key{}, HighSentinel()
	for _, k := range keys {
		if bytes.Compare(previous[:], k[:]) >= 0 || bytes.Compare(k[:], high[:]) >= 0 {
			return false
		}
		previous = k
	}
	return true
}

func checkAddress(t *testing.T, tree *Tree, keys []Key, apk *fr.Element) {
	t.Helper()
	key := KeyOf(apk)
	listed := key == (Key{}) || key == HighSentinel()
	for _, k := range keys {
		listed = listed || k == key
	}
	path, err := tree.Path(apk)
	if listed != (err != nil) {
		t.Fatalf("listed: %v, path: %v", listed, err)
	}
	if err != nil {
		return
	}
	root := tree.Root()
	if !path.Verify(tree.hasher, apk, &root) {
		t.Fatal("the path does not verify")
	}
	path.Index++
	if path.Verify(tree.hasher, apk, &root) {
		t.Fatal("the path verifies in another place")
	}
}
