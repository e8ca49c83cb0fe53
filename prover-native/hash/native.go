package hash

import (
	"encoding/hex"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
)

// Compliance is the opening of a compliance coin.
//
//spec:id O-08
type Compliance struct {
	Apk, Rho fr.Element
	Period   uint32
	Sent     uint64
	Count    uint32
	Held     uint64
	Com      fr.Element
}

// Entry is one history entry: everything a transfer did, zeros included.
type Entry struct {
	Com                      fr.Element
	Paid, In1, In2, Withdraw uint64
	Period                   uint32
	Counterparty, R          fr.Element
}

// Hasher computes the hashes of one network natively. It is safe for concurrent use.
type Hasher struct {
	net NetworkTag
	iv  map[Tag]fr.Element
	dst []byte
}

// New returns the hasher of a network.
func New(net NetworkTag) *Hasher {
	h := &Hasher{net: net, iv: make(map[Tag]fr.Element, len(arity))}
	for tag := range arity {
		var e fr.Element
		e.SetBigInt(capacity(net, tag))
		h.iv[tag] = e
	}
	h.dst = []byte("SOLIDUS-V01-H-" + hex.EncodeToString(net[:]))
	return h
}

// Network is the tag the hasher was made for.
func (h *Hasher) Network() NetworkTag { return h.net }

// Sum is the sponge of one tag; the methods below are the uses it is meant for. It panics on a wrong number of inputs.
func (h *Hasher) Sum(tag Tag, packed fr.Element, in ...fr.Element) fr.Element {
	out, _ := h.sponge(tag, packed, in)
	return out
}

//spec:id E-08
func (h *Hasher) sponge(tag Tag, packed fr.Element, in []fr.Element) (fr.Element, fr.Element) {
	mustArity(tag, len(in))
	iv := h.iv[tag]
	var state [Width]fr.Element
	state[0].Add(&iv, &packed)
	for i := 0; i < len(in); i += 2 {
		state[1].Add(&state[1], &in[i])
		if i+1 < len(in) {
			state[2].Add(&state[2], &in[i+1])
		}
		permute(&state)
	}
	return state[1], state[2]
}

func permute(state *[Width]fr.Element) {
	if err := permutation.Permutation(state[:]); err != nil {
		panic(err) // the width is a constant
	}
}

// Node3 is a node of a 3-ary tree. It does not depend on the network.
//
//spec:id E-09
func Node3(a, b, c fr.Element) fr.Element {
	state := [Width]fr.Element{a, b, c}
	permute(&state)
	state[0].Add(&state[0], &a)
	return state[0]
}

// Address is the address of a nullifier key and a spend key, and the serial key that belongs to the same two.
//
//spec:id O-03
func (h *Hasher) Address(nk fr.Element, pk *bls12377.G1Affine) (apk, serialKey fr.Element) {
	// the coordinates live in the base field of BLS12-377, which is F; the two Go types share their representation
	return h.sponge(TagApk, fr.Element{}, []fr.Element{nk, fr.Element(pk.X), fr.Element(pk.Y)})
}

// Apk is the address alone.
func (h *Hasher) Apk(nk fr.Element, pk *bls12377.G1Affine) fr.Element {
	apk, _ := h.Address(nk, pk)
	return apk
}

// SerialKey is what the serial numbers of an owner's coins are made with. It depends on both keys, so that knowing a
// nullifier key is not enough to use up another owner's serial numbers.
func (h *Hasher) SerialKey(nk fr.Element, pk *bls12377.G1Affine) fr.Element {
	_, serialKey := h.Address(nk, pk)
	return serialKey
}

// Serial is the serial number of a coin.
//
//spec:id O-10
func (h *Hasher) Serial(serialKey, rho fr.Element) fr.Element {
	return h.Sum(TagSerial, fr.Element{}, serialKey, rho)
}

// Coin is the message of a coin in a regulated network.
//
//spec:id O-06 O-07
func (h *Hasher) Coin(value uint64, apk, rho fr.Element) fr.Element {
	return h.Sum(TagCoin, fr.NewElement(value), apk, rho)
}

// CoinUnregulated is the message of a coin in an unregulated network.
func (h *Hasher) CoinUnregulated(value uint64, apk, rho fr.Element) fr.Element {
	return h.Sum(TagCoinUnregulated, fr.NewElement(value), apk, rho)
}

// Compliance is the message of a compliance coin.
//
//spec:id O-09
func (h *Hasher) Compliance(c *Compliance) fr.Element {
	packed := fr.NewElement(c.Held)
	addShifted(&packed, uint64(c.Count), ComplianceCountShift)
	addShifted(&packed, c.Sent, ComplianceSentShift)
	addShifted(&packed, uint64(c.Period), CompliancePeriodShift)
	return h.Sum(TagCompliance, packed, c.Apk, c.Rho, c.Com)
}

// Entry extends a history by one entry.
//
//spec:id O-12
func (h *Hasher) Entry(e *Entry) fr.Element {
	packed := fr.NewElement(e.Paid)
	addShifted(&packed, e.In1, EntryIn1Shift)
	addShifted(&packed, e.In2, EntryIn2Shift)
	addShifted(&packed, e.Withdraw, EntryWithdrawnShift)
	addShifted(&packed, uint64(e.Period), EntryPeriodShift)
	return h.Sum(TagEntry, fr.Element{}, e.Com, packed, e.Counterparty, e.R)
}

// Rhos derives the randomness of a statement's outputs from a seed and the statement's inputs digest.
//
//spec:id O-11
func (h *Hasher) Rhos(seed, d fr.Element) (rho0, rho1 fr.Element) {
	return h.sponge(TagRho, fr.Element{}, []fr.Element{seed, d})
}

// Commit hides a message.
func (h *Hasher) Commit(s, hm fr.Element) fr.Element {
	return h.Sum(TagCommit, fr.Element{}, s, hm)
}

// Leaf is a leaf of the sanction tree.
func (h *Hasher) Leaf(low, high fr.Element) fr.Element {
	return h.Sum(TagLeaf, fr.Element{}, low, high)
}

// CoinBase is the base point of a blinded coin: it depends on the commitment and on the inputs digest, so that no
// two statements share one.
//
//spec:id E-15
func (h *Hasher) CoinBase(cm, d *fr.Element) (bls12377.G1Affine, error) {
	var msg [2 * fr.Bytes]byte
	c, e := cm.Bytes(), d.Bytes()
	copy(msg[:fr.Bytes], c[:])
	copy(msg[fr.Bytes:], e[:])
	return bls12377.HashToG1(msg[:], h.dst)
}

// addShifted adds v * 2^shift.
func addShifted(acc *fr.Element, v uint64, shift int) {
	var e, s fr.Element
	e.SetUint64(v)
	s.SetOne()
	for range shift {
		s.Double(&s)
	}
	e.Mul(&e, &s)
	acc.Add(acc, &e)
}
