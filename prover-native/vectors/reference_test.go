package vectors

import (
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// The reference: integers, written from the specification and sharing nothing with the packages under test.

func integer(s string) *big.Int {
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic("malformed constant")
	}
	return x
}

var (
	// r is the modulus of F and the order of G1 and G2, q the modulus of their coordinates, l the order of the group of keys.
	r = integer("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001")
	q = integer("1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab")
	l = integer("0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7")
)

// Arithmetic in F.

func small(x int64) *big.Int { return new(big.Int).Mod(big.NewInt(x), r) }

func plus(x, y *big.Int) *big.Int { return modulo(new(big.Int).Add(x, y), r) }

func minus(x, y *big.Int) *big.Int { return modulo(new(big.Int).Sub(x, y), r) }

func times(x, y *big.Int) *big.Int { return modulo(new(big.Int).Mul(x, y), r) }

func over(x, y *big.Int) *big.Int { return times(x, new(big.Int).ModInverse(y, r)) }

func modulo(x, m *big.Int) *big.Int { return x.Mod(x, m) }

func shifted(x uint64, by uint) *big.Int { return new(big.Int).Lsh(new(big.Int).SetUint64(x), by) }

// field is the encoding of an element of F and of a scalar of either kind, coordinate that of a coordinate of G1 and G2.
func field(x *big.Int) []byte { return x.FillBytes(make([]byte, 32)) }

func coordinate(x *big.Int) []byte { return x.FillBytes(make([]byte, 48)) }

func hexOf(b []byte) string { return hex.EncodeToString(b) }

func decimal(x uint64) string { return strconv.FormatUint(x, 10) }

// draw is a fixed number below the bound that looks random.
func draw(label string, bound *big.Int) *big.Int {
	return reduced(bound, []byte("solidus vector "+label))
}

// reduced is SHA-512 modulo a bound.
func reduced(bound *big.Int, parts ...[]byte) *big.Int {
	h := sha512.New()
	for _, p := range parts {
		h.Write(p)
	}
	return modulo(new(big.Int).SetBytes(h.Sum(nil)), bound)
}

const (
	fullRounds    = 8
	partialRounds = 56
)

// roundKeys are drawn by a Grain LFSR, whose start state names the parameters: 255 bits, width 3, 8 full and 56 partial rounds.
var roundKeys = func() [][]*big.Int {
	bits := fmt.Sprintf("%02b%04b%012b%012b%010b%010b%s", 1, 0, 255, 3, fullRounds, partialRounds, strings.Repeat("1", 30))
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
	below := func() *big.Int {
		for {
			var digits []byte
			for len(digits) < 255 { // of each pair of bits the second, where the first is 1
				if first, second := step(), step(); first == '1' {
					digits = append(digits, second)
				}
			}
			if x, _ := new(big.Int).SetString(string(digits), 2); x.Cmp(r) < 0 {
				return x
			}
		}
	}
	keys := make([][]*big.Int, fullRounds+partialRounds)
	for i := range keys {
		n := 3
		if i >= fullRounds/2 && i < fullRounds/2+partialRounds {
			n = 1
		}
		for range n {
			keys[i] = append(keys[i], below())
		}
	}
	return keys
}()

func power5(x *big.Int) *big.Int { return new(big.Int).Exp(x, big.NewInt(5), r) }

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

// capacity is the start value of lane 0.
func capacity(network []byte, tag int64, packed *big.Int) *big.Int {
	lane := new(big.Int).SetBytes(network[:16])
	return lane.Lsh(lane, 8).Add(lane, big.NewInt(tag)).Lsh(lane, 112).Add(lane, packed)
}

// sponge is H of the specification, both rate lanes.
func sponge(network []byte, tag int64, packed *big.Int, inputs ...*big.Int) (first, second *big.Int) {
	state := [3]*big.Int{capacity(network, tag, packed), new(big.Int), new(big.Int)}
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
