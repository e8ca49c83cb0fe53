package simulate

import (
	"encoding/binary"

	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Wire returns the canonical protobuf encoding of solidus.v1.TransferRequest (types.proto), with the policy and checkpoint
// versions of the terms. Canonical means: fields in their order, defaults left out.
func (f *Forged) Wire(t *Terms) ([]byte, error) {
	s, err := f.statementMessage()
	if err != nil {
		return nil, err
	}
	e, err := f.evidenceMessage(t)
	if err != nil {
		return nil, err
	}
	var attachments, m message
	attachments.bytes(1, f.Payout)
	attachments.bytes(2, f.Memo)
	m.bytes(1, s)
	m.bytes(2, e)
	m.bytes(3, attachments)
	return m, nil
}

func (f *Forged) statementMessage() (m message, err error) {
	s := f.Statement
	m.number(1, uint64(s.Family))
	for i := range s.Serials {
		m.bytes(2, suite.EncodeField(&s.Serials[i]))
	}
	for i := range s.Outputs {
		var coin message
		coin.bytes(1, suite.EncodeField(&s.Outputs[i].Cm))
		if err := coin.points(2, &s.Outputs[i].K); err != nil {
			return nil, err
		}
		m.bytes(3, coin)
	}
	m.number(4, uint64(s.Period))
	m.number(5, s.Withdrawn)
	m.bytes(6, s.Context[:])
	return m, nil
}

func (f *Forged) evidenceMessage(t *Terms) (m message, err error) {
	e := f.Evidence
	m.number(1, t.PolicyVersion)
	m.number(2, t.CheckpointVersion)
	m.number(3, uint64(e.CircuitVersion))
	m.bytes(4, jubjub.EncodePoint(&e.RK))
	for i := range e.Shows {
		var shown message
		if err := shown.points(1, &e.Shows[i].H, &e.Shows[i].M, &e.Shows[i].S); err != nil {
			return nil, err
		}
		m.bytes(5, shown)
	}
	m.bytes(6, e.Proof)
	m.bytes(7, e.KeySignature)
	return m, nil
}

// message is a protobuf message under construction.
type message []byte

const (
	wireVarint = 0
	wireBytes  = 2
)

func (m *message) number(field int, v uint64) {
	if v != 0 {
		*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3|wireVarint), v)
	}
}

func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3|wireBytes), uint64(len(b)))
	*m = append(*m, b...)
}

// points writes points under consecutive field numbers.
func (m *message) points(field int, points ...*suite.G1) error {
	for i, p := range points {
		b, err := suite.EncodeG1(p)
		if err != nil {
			return err
		}
		m.bytes(field+i, b)
	}
	return nil
}
