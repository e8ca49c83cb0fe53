package hash

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"golang.org/x/crypto/sha3"
)

// referencePoseidon is the permutation written down a second time, in integers and from the paper: the field from the seed of
// BLS12-377, the round keys from Keccak, the matrices as matrices. It shares nothing with the library but these definitions.
type referencePoseidon struct {
	p    *big.Int
	keys [][]*big.Int
}

func newReferencePoseidon() *referencePoseidon {
	// p = (x - 1)^2 (x^4 - x^2 + 1) / 3 + x for x = 0x8508c00000000001
	x := new(big.Int).SetUint64(0x8508c00000000001)
	x2 := new(big.Int).Mul(x, x)
	p := new(big.Int).Mul(x2, x2)
	p.Sub(p, x2).Add(p, big.NewInt(1))
	x1 := new(big.Int).Sub(x, big.NewInt(1))
	p.Mul(p, x1).Mul(p, x1).Div(p, big.NewInt(3)).Add(p, x)

	r := &referencePoseidon{p: p}
	seed := keccak([]byte(fmt.Sprintf("Poseidon2-BW6_761[t=%d,rF=%d,rP=%d,d=%d]", 3, 8, 56, 5)))
	for round := range 64 {
		width := 3
		if round >= 4 && round < 60 {
			width = 1
		}
		var keys []*big.Int
		for range width {
			seed = keccak(seed)
			keys = append(keys, new(big.Int).SetBytes(seed))
		}
		r.keys = append(r.keys, keys)
	}
	return r
}

func keccak(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	h.Write(b)
	return h.Sum(nil)
}

func (r *referencePoseidon) multiply(m [3][3]int64, s [3]*big.Int) (out [3]*big.Int) {
	for i := range out {
		out[i] = new(big.Int)
		for j := range s {
			out[i].Add(out[i], new(big.Int).Mul(big.NewInt(m[i][j]), s[j]))
		}
		out[i].Mod(out[i], r.p)
	}
	return out
}

func (r *referencePoseidon) permute(s [3]*big.Int) [3]*big.Int {
	outer := [3][3]int64{{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}
	inner := [3][3]int64{{2, 1, 1}, {1, 2, 1}, {1, 1, 3}}
	s = r.multiply(outer, s)
	for _, keys := range r.keys {
		for i, key := range keys { // full rounds have three keys, partial rounds one
			x := new(big.Int).Add(s[i], key)
			s[i] = x.Exp(x, big.NewInt(5), r.p)
		}
		if len(keys) == 3 {
			s = r.multiply(outer, s)
		} else {
			s = r.multiply(inner, s)
		}
	}
	return s
}

func bigOf(e fr.Element) *big.Int { return e.BigInt(new(big.Int)) }

//spec:id E-09
func TestPermutationAgainstReference(t *testing.T) {
	r := newReferencePoseidon()
	if r.p.Cmp(fr.Modulus()) != 0 {
		t.Fatal("another field")
	}
	for i := range 20 {
		var in [3]fr.Element
		if i > 0 { // first the zero state
			for j := range in {
				in[j].MustSetRandom()
			}
		}
		want := r.permute([3]*big.Int{bigOf(in[0]), bigOf(in[1]), bigOf(in[2])})
		got := in
		permute(&got)
		for j := range got {
			if bigOf(got[j]).Cmp(want[j]) != 0 {
				t.Fatalf("lane %d differs", j)
			}
		}
		node := new(big.Int).Add(want[0], bigOf(in[0]))
		if bigOf(Node3(in[0], in[1], in[2])).Cmp(node.Mod(node, r.p)) != 0 {
			t.Fatal("Node3 differs")
		}
	}
}

// The sponge, once with an odd number of inputs over two permutations and packed integers.
//
//spec:id E-08
func TestSpongeAgainstReference(t *testing.T) {
	r, net := newReferencePoseidon(), testNetwork(t)
	c := &Compliance{fr.NewElement(11), fr.NewElement(12), 1<<32 - 1, 1<<64 - 1, 7, 1<<64 - 1, fr.NewElement(13)}

	lane0 := new(big.Int).SetBytes(net[:])
	lane0.Lsh(lane0, 8).Add(lane0, big.NewInt(4)).Lsh(lane0, 192)
	packed := big.NewInt(1<<32 - 1)                                     // period
	packed.Lsh(packed, 64).Add(packed, new(big.Int).SetUint64(1<<64-1)) // sent
	packed.Lsh(packed, 32).Add(packed, big.NewInt(7))                   // count
	packed.Lsh(packed, 64).Add(packed, new(big.Int).SetUint64(1<<64-1)) // held
	state := r.permute([3]*big.Int{lane0.Add(lane0, packed), big.NewInt(11), big.NewInt(12)})
	state[1].Add(state[1], big.NewInt(13))
	state = r.permute(state)
	if got := New(net).Compliance(c); bigOf(got).Cmp(state[1]) != 0 {
		t.Error("the sponge differs")
	}
}
