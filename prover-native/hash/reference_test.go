package hash

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// referencePoseidon is the permutation written down a second time, in integers and from the papers: the field from the seed of
// BLS12-381, the round keys from a Grain LFSR over strings, the matrices as matrices. It shares no code with the package.
type referencePoseidon struct {
	p    *big.Int
	keys [][]*big.Int
}

func newReferencePoseidon() *referencePoseidon {
	// p = x^4 - x^2 + 1 for x = 0xd201000000010000
	x := new(big.Int).SetUint64(0xd201000000010000)
	x2 := new(big.Int).Mul(x, x)
	p := new(big.Int).Mul(x2, x2)
	p.Sub(p, x2).Add(p, big.NewInt(1))

	r := &referencePoseidon{p: p}
	draw := referenceGrain(fmt.Sprintf("%02b%04b%012b%012b%010b%010b%s", 1, 0, 255, 3, 8, 56, strings.Repeat("1", 30)))
	for round := range 64 {
		width := 3
		if round >= 4 && round < 60 {
			width = 1
		}
		var keys []*big.Int
		for len(keys) < width {
			if key := draw(255); key.Cmp(p) < 0 {
				keys = append(keys, key)
			}
		}
		r.keys = append(r.keys, keys)
	}
	return r
}

// referenceGrain returns the generator of numbers that starts at a state of 80 binary digits.
func referenceGrain(bits string) func(n int) *big.Int {
	step := func() byte {
		sum := 0
		for _, at := range []int{62, 51, 38, 23, 13, 0} {
			sum += int(bits[at] - '0')
		}
		bits = bits[1:] + strconv.Itoa(sum%2)
		return bits[79]
	}
	for range 160 {
		step()
	}
	return func(n int) *big.Int {
		var digits []byte
		for len(digits) < n {
			if first, second := step(), step(); first == '1' {
				digits = append(digits, second)
			}
		}
		x, _ := new(big.Int).SetString(string(digits), 2)
		return x
	}
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

// The designers publish an instance for this field and width, with a known answer
// (github.com/HorizenLabs/poseidon2, poseidon2_instance_bls12.rs and its test).
func TestPermutationIsThePublishedInstance(t *testing.T) {
	first := "6f007a551156b3a449e44936b7c093644a0ed33f33eaccc628e942e836c1a875"
	if got := roundKeys[0][0].Text(16); got != first {
		t.Errorf("the first round key is %s", got)
	}
	state := [3]fr.Element{fr.NewElement(0), fr.NewElement(1), fr.NewElement(2)}
	permute(&state)
	for lane, want := range []string{
		"1b152349b1950b6a8ca75ee4407b6e26ca5cca5650534e56ef3fd45761fbf5f0",
		"4c5793c87d51bdc2c08a32108437dc0000bd0275868f09ebc5f36919af5b3891",
		"1fc8ed171e67902ca49863159fe5ba6325318843d13976143b8125f08b50dc6b",
	} {
		if got := state[lane].Text(16); got != want {
			t.Errorf("lane %d is %s, want %s", lane, got, want)
		}
	}
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

// The sponge, once with several permutations and packed integers, once with an odd number of inputs and a packed capacity.
//
//spec:id E-08
func TestSpongeAgainstReference(t *testing.T) {
	r, net := newReferencePoseidon(), testNetwork(t)
	c := &Compliance{fr.NewElement(11), fr.NewElement(12), 1<<32 - 1, 1<<64 - 1, 7, 1<<64 - 1, fr.NewElement(13)}

	lane0 := func(tag int64) *big.Int {
		n := new(big.Int).SetBytes(net[:])
		return n.Lsh(n, 8).Add(n, big.NewInt(tag)).Lsh(n, 112)
	}
	packed := big.NewInt(1<<32 - 1)                                     // period
	packed.Lsh(packed, 64).Add(packed, new(big.Int).SetUint64(1<<64-1)) // sent
	packed.Lsh(packed, 32).Add(packed, big.NewInt(7))                   // count
	packed.Lsh(packed, 64).Add(packed, new(big.Int).SetUint64(1<<64-1)) // held
	state := r.permute([3]*big.Int{lane0(4), big.NewInt(11), big.NewInt(12)})
	state[1].Add(state[1], big.NewInt(13))
	state[2].Add(state[2], packed)
	state = r.permute(state)
	if got := New(net).Compliance(c); bigOf(got).Cmp(state[1]) != 0 {
		t.Error("the sponge of a compliance coin differs")
	}

	start := lane0(11)
	state = r.permute([3]*big.Int{start.Add(start, big.NewInt(1)), big.NewInt(21), big.NewInt(22)})
	state[1].Add(state[1], big.NewInt(23))
	state = r.permute(state)
	got := New(net).Link(fr.NewElement(21), []fr.Element{fr.NewElement(22)}, []fr.Element{fr.NewElement(23)})
	if bigOf(got).Cmp(state[1]) != 0 {
		t.Error("the sponge of a link differs")
	}
}
