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
// verdict for each, the same that it would get alone. It runs in the calling goroutine: one batch per processor. A batch
// that fails is halved until the culprits are known, so whoever collects batches keeps sources with many failures apart.
func (v *Verifier) VerifyTransfers(items []Item) []error {
	family, key := FamilyTransfer, v.keys.Transfer
	if v.keys.Unregulated != nil {
		family, key = FamilyTransferUnregulated, v.keys.Unregulated
	}
	verdicts := make([]error, len(items))
	proofs := make([]*groth.Proof, len(items))
	alive := make([]int, 0, len(items))
	for i := range items {
		if family == FamilyTransfer && (items[i].Limits == nil || items[i].Root == nil) {
			verdicts[i] = fault.New(fault.MalformedRequest, "limits and root are missing")
			continue
		}
		if proofs[i], verdicts[i] = v.requestChecks(&items[i], family, key); verdicts[i] == nil {
			alive = append(alive, i)
		}
	}
	alive = bisect(alive, verdicts, func(part []int) error { return v.showsHold(items, part) })
	claims := make([]groth.Claim, len(items))
	proved := alive[:0]
	for _, i := range alive {
		public, err := v.public(&items[i])
		if err != nil {
			verdicts[i] = err
			continue
		}
		claims[i] = groth.Claim{Proof: proofs[i], Public: public}
		proved = append(proved, i)
	}
	bisect(proved, verdicts, func(part []int) error {
		batch := make([]groth.Claim, 0, len(part))
		for _, i := range part {
			batch = append(batch, claims[i])
		}
		return key.Key.VerifyBatch(batch)
	})
	return verdicts
}

// showsHold checks the shown signatures of some items in one product.
func (v *Verifier) showsHold(items []Item, part []int) error {
	var all []suite.Shown
	for _, i := range part {
		all = append(all, items[i].Evidence.Shows...)
	}
	return v.scheme.VerifyShown(v.committee, all...)
}

// bisect finds the items for which holds fails, notes their errors and returns the others.
func bisect(part []int, verdicts []error, holds func([]int) error) []int {
	if len(part) == 0 {
		return nil
	}
	err := holds(part)
	if err == nil {
		return part
	}
	if len(part) == 1 {
		verdicts[part[0]] = err
		return nil
	}
	middle := len(part) / 2
	good := bisect(part[:middle:middle], verdicts, holds)
	return append(append([]int(nil), good...), bisect(part[middle:], verdicts, holds)...)
}
