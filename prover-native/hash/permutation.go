package hash

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
)

// roundKeys are the keys of all rounds in their order: three for a full round, one for a partial round.
var roundKeys = deriveRoundKeys()

// deriveRoundKeys draws the keys with the generator of the Poseidon papers, a Grain LFSR in self-shrinking mode whose start
// state names the parameters. A draw of 255 bits that is not below r is dropped, so every key is uniform over F.
func deriveRoundKeys() [FullRounds + PartialRounds][]fr.Element {
	grain := newGrain(fr.Bits, Width, FullRounds, PartialRounds)
	var keys [FullRounds + PartialRounds][]fr.Element
	for round := range keys {
		keys[round] = make([]fr.Element, 1)
		if isFull(round) {
			keys[round] = make([]fr.Element, Width)
		}
		for lane := range keys[round] {
			keys[round][lane].SetBigInt(grain.below(fr.Modulus(), fr.Bits))
		}
	}
	return keys
}

// isFull tells whether a round, counted from 0, has S-boxes on all lanes.
func isFull(round int) bool {
	return round < FullRounds/2 || round >= FullRounds/2+PartialRounds
}

// grain is an LFSR of 80 bits, oldest bit first.
type grain struct{ state [80]byte }

// newGrain starts the generator for a prime field of n bits and S-boxes x^d, and drops its first 160 bits.
func newGrain(n, width, full, partial int) *grain {
	g := &grain{}
	at := 0
	for _, part := range []struct{ value, bits int }{{1, 2}, {0, 4}, {n, 12}, {width, 12}, {full, 10}, {partial, 10}, {1<<30 - 1, 30}} {
		for bit := part.bits - 1; bit >= 0; bit-- {
			g.state[at] = byte(part.value >> bit & 1)
			at++
		}
	}
	for range 160 {
		g.step()
	}
	return g
}

func (g *grain) step() byte {
	s := &g.state
	bit := s[62] ^ s[51] ^ s[38] ^ s[23] ^ s[13] ^ s[0]
	copy(s[:], s[1:])
	s[len(s)-1] = bit
	return bit
}

// next is the next output: of each pair of bits the second, where the first is 1.
func (g *grain) next() byte {
	for g.step() == 0 {
		g.step()
	}
	return g.step()
}

// below draws numbers of n bits, highest bit first, until one is below the bound.
func (g *grain) below(bound *big.Int, n int) *big.Int {
	for {
		x := new(big.Int)
		for range n {
			x.Lsh(x, 1)
			x.SetBit(x, 0, uint(g.next()))
		}
		if x.Cmp(bound) < 0 {
			return x
		}
	}
}

// permute is the Poseidon2 permutation.
func permute(s *[Width]fr.Element) {
	outer(s)
	for round := range roundKeys {
		keys := roundKeys[round]
		for lane := range keys {
			sbox(&s[lane], &keys[lane])
		}
		if len(keys) == Width {
			outer(s)
		} else {
			inner(s)
		}
	}
}

// sbox is (x + key)^5.
func sbox(x, key *fr.Element) {
	var fourth fr.Element
	x.Add(x, key)
	fourth.Square(x).Square(&fourth)
	x.Mul(x, &fourth)
}

// outer multiplies by (2 1 1; 1 2 1; 1 1 2).
func outer(s *[Width]fr.Element) {
	var sum fr.Element
	sum.Add(&s[0], &s[1]).Add(&sum, &s[2])
	for lane := range s {
		s[lane].Add(&s[lane], &sum)
	}
}

// inner multiplies by (2 1 1; 1 2 1; 1 1 3).
func inner(s *[Width]fr.Element) {
	last := s[2]
	outer(s)
	s[2].Add(&s[2], &last)
}
