package wallet

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Transfers to several payees with one proof (family 8). This core makes none. It follows those of another wallet of its phrase,
// sends them again, and has no proof of them.

const (
	severalBytes   = statement.LongMemoBytes - sivTag
	severalVersion = 3
	severalLabel   = "solidus/memo-payments/v1"
	severalClaims  = 2
	minPayees      = 2
)

// memoPayment is one of the payments of a memo.
type memoPayment struct {
	Paid     uint64
	Payee    [32]byte
	PayeeKey [32]byte
	Mailbox  string
	Text     string
}

func (p *memoPayment) check() error {
	if !utf8.ValidString(p.Text) || p.Payee == [32]byte{} || !isMailbox(p.Mailbox) {
		return fault.New(fault.MalformedRequest, "a memo")
	}
	return checkEncryptionKey(p.PayeeKey[:])
}

// payments are all of them, in the order of the transfer's.
func (m *memo) payments() []memoPayment {
	return append([]memoPayment{{m.Paid, m.Payee, m.PayeeKey, m.Mailbox, m.Text}}, m.More...)
}

func (m *memo) encodeSeveral() []byte {
	b := binary.BigEndian.AppendUint16([]byte{severalVersion}, m.Counter)
	b = binary.BigEndian.AppendUint64(b, m.Time)
	b = binary.BigEndian.AppendUint64(b, m.Withdrawn)
	b = m.appendClaimed(binary.BigEndian.AppendUint32(b, m.Unfinished))
	all := m.payments()
	b = append(b, byte(len(all)))
	for i := range all {
		p := &all[i]
		b = binary.BigEndian.AppendUint64(b, p.Paid)
		b = append(append(b, p.Payee[:]...), p.PayeeKey[:]...)
		b = append(append(b, byte(len(p.Mailbox))), p.Mailbox...)
		b = append(append(b, byte(len(p.Text))), p.Text...)
	}
	b = append(b, m.Rest...)
	return append(b, make([]byte, severalBytes-len(b))...)
}

func decodeSeveral(b []byte) (*memo, error) {
	r := &formatReader{decoder{in: b}}
	if r.take(1)[0] != severalVersion {
		return nil, fault.New(fault.MalformedRequest, "a memo of another version")
	}
	m := &memo{Counter: binary.BigEndian.Uint16(r.take(2)), Time: r.u64(), Withdrawn: r.amount(), Unfinished: binary.BigEndian.Uint32(r.take(4))}
	m.Claimed = r.claimed(severalClaims)
	count := int(r.take(1)[0])
	if count < minPayees || count > transfer.Pay8.Payees || m.Unfinished >= smallLimit {
		r.fail("a memo of two to eight payees")
		count = 0
	}
	var all []memoPayment
	for range count {
		p := memoPayment{Paid: r.amount(), Payee: r.element(), PayeeKey: r.bytes32()}
		p.Mailbox, p.Text = string(r.counted(maxMailbox)), string(r.counted(maxText))
		if r.err == nil {
			r.err = p.check()
		}
		all = append(all, p)
	}
	if r.err != nil {
		return nil, r.err
	}
	m.Paid, m.Payee, m.PayeeKey, m.Mailbox, m.Text = all[0].Paid, all[0].Payee, all[0].PayeeKey, all[0].Mailbox, all[0].Text
	m.More, m.Rest = all[1:], bytes.Clone(bytes.TrimRight(r.in, "\x00"))
	return m, nil
}

// payees are the payments of a plan, and in a shape with more places payments of nothing to the wallet itself.
func (m *memo) payees(own *suite.Field, places int) (all []transfer.Payment, err error) {
	for _, p := range m.payments() {
		recipient, err := suite.DecodeField(p.Payee[:])
		if err != nil {
			return nil, err
		}
		all = append(all, transfer.Payment{Recipient: recipient, Paid: p.Paid})
	}
	for len(all) < places {
		all = append(all, transfer.Payment{Recipient: *own})
	}
	return all, nil
}

// outputOf is the place of a payment among the outputs: the next compliance coin is the second one.
func outputOf(payment int) int {
	if payment > 0 {
		return payment + 1
	}
	return payment
}

// messages are the payees' coins, sealed. A transfer to several payees has one for each of its places, in random order: those that
// pay nobody are sealed to a key that nobody has, so nobody who counts messages learns how many are paid.
func (r *run) messages(p *plan, signatures []suite.Signature) ([]delivery, error) {
	paid := p.memo.payments()
	several := len(paid) > 1
	var all []delivery
	for i := range p.Payments {
		var one *delivery
		var err error
		switch {
		case i < len(paid) && paid[i].Paid > 0:
			one, err = r.delivery(p, i, &signatures[outputOf(i)])
		case several:
			one, err = r.toNobody(p, i)
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, *one)
	}
	slices.SortFunc(all, func(x, y delivery) int { return bytes.Compare(r.turn(p, &x), r.turn(p, &y)) })
	return all, nil
}

func (r *run) turn(p *plan, d *delivery) []byte {
	return r.draws()("message-order", keyBytes, p.core[:], d.Message.Digest[:])
}

// toNobody goes to a bucket that follows from the wallet's secrets, those who are paid and the place: also when it is made again.
func (r *run) toNobody(p *plan, place int) (*delivery, error) {
	key := [32]byte(r.draws()("nobody", keyBytes, p.core[:], u32(uint32(place))))
	key[31] &= 0x7f
	sealed, err := r.seal(key, &parcel{Kind: parcelPayment})
	if err != nil {
		return nil, fault.New(fault.Internal, "a parcel")
	}
	return &delivery{Payee: r.keys.nobody(p.memo.payments(), place), Message: *sealed}, nil
}

// nobody is an address that nobody has.
func (k *secrets) nobody(paid []memoPayment, place int) [32]byte {
	var group [][]byte
	for i := range paid {
		group = append(group, paid[i].Payee[:])
	}
	slices.SortFunc(group, bytes.Compare)
	e := k.element("mailbox-nobody", slices.Concat(group...), u32(uint32(place)))
	return bytes32(&e)
}
