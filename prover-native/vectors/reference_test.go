package vectors

import (
	"crypto/sha512"
	"encoding/hex"
	"math/big"
	"strconv"

	"golang.org/x/crypto/sha3"
)

// The reference: integers modulo p, written from the specification and sharing nothing with the packages under test.

func integer(s string) *big.Int {
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic("malformed constant")
	}
	return x
}

var (
	// p is the modulus of F, r the order of G1.
	p = integer("1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001")
	r = integer("12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001")
)

func small(x int64) *big.Int { return new(big.Int).Mod(big.NewInt(x), p) }

func plus(x, y *big.Int) *big.Int { z := new(big.Int).Add(x, y); return z.Mod(z, p) }

func times(x, y *big.Int) *big.Int { z := new(big.Int).Mul(x, y); return z.Mod(z, p) }

func shifted(x uint64, by uint) *big.Int { return new(big.Int).Lsh(new(big.Int).SetUint64(x), by) }

// field and scalar are the encodings.
func field(x *big.Int) []byte { return x.FillBytes(make([]byte, 48)) }

func scalar(x *big.Int) []byte { return x.FillBytes(make([]byte, 32)) }

func hexOf(b []byte) string { return hex.EncodeToString(b) }

func decimal(x uint64) string { return strconv.FormatUint(x, 10) }

// draw is a fixed number below the bound that looks random.
func draw(label string, bound *big.Int) *big.Int {
	digest := sha512.Sum512([]byte("solidus vector " + label))
	x := new(big.Int).SetBytes(digest[:])
	return x.Mod(x, bound)
}

const (
	fullRounds    = 8
	partialRounds = 56
)

// roundKeys derives the constants: a Keccak chain over a string that names the parameters.
var roundKeys = func() [][]*big.Int {
	keccak := func(b []byte) []byte {
		h := sha3.NewLegacyKeccak256()
		h.Write(b)
		return h.Sum(nil)
	}
	state := keccak([]byte("Poseidon2-BW6_761[t=3,rF=8,rP=56,d=5]"))
	keys := make([][]*big.Int, fullRounds+partialRounds)
	for i := range keys {
		n := 3
		if i >= fullRounds/2 && i < fullRounds/2+partialRounds {
			n = 1
		}
		for range n {
			state = keccak(state)
			keys[i] = append(keys[i], new(big.Int).SetBytes(state))
		}
	}
	return keys
}()

func power5(x *big.Int) *big.Int { return new(big.Int).Exp(x, big.NewInt(5), p) }

// multiply applies a 3 x 3 matrix.
func multiply(m [3][3]int64, v [3]*big.Int) (out [3]*big.Int) {
	for i := range m {
		out[i] = new(big.Int)
		for j := range v {
			out[i] = plus(out[i], times(small(m[i][j]), v[j]))
		}
	}
	return out
}

var (
	external = [3][3]int64{{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}
	internal = [3][3]int64{{2, 1, 1}, {1, 2, 1}, {1, 1, 3}}
)

// permute is Poseidon2.
func permute(v [3]*big.Int) [3]*big.Int {
	v = multiply(external, v)
	for _, keys := range roundKeys {
		matrix := external
		if len(keys) == 1 {
			matrix = internal
		}
		for i, k := range keys {
			v[i] = power5(plus(v[i], k))
		}
		v = multiply(matrix, v)
	}
	return v
}

// sponge is H of the specification, both rate lanes.
func sponge(network []byte, tag int64, packed *big.Int, inputs ...*big.Int) (first, second *big.Int) {
	capacity := new(big.Int).SetBytes(network[:16])
	capacity.Lsh(capacity, 8).Add(capacity, big.NewInt(tag)).Lsh(capacity, 192).Add(capacity, packed)
	state := [3]*big.Int{capacity.Mod(capacity, p), new(big.Int), new(big.Int)}
	for i, x := range inputs {
		lane := 1 + i%2
		state[lane] = plus(state[lane], x)
		if lane == 2 || i == len(inputs)-1 {
			state = permute(state)
		}
	}
	return state[1], state[2]
}

func hash(network []byte, tag int64, packed *big.Int, inputs ...*big.Int) *big.Int {
	out, _ := sponge(network, tag, packed, inputs...)
	return out
}

func node(a, b, c *big.Int) *big.Int { return plus(permute([3]*big.Int{a, b, c})[0], a) }
