package hash

import (
	"encoding/binary"
	"encoding/hex"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/internal/g1"
	"solidus.io/prover/jubjub"
)

// Origin tells where a coin came from. A payment's circuit sets it, so nobody's own coins look like income.
type Origin uint8

// The origins.
const (
	OriginPayment Origin = 0 // another owner's transfer
	OriginMint    Origin = 1
	OriginOwn     Origin = 2 // a transfer of its owner's
	// OriginSeveral is no coin's. It stands in the history for coins whose values were added up.
	OriginSeveral Origin = 3
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
	Origin1, Origin2         Origin // of In1 and In2; 0 where nothing is claimed
	Escrow                   bool   // the payment is an escrow
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
	h := &Hasher{net: net, iv: make(map[Tag]fr.Element, len(arity)+2)}
	for tag := range arity {
		h.iv[tag] = startOf(net, tag)
	}
	h.iv[TagLink], h.iv[TagDetails] = startOf(net, TagLink), startOf(net, TagDetails)
	h.dst = []byte("SOLIDUS-V02-H-" + hex.EncodeToString(net[:]))
	return h
}

func startOf(net NetworkTag, tag Tag) (e fr.Element) {
	e.SetBigInt(capacity(net, tag))
	return e
}

// Network returns the tag of the hasher's network.
func (h *Hasher) Network() NetworkTag { return h.net }

// Sum is the sponge of one tag. Callers use the methods below, which fix the inputs of each tag. It panics on a wrong number
// of inputs.
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
func (h *Hasher) Address(nk fr.Element, pk *jubjub.Point) (apk, serialKey fr.Element) {
	return h.sponge(TagApk, fr.Element{}, []fr.Element{nk, pk.X, pk.Y})
}

// Apk is the address alone.
func (h *Hasher) Apk(nk fr.Element, pk *jubjub.Point) fr.Element {
	apk, _ := h.Address(nk, pk)
	return apk
}

// SerialKey is what the serial numbers of an owner's coins are made with. It depends on both keys, so that knowing a
// nullifier key is not enough to use up another owner's serial numbers.
func (h *Hasher) SerialKey(nk fr.Element, pk *jubjub.Point) fr.Element {
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
func (h *Hasher) Coin(origin Origin, value uint64, apk, rho fr.Element) fr.Element {
	packed := fr.NewElement(value)
	addShifted(&packed, uint64(origin), CoinOriginShift)
	return h.Sum(TagCoin, packed, apk, rho)
}

// Escrow is the message of an escrow: a value that whoever opens the lock may claim.
//
//spec:id O-14
func (h *Hasher) Escrow(value uint64, lock, rho fr.Element) fr.Element {
	return h.Sum(TagEscrow, fr.NewElement(value), lock, rho)
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
	return h.Sum(TagCompliance, fr.Element{}, c.Apk, c.Rho, c.Com, packed)
}

// Entry extends a history by one entry.
//
//spec:id O-12
func (h *Hasher) Entry(e *Entry) fr.Element {
	values, packed := fr.NewElement(e.Paid), fr.NewElement(e.Withdraw)
	addShifted(&values, e.In1, EntryIn1Shift)
	addShifted(&values, e.In2, EntryIn2Shift)
	addShifted(&packed, uint64(e.Period), EntryPeriodShift)
	addShifted(&packed, uint64(e.Origin1), EntryOrigin1Shift)
	addShifted(&packed, uint64(e.Origin2), EntryOrigin2Shift)
	if e.Escrow {
		addShifted(&packed, 1, EntryEscrowShift)
	}
	return h.Sum(TagEntry, packed, e.Com, values, e.Counterparty, e.R)
}

// RecoverEntry is the history entry of a recover: the histories of the two cores below it, and what it did.
type RecoverEntry struct {
	First, Second             fr.Element
	Returned, Outflow, Budget uint64
	Period                    uint32
	R                         fr.Element
}

// RecoverEntry joins two histories by one entry. It has the layout of an [Entry] of another tag, without withdrawal, origins and
// escrow, so that one circuit opens either.
//
//spec:id O-15
func (h *Hasher) RecoverEntry(e *RecoverEntry) fr.Element {
	values, packed := fr.NewElement(e.Returned), fr.Element{}
	addShifted(&values, e.Outflow, EntryIn1Shift)
	addShifted(&values, e.Budget, EntryIn2Shift)
	addShifted(&packed, uint64(e.Period), EntryPeriodShift)
	return h.Sum(TagRecover, packed, e.First, values, e.Second, e.R)
}

// RhosOf derives the randomness of outputs 2 pair and 2 pair + 1 of a statement from a seed and the statement's inputs digest.
//
//spec:id O-11
func (h *Hasher) RhosOf(pair int, seed, d fr.Element) (first, second fr.Element) {
	return h.sponge(TagRho, fr.NewElement(uint64(pair)), []fr.Element{seed, d})
}

// Rhos is RhosOf the first two outputs.
func (h *Hasher) Rhos(seed, d fr.Element) (rho0, rho1 fr.Element) { return h.RhosOf(0, seed, d) }

// OutputRhos is the randomness of n outputs.
func (h *Hasher) OutputRhos(n int, seed, d fr.Element) []fr.Element {
	var all []fr.Element
	for pair := 0; len(all) < n; pair++ {
		first, second := h.RhosOf(pair, seed, d)
		all = append(all, first, second)
	}
	return all[:n]
}

// Commit hides a message.
func (h *Hasher) Commit(s, hm fr.Element) fr.Element {
	return h.Sum(TagCommit, fr.Element{}, s, hm)
}

// Leaf is a leaf of the sanction tree.
func (h *Hasher) Leaf(low, high fr.Element) fr.Element {
	return h.Sum(TagLeaf, fr.Element{}, low, high)
}

// Link commits to the nonces and the messages of a statement's linked points, of which there are 1 to MaxLinked. Without it a
// prover could choose the nonces after the challenge.
func (h *Hasher) Link(salt fr.Element, nonces, messages []fr.Element) fr.Element {
	in := append([]fr.Element{salt}, nonces...)
	return h.Sum(TagLink, fr.NewElement(uint64(len(nonces))), append(in, messages...)...)
}

// Outputs is what the bases of a statement's outputs depend on: the input digest D, the period (0 where the statement has
// none) and the commitments of all outputs.
type Outputs struct {
	D      fr.Element
	Period uint32
	Cms    []fr.Element
}

// CoinBase is h_j, the base of output j. It depends on all outputs, so two statements that differ in any of them share no base,
// and partial signatures that were given to one cannot be combined with those given to the other.
//
//spec:id E-15
func (h *Hasher) CoinBase(o *Outputs, j int) (bls.G1Affine, error) {
	return bls.HashToG1(o.baseMessage(j), h.dst)
}

// CoinBases is CoinBase for output js[i] of all[i] and every i, at a fraction of the cost.
func (h *Hasher) CoinBases(all []*Outputs, js []int) ([]bls.G1Affine, error) {
	messages := make([][]byte, len(all))
	for i, o := range all {
		messages[i] = o.baseMessage(js[i])
	}
	return g1.HashAll(messages, h.dst)
}

// baseMessage is what is hashed to the base of output j.
func (o *Outputs) baseMessage(j int) []byte {
	d := o.D.Bytes()
	msg := append([]byte{byte(j)}, d[:]...)
	msg = binary.BigEndian.AppendUint32(msg, o.Period)
	msg = append(msg, byte(len(o.Cms)))
	for i := range o.Cms {
		cm := o.Cms[i].Bytes()
		msg = append(msg, cm[:]...)
	}
	return msg
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
