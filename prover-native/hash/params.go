package hash

import (
	"fmt"
	"math/big"
)

// Poseidon2 parameters. The package documentation derives the number of rounds.
const (
	Width         = 3
	FullRounds    = 8
	PartialRounds = 56
)

// packedBits is the width of the field that carries an object's small integers in the capacity lane. The tag of a network has
// 128 bits and that of a use 8, so the lane has 248 bits of 254.
const packedBits = 112

// Tag is the domain of a hash call.
type Tag uint8

// The domains. 14 and up are reserved (disclosure).
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
	TagEscrow          Tag = 10
	TagLink            Tag = 11
	TagRecover         Tag = 12
	TagDetails         Tag = 13
)

// MaxLinked is the largest number of points that a statement links to its proof: a compliance coin, 16 coins and two outputs.
const MaxLinked = 19

// arity is the number of absorbed elements per tag. It is fixed, because the sponge has no padding. A link, and the details of a
// transfer, absorb as many elements as the numbers demand that are packed into their start states.
var arity = map[Tag]int{
	TagApk:             3,
	TagSerial:          2,
	TagCoin:            2,
	TagCompliance:      4,
	TagEntry:           4,
	TagRho:             2,
	TagCommit:          2,
	TagLeaf:            2,
	TagCoinUnregulated: 2,
	TagEscrow:          2,
	TagRecover:         4,
}

// CoinOriginShift is the offset of a coin's origin in the capacity lane, above its value (O-07).
const CoinOriginShift = 64

// Bit offsets of the integers of a compliance coin, packed into one element (O-09).
const (
	ComplianceCountShift  = 64
	ComplianceSentShift   = 96
	CompliancePeriodShift = 160
)

// Bit offsets of the values packed into one element of a history entry (O-12).
const (
	EntryIn1Shift = 64
	EntryIn2Shift = 128
)

// Bit offsets of the integers packed into the capacity lane of a history entry, above what it withdraws (O-12).
const (
	EntryPeriodShift  = 64
	EntryOrigin1Shift = 96
	EntryOrigin2Shift = 98
	EntryEscrowShift  = 100
)

// capacity is the start value of lane 0 before the packed integers are added.
func capacity(net NetworkTag, tag Tag) *big.Int {
	c := new(big.Int).SetBytes(net[:])
	c.Lsh(c, 8).Add(c, big.NewInt(int64(tag)))
	return c.Lsh(c, packedBits)
}

// mustArity panics where a caller forgets an input: a wrong count is a programming error, not bad data.
func mustArity(tag Tag, n int) {
	want, known := arity[tag]
	switch tag {
	case TagLink:
		known, want = n%2 == 1 && n <= 1+2*MaxLinked, n
	case TagDetails:
		known, want = n > 0 && n <= maxDetails, n
	}
	if !known || n != want {
		panic(fmt.Sprintf("hash: tag %d absorbs %d elements, got %d", tag, want, n))
	}
}
