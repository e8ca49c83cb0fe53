package statement

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/suite"
)

// Item is one transfer of a batch. Limits and Root belong to regulated transfers.
type Item struct {
	Statement *Transfer
	Evidence  *Evidence
	Limits    *Limits
	Root      *suite.Field
}

// VerifyTransfers checks many transfers of the network's family at a fraction of the cost of one by one and returns a
// verdict for each, the same that it would get alone. It runs in the calling goroutine: one batch per processor.
//
// A stage that fails is repeated on halves until the culprits are known; for proofs see groth.VerifyEach. Measured on batches
// of 64 (BenchmarkPoisoned, processor time in batches without a fault):
//
//	bad of 64          1     3    13    64
//	proof            2.3   3.0   5.3   5.8   (64 transfers one by one: 4.9)
//	presentation     1.2   1.4   1.9   1.9
//	key signature    1.1   1.1   1.2   0.5
//	point            1.2   1.3   1.4   0.4
//
// So whoever collects batches sees from the verdicts what happened, and keeps sources with many wrong proofs apart.
//
//spec:id V-05
func (v *Verifier) VerifyTransfers(items []Item) []error {
	b := &batch{verifier: v, family: FamilyTransfer, key: v.keys.Transfer, items: items, verdicts: make([]error, len(items))}
	if v.keys.Unregulated != nil {
		b.family, b.key = FamilyTransferUnregulated, v.keys.Unregulated
	}
	b.opened = make([]*opened, len(items))
	b.claims = make([]groth.Claim, len(items))
	alive := b.open()
	alive = b.bisect(alive, b.inSubgroup)
	alive = b.bisect(alive, b.keysSign)
	alive = b.bisect(alive, b.showsHold)
	b.proofsHold(b.publish(alive))
	return b.verdicts
}

// batch is the work on the transfers of one call. Its stages run in the order in which a lone transfer is checked, each on
// what is left; the subgroups of all points but a proof's come first, because nothing counts before.
type batch struct {
	verifier *Verifier
	family   Family
	key      *CircuitKey
	items    []Item
	verdicts []error
	opened   []*opened
	claims   []groth.Claim
}

// opened is a transfer with all its points on their curves.
type opened struct {
	proof *groth.Proof
	key   *suite.KeyClaim
}

// open decodes the items and returns those that pass.
func (b *batch) open() []int {
	alive := make([]int, 0, len(b.items))
	for i := range b.items {
		item := &b.items[i]
		if b.family == FamilyTransfer && (item.Limits == nil || item.Root == nil) {
			b.verdicts[i] = fault.New(fault.MalformedRequest, "limits and root are missing")
			continue
		}
		var err error
		if b.opened[i], err = b.verifier.open(item, b.family, b.key); err != nil {
			// an earlier rule may be broken too, one that the stages to come would have found
			b.verdicts[i] = b.alone(i, err)
			continue
		}
		alive = append(alive, i)
	}
	return alive
}

// alone is the verdict on an item in which a fault was found.
func (b *batch) alone(i int, found error) error {
	if err := b.verifier.verifyTransfer(&b.items[i], b.family, b.key); err != nil {
		return err
	}
	return found
}

// inSubgroup checks rk, R, the blinded coins and the presentations of some items.
func (b *batch) inSubgroup(part []int) error {
	points := make([]*suite.G1, 0, 13*len(part))
	for _, i := range part {
		points = append(points, b.opened[i].key.Points()...)
		for j := range b.items[i].Statement.Outputs {
			points = append(points, &b.items[i].Statement.Outputs[j].K)
		}
		for j := range b.items[i].Evidence.Shows {
			points = append(points, b.items[i].Evidence.Shows[j].Points()...)
		}
	}
	if suite.InSubgroup(points) {
		for _, i := range part {
			for j := range b.items[i].Statement.Outputs {
				suite.Remember(&b.items[i].Statement.Outputs[j].K) // they come back to be signed
			}
		}
		return nil
	}
	err := fault.New(fault.PointNotInSubgroup, "")
	if len(part) == 1 {
		return b.alone(part[0], err)
	}
	return err
}

func (b *batch) keysSign(part []int) error {
	claims := make([]*suite.KeyClaim, len(part))
	for at, i := range part {
		claims[at] = b.opened[i].key
	}
	return suite.VerifyKeyClaims(claims)
}

func (b *batch) showsHold(part []int) error {
	var all []suite.Shown
	for _, i := range part {
		all = append(all, b.items[i].Evidence.Shows...)
	}
	return b.verifier.scheme.ShownHold(b.verifier.committee, all)
}

// publish assembles the public inputs.
func (b *batch) publish(alive []int) []int {
	left := alive[:0]
	for _, i := range alive {
		public, err := b.verifier.public(&b.items[i])
		if err != nil {
			b.verdicts[i] = err
			continue
		}
		b.claims[i] = groth.Claim{Proof: b.opened[i].proof, Public: public}
		left = append(left, i)
	}
	return left
}

func (b *batch) proofsHold(part []int) {
	claims := make([]groth.Claim, len(part))
	for at, i := range part {
		claims[at] = b.claims[i]
	}
	for at, err := range b.key.Key.VerifyEach(claims) {
		b.verdicts[part[at]] = err
	}
}

// bisect finds the items for which holds fails, notes their errors and returns the others.
func (b *batch) bisect(part []int, holds func([]int) error) []int {
	if len(part) == 0 {
		return nil
	}
	err := holds(part)
	if err == nil {
		return part
	}
	return b.split(part, err, holds)
}

// split is bisect for a part that is known to fail. Where the first half holds, the second fails without being asked.
func (b *batch) split(part []int, err error, holds func([]int) error) []int {
	if len(part) == 1 {
		b.verdicts[part[0]] = err
		return nil
	}
	first, second := part[:len(part)/2:len(part)/2], part[len(part)/2:]
	good := b.bisect(first, holds)
	if len(good) == len(first) && len(second) > 1 {
		return append(append([]int(nil), good...), b.split(second, err, holds)...)
	}
	return append(append([]int(nil), good...), b.bisect(second, holds)...)
}
