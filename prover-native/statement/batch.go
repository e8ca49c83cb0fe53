package statement

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/suite"
)

// Item is one transfer of a batch. Limits and Root are set for regulated transfers only.
type Item struct {
	Statement *Transfer
	Evidence  *Evidence
	Limits    *Limits
	Root      *suite.Field
}

// VerifyTransfers checks many transfers of the network's families at a fraction of the cost of one by one. It returns the
// verdict for each transfer that it would get alone. It runs in the calling goroutine: one batch per processor. Transfers of
// each shape are verified together, because each shape has a key of its own.
//
// A stage that fails is repeated on halves until the wrong items are found. For proofs see groth.VerifyEach. Measured on
// batches of 64 (BenchmarkPoisoned, processor time in batches without a fault):
//
//	bad of 64          1     3    13    64
//	proof            1.6   1.9   3.0   3.1   (64 transfers one by one: 4.2)
//	link             1.5   1.9   2.5   2.9
//	presentation     1.4   1.9   2.9   3.6
//	key signature    1.1   1.1   1.1   0.7
//	point            1.2   1.3   1.6   0.4
//
// So a caller that collects batches must look at the verdicts, and keep sources of many wrong proofs out of the common
// batches.
//
//spec:id V-05
func (v *Verifier) VerifyTransfers(items []Item) []error {
	verdicts := make([]error, len(items))
	families := map[Family][]int{}
	for i := range items {
		family := FamilyTransferUnregulated
		if v.keys.Unregulated == nil {
			family = regulatedFamily(items[i].Statement.Family)
		}
		families[family] = append(families[family], i)
	}
	for family, places := range families {
		part := make([]Item, len(places))
		for at, i := range places {
			part[at] = items[i]
		}
		for at, err := range v.verifyBatch(part, family) {
			verdicts[places[at]] = err
		}
	}
	return verdicts
}

func (v *Verifier) verifyBatch(items []Item, family Family) []error {
	b := &batch{verifier: v, family: family, key: v.keys.transfer(family), items: items, verdicts: make([]error, len(items))}
	b.opened = make([]*opened, len(items))
	alive := b.open()
	alive = b.bisect(alive, b.inSubgroup)
	alive = b.bisect(alive, b.keysSign)
	alive = b.bisect(alive, b.showsHold)
	alive = b.bisect(alive, b.linksHold)
	b.proofsHold(alive)
	return b.verdicts
}

// batch is the work on the transfers of one call. Its stages run in the order in which a single transfer is checked, each
// stage on the items that passed the stages before. The subgroup check of all points of G1 comes first, because other checks
// mean nothing without it.
type batch struct {
	verifier *Verifier
	family   Family
	key      *CircuitKey
	items    []Item
	verdicts []error
	opened   []*opened
}

// open decodes the items and returns those that pass its checks.
func (b *batch) open() []int {
	b.prepareBases()
	alive := make([]int, 0, len(b.items))
	for i := range b.items {
		item := &b.items[i]
		if b.family != FamilyTransferUnregulated && (item.Limits == nil || item.Root == nil) {
			b.verdicts[i] = fault.New(fault.MalformedRequest, "limits and root are missing")
			continue
		}
		var err error
		if b.opened[i], err = b.verifier.open(item, b.family, b.key); err != nil {
			// an earlier rule may be broken too, which only a later stage would have found
			b.verdicts[i] = b.verifyAlone(i, err)
			continue
		}
		alive = append(alive, i)
	}
	return alive
}

// prepareBases computes the bases of all outputs together.
func (b *batch) prepareBases() {
	all := make([]*suite.Outputs, 0, len(b.items))
	for i := range b.items {
		if s := b.items[i].Statement; b.key != nil && s.Family == b.family && s.CheckShape() == nil {
			all = append(all, s.Bases(b.verifier.network))
		}
	}
	b.verifier.scheme.PrepareBases(all)
}

// verifyAlone returns the verdict on an item in which an error was found: that of the first broken rule.
func (b *batch) verifyAlone(i int, found error) error {
	if err := b.verifier.verifyTransfer(&b.items[i], b.family, b.key); err != nil {
		return err
	}
	return found
}

// inSubgroup checks the points of G1 of a part of the items, those of the proofs included.
func (b *batch) inSubgroup(part []int) error {
	points := make([]*suite.G1, 0, 14*len(part))
	for _, i := range part {
		points = append(points, b.opened[i].points(&b.items[i])...)
		points = append(points, b.opened[i].proof.Groth.PointsG1()...)
	}
	if suite.InSubgroup(points) {
		for _, i := range part {
			for j := range b.items[i].Statement.Outputs {
				suite.Remember(&b.items[i].Statement.Outputs[j].K) // the same points are signed next
			}
		}
		return nil
	}
	err := fault.New(fault.PointNotInSubgroup, "")
	if len(part) == 1 {
		return b.verifyAlone(part[0], err)
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

func (b *batch) linksHold(part []int) error {
	claims := make([]*suite.LinkClaim, len(part))
	for at, i := range part {
		claims[at] = b.opened[i].link
	}
	return suite.VerifyLinks(claims)
}

func (b *batch) proofsHold(part []int) {
	if len(part) == 0 {
		return
	}
	claims := make([]groth.Claim, len(part))
	for at, i := range part {
		claims[at] = groth.Claim{Proof: b.opened[i].proof.Groth, Public: b.verifier.public(&b.items[i], b.opened[i]), InG1: true}
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

// split is bisect for a part that is known to fail. Where the first half holds, the second half must fail and is not tested.
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
