package wallet

import (
	"bytes"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/binary"
	"regexp"
	"unicode"
	"unicode/utf8"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

const (
	memoBytes    = statement.MemoBytes - sivTag
	memoVersion  = 2
	maxMailbox   = 63
	maxClaimed   = 16
	maxText      = 140
	amountLimit  = 1 << 63
	smallLimit   = 1 << 31
	sivLabel     = "solidus/memo/v1"
	recoverLabel = "solidus/recover-memo/v1"
)

// memo is what a transfer was.
type memo struct {
	Counter    uint16
	Time       uint64
	Paid       uint64
	Payee      [32]byte
	PayeeKey   [32]byte
	Mailbox    string
	Withdrawn  uint64
	Unfinished uint32
	Claimed    []claimed
	Text       string
	// More are the payments behind the first one, in a transfer to several payees.
	More []memoPayment
	// Rest is what another wallet of the phrase wrote behind the text, such as the lines of a list. The block is sealed anew from the
	// memo, so its bytes have to stay.
	Rest []byte
}

// claimed is a coin that a transfer claims.
type claimed struct {
	Origin uint8
	Value  uint64
	Rho    [32]byte
}

func (m *memo) encode() []byte {
	if len(m.More) > 0 {
		return m.encodeSeveral()
	}
	b := []byte{memoVersion}
	b = binary.BigEndian.AppendUint16(b, m.Counter)
	b = binary.BigEndian.AppendUint64(b, m.Time)
	b = binary.BigEndian.AppendUint64(b, m.Paid)
	b = append(append(b, m.Payee[:]...), m.PayeeKey[:]...)
	b = append(append(b, byte(len(m.Mailbox))), m.Mailbox...)
	b = binary.BigEndian.AppendUint64(b, m.Withdrawn)
	b = binary.BigEndian.AppendUint32(b, m.Unfinished)
	b = m.appendClaimed(b)
	b = append(append(b, byte(len(m.Text))), m.Text...)
	b = append(b, m.Rest...)
	return append(b, make([]byte, memoBytes-len(b))...)
}

func (m *memo) appendClaimed(b []byte) []byte {
	b = append(b, byte(len(m.Claimed)))
	for i := range m.Claimed {
		b = append(b, m.Claimed[i].Origin)
		b = binary.BigEndian.AppendUint64(b, m.Claimed[i].Value)
		b = append(b, m.Claimed[i].Rho[:]...)
	}
	return b
}

// decodeMemo refuses what a newer wallet may have written. What it takes, encode writes again to the byte.
func decodeMemo(b []byte) (*memo, error) {
	if len(b) == severalBytes {
		return decodeSeveral(b)
	}
	r := &formatReader{decoder{in: b}}
	if len(b) != memoBytes || r.take(1)[0] != memoVersion {
		return nil, fault.New(fault.MalformedRequest, "a memo of another version")
	}
	m := &memo{Counter: binary.BigEndian.Uint16(r.take(2)), Time: r.u64(), Paid: r.amount(), Payee: r.element()}
	m.PayeeKey = r.bytes32()
	m.Mailbox, m.Withdrawn, m.Unfinished = string(r.counted(maxMailbox)), r.amount(), binary.BigEndian.Uint32(r.take(4))
	m.Claimed = r.claimed(maxClaimed)
	m.Text = string(r.counted(maxText))
	if r.err != nil {
		return nil, r.err
	}
	m.Rest = bytes.Clone(bytes.TrimRight(r.in, "\x00"))
	if m.Unfinished >= smallLimit {
		return nil, fault.New(fault.MalformedRequest, "a memo")
	}
	return m, m.payments()[0].check()
}

// formatReader reads the parts of page 8.
type formatReader struct{ decoder }

func (r *formatReader) u64() uint64 { return binary.BigEndian.Uint64(r.take(8)) }

func (r *formatReader) amount() uint64 {
	n := r.u64()
	if n >= amountLimit {
		r.fail("an amount")
	}
	return n
}

func (r *formatReader) origin() uint8 {
	o := r.take(1)[0]
	if o > uint8(hash.OriginOwn) {
		r.fail("an origin")
	}
	return o
}

func (r *formatReader) claimed(limit byte) (all []claimed) {
	count := r.take(1)[0]
	if count > limit {
		r.fail("too many claimed coins")
		return nil
	}
	for range count {
		all = append(all, claimed{r.origin(), r.amount(), r.element()})
	}
	return all
}

func (r *formatReader) bytes32() (b [32]byte) {
	copy(b[:], r.take(len(b)))
	return b
}

func (r *formatReader) element() [32]byte {
	b := r.bytes32()
	if _, err := suite.DecodeField(b[:]); err != nil {
		r.fail("an element")
	}
	return b
}

func (r *formatReader) counted(limit int) []byte {
	n := int(r.take(1)[0])
	if n > limit {
		r.fail("a text is too long")
		return nil
	}
	return bytes.Clone(r.take(n))
}

func (r *formatReader) signature() (s [signatureBytes]byte) {
	copy(s[:], r.take(len(s)))
	return s
}

var mailboxForm = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)?$`)

func isMailbox(name string) bool { return len(name) <= maxMailbox && mailboxForm.MatchString(name) }

func memoNonce(snCc *suite.Field) []byte {
	sum := sha256.Sum256(append([]byte("solidus/memo-nonce/v1"), suite.EncodeField(snCc)...))
	return sum[:sivNonce]
}

func (k *secrets) sealMemo(snCc *suite.Field, m *memo) []byte {
	content := m.encode()
	return sealSIV(k.memoKey, memoNonce(snCc), content, []byte(labelOf(content)))
}

// openTransferMemo returns the bytes of the memo of a transfer, to one payee or to several.
func (k *secrets) openTransferMemo(snCc *suite.Field, block []byte) ([]byte, error) {
	return k.openMemo(snCc, block, labelOf(block[:max(0, len(block)-sivTag)]))
}

// labelOf is the associated data of a memo, which follows from its length.
func labelOf(content []byte) string {
	if len(content) == severalBytes {
		return severalLabel
	}
	return sivLabel
}

// openMemo returns the bytes of a memo that this wallet's phrase sealed.
func (k *secrets) openMemo(snCc *suite.Field, block []byte, label string) ([]byte, error) {
	return openSIV(k.memoKey, memoNonce(snCc), block, []byte(label))
}

// checkEncryptionKey refuses what is not the public key that RFC 7748 writes, and keys of small order.
func checkEncryptionKey(b []byte) error {
	bad := fault.New(fault.MalformedRequest, "an encryption key")
	// below 2^255 - 19, little endian
	if b[31] > 0x7f || b[31] == 0x7f && bytes.Equal(b[1:31], bytes.Repeat([]byte{0xff}, 30)) && b[0] >= 0xed {
		return bad
	}
	public, err := ecdh.X25519().NewPublicKey(b)
	if err != nil {
		return bad
	}
	one, err := ecdh.X25519().NewPrivateKey(append([]byte{1}, make([]byte, 31)...))
	if err != nil {
		return bad
	}
	if _, err := one.ECDH(public); err != nil { // zero
		return bad
	}
	return nil
}

// Kinds of parcels.
const (
	parcelPayment        = 1
	parcelMinted         = 2
	parcelFirstSignature = 3
	parcelCase           = 4
	parcelVersion        = 2
	maxShownText         = 255
	signatureBytes       = 2 * suite.G1Bytes
)

// parcel is what a message of the mailbox holds; Kind says which members count.
type parcel struct {
	Kind      uint8
	Origin    uint8
	Value     uint64
	Rho       [32]byte
	Signature [signatureBytes]byte
	Time      uint64
	Text      string
	Case      registrationCase
	Tag       [32]byte
}

func (p *parcel) encode() []byte {
	b := []byte{parcelVersion, p.Kind}
	text := func(s string) { b = append(append(b, byte(len(s))), s...) }
	switch p.Kind {
	case parcelPayment, parcelMinted:
		if p.Kind == parcelPayment {
			b = append(b, p.Origin)
		}
		b = binary.BigEndian.AppendUint64(b, p.Value)
		b = append(append(b, p.Rho[:]...), p.Signature[:]...)
		b = binary.BigEndian.AppendUint64(b, p.Time)
		if p.Kind == parcelPayment {
			text(p.Text)
		}
	case parcelFirstSignature:
		b = append(b, p.Signature[:]...)
	case parcelCase:
		text(p.Case.ID)
		text(p.Case.Token)
		b = append(b, p.Tag[:]...)
	}
	return append(b, make([]byte, parcelBytes-len(b))...)
}

// decodeParcel refuses kinds that this wallet does not know. It does not look behind the body.
func decodeParcel(b []byte) (*parcel, error) {
	r := &formatReader{decoder{in: b}}
	if r.take(1)[0] != parcelVersion {
		r.fail("a parcel of another version")
	}
	p := &parcel{Kind: r.take(1)[0]}
	switch p.Kind {
	case parcelPayment:
		p.Origin = r.origin()
		p.Value, p.Rho, p.Signature, p.Time = r.amount(), r.element(), r.signature(), r.u64()
		p.Text = shownText(r.counted(maxShownText))
	case parcelMinted:
		p.Origin = uint8(hash.OriginMint)
		p.Value, p.Rho, p.Signature, p.Time = r.amount(), r.element(), r.signature(), r.u64()
	case parcelFirstSignature:
		p.Signature = r.signature()
	case parcelCase:
		// bytes that are no UTF-8 have no right tag
		p.Case = registrationCase{ID: string(r.counted(maxAccess)), Token: string(r.counted(maxAccess))}
		p.Tag = r.bytes32()
		return p, r.err
	default:
		r.fail("a parcel of another kind")
	}
	if r.err == nil {
		_, r.err = decodeSignature(&p.Signature)
	}
	return p, r.err
}

// shownText leaves out what a person must not be shown, and what is too long.
func shownText(b []byte) string {
	var shown []rune
	for _, c := range string(b) { // a wrong byte is U+FFFD
		if !unicode.Is(unicode.Cc, c) && !unicode.Is(unicode.Cf, c) && len(shown) < maxText {
			shown = append(shown, c)
		}
	}
	return string(shown)
}

func isText(s string) bool { return len(s) <= maxText && utf8.ValidString(s) }

func encodeSignature(s *suite.Signature) (b [signatureBytes]byte, err error) {
	s1, err := suite.EncodeG1(&s.S1)
	if err != nil {
		return b, err
	}
	s2, err := suite.EncodeG1(&s.S2)
	copy(b[:], append(s1, s2...))
	return b, err
}

func decodeSignature(b *[signatureBytes]byte) (s suite.Signature, err error) {
	if s.S1, err = suite.DecodeG1(b[:suite.G1Bytes]); err != nil {
		return s, err
	}
	s.S2, err = suite.DecodeG1(b[suite.G1Bytes:])
	return s, err
}
