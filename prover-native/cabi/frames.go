package cabi

import (
	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// The layouts of requests, for tools that read them outside the library: a benchmark that measures their decoding, and the
// prover stand-in of the load tests. Points are on their curve and not yet known to be in their subgroup.

// DecodeTransfer reads the part after the verifier of a VERIFY_TRANSFER request, or an item of VERIFY_TRANSFERS: statement,
// evidence, limits, root.
func DecodeTransfer(b []byte) (statement.Item, error) {
	r := &reader{in: b}
	var item statement.Item
	item.Statement, item.Evidence = r.transfer()
	limits, root := r.limits(), r.field()
	item.Limits, item.Root = limits, &root
	return item, r.end()
}

// DecodeRegister reads the part after the verifier of a VERIFY_REGISTER request.
func DecodeRegister(b []byte) (*statement.Register, *statement.OwnerEvidence, error) {
	r := &reader{in: b}
	s := &statement.Register{Apk: r.field(), Coin: r.coin()}
	e := &statement.OwnerEvidence{CircuitVersion: r.u32(), RK: r.unchecked(), Proof: r.sized(), KeySignature: r.sized()}
	return s, e, r.end()
}

// DecodeMint reads the part after the verifier of a VERIFY_MINT request. It skips version and proof.
func DecodeMint(b []byte) (*statement.Mint, error) {
	r := &reader{in: b}
	s := &statement.Mint{MintID: r.array32(), Value: r.u64(), Coin: r.coin()}
	r.u32()
	r.sized()
	return s, r.end()
}

// WitnessInputs checks a witness as PROVE does, including its version and family, and returns the public inputs that a
// validator would assemble for it.
func WitnessInputs(set *keys.Set, family statement.Family, witness []byte) ([]suite.Field, error) {
	body := &reader{in: witness}
	if body.u8() != witnessVersion || statement.Family(body.u8()) != family || body.err != nil {
		return nil, fault.New(fault.MalformedRequest, "not a witness of this family and version")
	}
	j, err := readJob(set, family, body)
	if err != nil {
		return nil, coded(invalid(err))
	}
	return j.public, nil
}

// EncodeTransfer is the inverse of DecodeTransfer.
func EncodeTransfer(item *statement.Item) ([]byte, error) {
	w, s, e, l := &writer{}, item.Statement, item.Evidence, item.Limits
	w.u8(uint8(s.Family))
	w.u8(uint8(len(s.Serials)))
	for i := range s.Serials {
		w.field(&s.Serials[i])
	}
	w.u8(uint8(len(s.Outputs)))
	for i := range s.Outputs {
		w.blinded(&s.Outputs[i].Cm, &s.Outputs[i].K)
	}
	w.u32(s.Period)
	w.u64(s.Withdrawn)
	w.bytes(s.Context[:])
	w.u32(e.CircuitVersion)
	w.point(&e.RK)
	w.u8(uint8(len(e.Shows)))
	for i := range e.Shows {
		w.point(&e.Shows[i].H)
		w.point(&e.Shows[i].M)
		w.point(&e.Shows[i].S)
	}
	for _, b := range [][]byte{e.Proof, e.KeySignature} {
		w.u32(uint32(len(b)))
		w.bytes(b)
	}
	for _, v := range []uint64{l.MaxPerTransfer, l.MaxPerPeriod, l.MaxHeld} {
		w.u64(v)
	}
	w.u32(l.MaxTransfersPerPeriod)
	w.field(item.Root)
	return w.out, w.err
}
