package cabi

import (
	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/keys"
	"solidus.io/prover/sanction"
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
	e := &statement.OwnerEvidence{CircuitVersion: r.u32(), RK: r.uncheckedKey(), Proof: r.sized(), KeySignature: r.sized()}
	return s, e, r.end()
}

// DecodeMint reads the part after the verifier of a VERIFY_MINT request. It skips the version.
func DecodeMint(b []byte) (s *statement.Mint, proof []byte, err error) {
	r := &reader{in: b}
	s = &statement.Mint{MintID: r.array32(), Value: r.u64(), Coin: r.coin()}
	r.u32()
	proof = r.sized()
	return s, proof, r.end()
}

// WitnessInputs checks a witness as PROVE does, including its version and family, and returns the public inputs that a
// validator would assemble for it, with the link that is a part of them.
func WitnessInputs(set *keys.Set, family statement.Family, witness []byte) ([]suite.Field, *suite.Link, error) {
	body := &reader{in: witness}
	if body.u8() != witnessVersion || statement.Family(body.u8()) != family || body.err != nil {
		return nil, nil, fault.New(fault.MalformedRequest, "not a witness of this family and version")
	}
	j, err := readJob(set, family, body)
	if err != nil {
		return nil, nil, coded(invalid(err))
	}
	j.link.Wipe()
	return j.public, &j.link.Shown, nil
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
	w.key(&e.RK)
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
	for _, v := range []uint64{l.MaxPerTransfer, l.MaxPerPeriod, l.MaxHeld, l.MaxEscrow} {
		w.u64(v)
	}
	w.u32(l.MaxTransfersPerPeriod)
	w.field(item.Root)
	return w.out, w.err
}

// EncodeTransferWitness writes the witness of a regulated transfer as PROVE reads it, for a core. pkAuth is the owner's key. The
// third point of a shown signature is no part of a proof, so the first takes its place.
func EncodeTransferWitness(core [32]byte, pkAuth *jubjub.Point, x *transfer.Witness) ([]byte, error) {
	h := hash.New(x.Network)
	messages, err := x.Messages(h)
	if err != nil {
		return nil, err
	}
	w, p := &writer{}, &x.Public
	w.u8(witnessVersion)
	w.u8(uint8(statement.FamilyTransfer))
	w.bytes(core[:])
	apk := h.Apk(x.Owner.Nk, pkAuth)
	w.field(&x.Owner.Nk)
	w.key(pkAuth)
	w.compliance(&apk, &x.Cc)
	for _, in := range x.In {
		w.u64(in.Value)
		w.u8(uint8(in.Origin))
		w.field(&in.Rho)
		w.flag(in.Dummy)
	}
	w.flag(x.Escrow)
	w.field(&x.Recipient)
	w.u64(x.Paid)
	w.u64(p.Withdrawn)
	w.u32(p.Period)
	for _, e := range []*suite.Field{&p.D, &x.Seed, &x.EntryR} {
		w.field(e)
	}
	for j := range x.Blindings {
		w.field(&x.Blindings[j].S)
		w.field(&x.Blindings[j].B)
	}
	w.bytes(x.Owner.Alpha.Bytes())
	for i, s := range []clause.Shown{p.ShowCc, p.Show[0], p.Show[1]} {
		w.point(&s.H)
		w.point(&s.M)
		w.point(&s.H)
		w.field([]*suite.Field{&x.ShowCcBlind, &x.ShowBlind[0], &x.ShowBlind[1]}[i])
		w.field(&messages[i])
	}
	for _, v := range []uint64{p.VSent, p.VTotal, p.VHeld, p.VEscrow} {
		w.u64(v)
	}
	w.u32(p.VCount)
	w.field(&p.Root)
	w.path(&x.SenderPath)
	w.path(&x.RecipientPath)
	return w.out, w.err
}

func (w *writer) path(p *sanction.Path) {
	w.bytes(p.Low[:])
	w.bytes(p.High[:])
	w.u32(p.Index)
	for level := range p.Siblings {
		w.field(&p.Siblings[level][0])
		w.field(&p.Siblings[level][1])
	}
}
