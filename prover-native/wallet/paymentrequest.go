package wallet

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// paymentRequest is what a payee asks for (F-37). An address alone asks for any amount, as often as the payer likes.
type paymentRequest struct {
	payee    *address
	amount   uint64 // 0 where the payer chooses it
	currency string
	expires  uint64 // in milliseconds, 0 for no end
	id       []byte // nil for a request that may be paid often
	tag      []byte
	label    string
	refund   *address
	signer   []byte
}

const (
	requestPrefix  = "sldr"
	requestScheme  = "sld:"
	requestVersion = 1
	tokenBytes     = 16
	maxLabel       = 100
	addressKeys    = 64
	lastField      = 8
	passedOverFrom = 128
	signatureField = 255
)

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

// readRequestText reads a request or an address, with or without the scheme.
func (n *network) readRequestText(text string) (*paymentRequest, error) {
	text = strings.TrimFunc(text, func(c rune) bool { return c == ' ' || c >= '\t' && c <= '\r' })
	if len(text) >= len(requestScheme) && strings.EqualFold(text[:len(requestScheme)], requestScheme) {
		text = text[len(requestScheme):]
	}
	content, ok := readBech32(requestPrefix, text)
	if !ok {
		to, err := n.readAddress(text)
		return &paymentRequest{payee: to}, err
	}
	return n.readFields(content)
}

// readFields gives the code of the first failure.
func (n *network) readFields(content []byte) (*paymentRequest, error) {
	malformed := refuse("malformed-request", "a payment request")
	r := &formatReader{decoder{in: content}}
	q := &paymentRequest{}
	version, own := r.take(1)[0], n.Tag()
	tag := r.in[:min(len(r.in), len(own))]
	switch {
	case r.err != nil:
		return nil, malformed
	case version != requestVersion:
		return nil, refuse("unknown-version", "a payment request of another version")
	case len(tag) != len(own):
		return nil, malformed
	case !bytes.Equal(tag, own[:]):
		return nil, refuse("wrong-network", "a payment request of another network")
	}
	r.take(len(own))
	last := 0
	for r.err == nil && len(r.in) > 0 {
		before := content[:len(content)-len(r.in)]
		kind := int(r.take(1)[0])
		if kind <= last {
			return nil, malformed
		}
		last = kind
		length := int(r.take(1)[0])
		if r.err != nil || length > len(r.in) {
			return nil, malformed
		}
		if err := n.readField(q, kind, r.take(length), before); err != nil {
			return nil, err
		}
	}
	if r.err != nil || q.payee == nil || (q.amount == 0) != (q.currency == "") {
		return nil, malformed
	}
	return q, nil
}

func (n *network) readField(q *paymentRequest, kind int, value, before []byte) error {
	ok := true
	switch kind {
	case 1:
		q.payee, ok = readKeys(value)
	case 2:
		q.amount, ok = readNumber(value)
		ok = ok && q.amount != 0
	case 3:
		q.currency, ok = string(value), currencyForm.Match(value)
	case 4:
		q.expires, ok = readNumber(value)
	case 5:
		q.id, ok = value, len(value) == tokenBytes
	case 6:
		q.tag, ok = value, len(value) == tokenBytes
	case 7:
		q.label, ok = string(value), isLabel(value)
	case lastField:
		q.refund, ok = readKeys(value)
	case signatureField:
		if ok = len(value) == ed25519.PublicKeySize+ed25519.SignatureSize; !ok {
			break
		}
		digest := n.Digest()
		signed := slices.Concat([]byte("solidus/payment-request/v1\n"), digest[:], before)
		if !ed25519.Verify(value[:ed25519.PublicKeySize], signed, value[ed25519.PublicKeySize:]) {
			return refuse("signature-invalid", "the signature of a payment request")
		}
		q.signer = value[:ed25519.PublicKeySize]
	default:
		if kind < passedOverFrom {
			return refuse("unknown-version", "a payment request with a field that this wallet does not know")
		}
	}
	if !ok {
		return refuse("malformed-request", "a field of a payment request")
	}
	return nil
}

func readNumber(b []byte) (uint64, bool) {
	r := &formatReader{decoder{in: b}}
	value := r.amount()
	return value, r.err == nil && len(r.in) == 0
}

func readKeys(b []byte) (*address, bool) {
	if len(b) < addressKeys {
		return nil, false
	}
	r := &formatReader{decoder{in: b}}
	a := &address{Apk: r.element(), Key: r.bytes32(), Mailbox: string(b[addressKeys:])}
	return a, r.err == nil && a.Apk != [32]byte{} && isMailbox(a.Mailbox) && checkEncryptionKey(a.Key[:]) == nil
}

func isLabel(b []byte) bool {
	hidden := func(c rune) bool {
		return c < 0x20 || c >= 0x7f && c <= 0x9f || c == 0x61c || c == 0x200b || c == 0x200e || c == 0x200f ||
			c >= 0x2028 && c <= 0x202e || c >= 0x2060 && c <= 0x206f || c == 0xfeff
	}
	s := string(b)
	return len(b) > 0 && len(b) <= maxLabel && utf8.Valid(b) && s[0] != ' ' && s[len(s)-1] != ' ' && !strings.ContainsFunc(s, hidden)
}

// text is that of the payment: the id first, by which the payee finds it.
func (q *paymentRequest) text() string {
	if q.id == nil {
		return q.label
	}
	return strings.TrimSuffix(hex.EncodeToString(q.id)+" "+q.label, " ")
}

// pays reports whether a transfer is the payment of the request with this id, whatever the amount.
//
//spec:id W-45
func (i *intent) pays(m *memo) bool {
	return i.request != nil && slices.ContainsFunc(m.paidRequests(), func(p paidRequest) bool {
		return p.payee == i.to.Apk && bytes.Equal(p.id, i.request)
	})
}
