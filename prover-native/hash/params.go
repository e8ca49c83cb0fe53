package hash

import (
	"fmt"
	"math/big"

	native "github.com/consensys/gnark-crypto/ecc/bw6-761/fr/poseidon2"
)

// Poseidon2 parameters; the package documentation justifies the rounds.
const (
	Width         = 3
	FullRounds    = 8
	PartialRounds = 56
)

// packedBits is the width of the field that carries an object's small integers in the capacity lane.
const packedBits = 192

// Tag is the domain of a hash call.
type Tag uint8

// The domains. 10 and up are reserved (recovery, disclosure).
const (
	TagApk             Tag = 1
	TagSerial          Tag = 2
	TagCoin            Tag = 3
	TagCompliance      Tag = 4
	TagEntry           Tag = 5
	TagRho             Tag = 6
	TagCommit          Tag = 7
	TagLeaf            Tag = 8
	TagCoinUnregulated Tag = 9
)

// arity is the number of absorbed elements per tag; the sponge has no padding, so it is fixed.
var arity = map[Tag]int{
	TagApk:             3,
	TagSerial:          2,
	TagCoin:            2,
	TagCompliance:      3,
	TagEntry:           4,
	TagRho:             2,
	TagCommit:          2,
	TagLeaf:            2,
	TagCoinUnregulated: 2,
}

// Bit offsets of the integers packed into the capacity lane of a compliance coin (O-09).
const (
	ComplianceCountShift  = 64
	ComplianceSentShift   = 96
	CompliancePeriodShift = 160
)

// Bit offsets of the integers packed into one element of a history entry (O-12).
const (
	EntryIn1Shift       = 64
	EntryIn2Shift       = 128
	EntryWithdrawnShift = 192
	EntryPeriodShift    = 256
)

var permutation = native.NewPermutation(Width, FullRounds, PartialRounds)

// capacity is the start value of lane 0 before the packed integers are added.
func capacity(net NetworkTag, tag Tag) *big.Int {
	c := new(big.Int).SetBytes(net[:])
	c.Lsh(c, 8).Add(c, big.NewInt(int64(tag)))
	return c.Lsh(c, packedBits)
}

// mustArity guards against a caller that forgets an input: a wrong count is a programming error, not data.
func mustArity(tag Tag, n int) {
	want, known := arity[tag]
	if !known || n != want {
		panic(fmt.Sprintf("hash: tag %d absorbs %d elements, got %d", tag, want, n))
	}
}
