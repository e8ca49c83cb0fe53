package cabi

import (
	"sync"

	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

func verifierOpen(r *reader, w *writer) error {
	set, c := lookup[*openSet](r), r.committee()
	if err := r.end(); err != nil {
		return err
	}
	v, err := statement.NewVerifier(set.Network, set.Kind, c, set.VerifierKeys())
	if err != nil {
		return err
	}
	id, err := handles.add(v)
	w.u64(id)
	return err
}

// verdict writes the code of the first rule that does not hold. It returns a defect of the library as an error.
func (w *writer) verdict(err error) error {
	code := fault.CodeOf(err)
	if code == fault.Internal {
		return err
	}
	w.u32(uint32(code))
	return nil
}

// undecodable reports whether a code means a wrong encoding of a value, and not a wrong layout of the request.
func undecodable(code fault.Code) bool {
	return code != fault.MalformedRequest && code != fault.UnknownHandle
}

// finish ends the reading of a request whose values are to be verified: a wrong encoding is a verdict.
func (r *reader) finish(w *writer) (done bool, err error) {
	err = r.end()
	if err == nil {
		return false, nil
	}
	if undecodable(fault.CodeOf(err)) {
		return true, w.verdict(err)
	}
	return true, err
}

// maxParts bounds the counts of a statement. The family decides the exact ones.
const maxParts = 17

func (r *reader) parts() int {
	n := int(r.u8())
	if n > maxParts {
		r.fail(fault.New(fault.MalformedRequest, "too many parts"))
		return 0
	}
	return n
}

func (r *reader) transfer() (*statement.Transfer, *statement.Evidence) {
	s := &statement.Transfer{Family: statement.Family(r.u8())}
	for range r.parts() {
		s.Serials = append(s.Serials, r.field())
	}
	for range r.parts() {
		s.Outputs = append(s.Outputs, r.coin())
	}
	s.Period, s.Withdrawn, s.Context = r.u32(), r.u64(), r.array32()
	e := &statement.Evidence{CircuitVersion: r.u32(), RK: r.uncheckedKey()}
	var shows []suite.Shown
	for range r.parts() {
		shows = append(shows, r.shown())
	}
	e.Shows, e.Proof, e.KeySignature = shows, r.sized(), r.sized()
	return s, e
}

func verifyTransfer(r *reader, w *writer) error {
	v := lookup[*statement.Verifier](r)
	s, e := r.transfer()
	limits, root := r.limits(), r.field()
	if done, err := r.finish(w); done {
		return err
	}
	return w.verdict(v.VerifyTransfer(s, e, limits, &root))
}

func verifyUnregulated(r *reader, w *writer) error {
	v := lookup[*statement.Verifier](r)
	s, e := r.transfer()
	if done, err := r.finish(w); done {
		return err
	}
	return w.verdict(v.VerifyUnregulated(s, e))
}

func verifyRegister(r *reader, w *writer) error {
	v := lookup[*statement.Verifier](r)
	s := &statement.Register{Apk: r.field(), Coin: r.coin()}
	e := &statement.OwnerEvidence{CircuitVersion: r.u32(), RK: r.uncheckedKey(), Proof: r.sized(), KeySignature: r.sized()}
	if done, err := r.finish(w); done {
		return err
	}
	return w.verdict(v.VerifyRegister(s, e))
}

func verifyMint(r *reader, w *writer) error {
	v := lookup[*statement.Verifier](r)
	s := &statement.Mint{MintID: r.array32(), Value: r.u64(), Coin: r.coin()}
	version, proof := r.u32(), r.sized()
	if done, err := r.finish(w); done {
		return err
	}
	return w.verdict(v.VerifyMint(s, version, proof))
}

// maxBatch bounds the transfers of one call.
const maxBatch = 256

// heapFloor keeps at least 48 MiB alive for the collector's arithmetic. A batch allocates several times the 16 MB that a validator keeps,
// so the collector would run a few times in each; with the floor it runs once in several batches. Nobody writes to the floor, so it takes
// addresses and no memory.
var heapFloor = sync.OnceValue(func() []byte { return make([]byte, 48<<20) })

// verifyTransfers returns a verdict for every item. An item that does not decode does not affect the others.
func verifyTransfers(r *reader, w *writer) error {
	heapFloor()
	v := lookup[*statement.Verifier](r)
	n := r.count(4)
	if n > maxBatch {
		return fault.Newf(fault.MalformedRequest, "%d transfers, at most %d", n, maxBatch)
	}
	verdicts := make([]error, n)
	items, places := make([]statement.Item, 0, n), make([]int, 0, n)
	for i := range n {
		part := &reader{in: r.sized()}
		if r.err != nil {
			return r.err
		}
		var item statement.Item
		item.Statement, item.Evidence = part.transfer()
		limits, root := part.limits(), part.field()
		item.Limits, item.Root = limits, &root
		if verdicts[i] = part.end(); verdicts[i] == nil {
			items, places = append(items, item), append(places, i)
		}
	}
	if err := r.end(); err != nil {
		return err
	}
	for i, err := range v.VerifyTransfers(items) {
		verdicts[places[i]] = err
	}
	for _, err := range verdicts {
		if err := w.verdict(err); err != nil {
			return err
		}
	}
	return nil
}
