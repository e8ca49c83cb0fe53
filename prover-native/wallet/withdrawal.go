package wallet

import (
	"bytes"
	"crypto/ecdh"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"

	"solidus.io/prover/suite"
)

const (
	payoutBytes     = 512
	payoutPlain     = payoutBytes - keyBytes - 16
	maxAccountUnits = 140
)

var (
	payoutInfo = []byte("solidus/payout/v1")
	ibanForm   = regexp.MustCompile(`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`)
)

// normalise drops what a person may type, and refuses what cannot be paid out: the money has left the network once the
// withdrawal is signed.
//
//spec:id W-42
func (a *bankAccount) normalise() error {
	a.Creditor, a.Reference = strings.TrimSpace(a.Creditor), strings.TrimSpace(a.Reference)
	a.IBAN = strings.ToUpper(strings.ReplaceAll(a.IBAN, " ", ""))
	if !isBankText(a.Creditor) || a.Creditor == "" || !isBankText(a.Reference) {
		return refuse("malformed-request", "the name or the reference of a bank account")
	}
	if !ibanForm.MatchString(a.IBAN) || !ibanHolds(a.IBAN) {
		return refuse("malformed-request", "not an IBAN")
	}
	if checkEncryptionKey(a.Key[:]) != nil {
		return refuse("malformed-request", "the key that a payout is sealed to")
	}
	if text, err := a.instruction(); err != nil || len(text) > payoutPlain {
		return refuse("malformed-request", "the payout instruction is too long")
	}
	return nil
}

func isBankText(s string) bool {
	return len(utf16.Encode([]rune(s))) <= maxAccountUnits && !strings.ContainsFunc(s, unicode.IsControl)
}

// ibanHolds verifies the check digits of ISO 13616.
func ibanHolds(iban string) bool {
	n := new(big.Int)
	for _, c := range iban[4:] + iban[:4] {
		digit, base := int64(c-'0'), int64(10)
		if c >= 'A' {
			digit, base = int64(c-'A')+10, 100
		}
		n.Add(n.Mul(n, big.NewInt(base)), big.NewInt(digit))
	}
	return n.Mod(n, big.NewInt(97)).Cmp(big.NewInt(1)) == 0
}

// instruction is what only the issuance service reads.
func (a *bankAccount) instruction() ([]byte, error) {
	var text bytes.Buffer
	writer := json.NewEncoder(&text)
	writer.SetEscapeHTML(false)
	err := writer.Encode(&struct {
		Creditor  string `json:"creditorName"`
		IBAN      string `json:"iban"`
		Reference string `json:"reference"`
	}{a.Creditor, a.IBAN, a.Reference})
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// payoutBlock seals the instruction of a withdrawal. Every other transfer has random bytes in its place, which look the same.
func (r *run) payoutBlock(lead *suite.Field, to *bankAccount) ([]byte, error) {
	name := suite.EncodeField(lead)
	if to == nil {
		random := r.draws()("payout", payoutBytes, name)
		random[31] &= 0x7f
		return random, nil
	}
	text, err := to.instruction()
	if err != nil {
		return nil, err
	}
	plain := make([]byte, payoutPlain)
	copy(plain, text)
	ephemeral, err := ecdh.X25519().NewPrivateKey(r.draws()("payout-key", keyBytes, name, to.Key[:], plain))
	if err != nil {
		return nil, err
	}
	return r.net.sealPayout(to.Key, ephemeral, plain)
}

func (n *network) sealPayout(to [32]byte, ephemeral *ecdh.PrivateKey, plain []byte) ([]byte, error) {
	key, err := ecdh.X25519().NewPublicKey(to[:])
	if err != nil {
		return nil, err
	}
	digest := n.Digest()
	enc, sealed, _, err := sealHPKE(key, ephemeral, payoutInfo, digest[:], plain, nil, 0)
	return append(enc, sealed...), err
}

// redeem asks for the payouts that wait. What gets no answer or is refused waits for a later command: it is worth money.
func (r *run) redeem() error {
	if r.isOut(roleIssuance) {
		return nil
	}
	for i := range r.Redemptions {
		r.progress("payout", 0)
		err := r.askForPayout(&r.Redemptions[i])
		switch {
		case isOutage(err):
			// next time the others come first: it may be this payout that the service fails at
			r.Redemptions = behindOthers(r.Redemptions, i)
			return r.goesOut(roleIssuance)
		case codeOf(err) != "":
			continue
		case err != nil:
			return err
		}
		r.Redemptions = append(r.Redemptions[:i], r.Redemptions[i+1:]...)
		return r.commit()
	}
	return nil
}

func (r *run) askForPayout(d *redemption) error {
	body, err := json.Marshal(&struct {
		Request  json.RawMessage `json:"request"`
		Partials json.RawMessage `json:"partials"`
	}{d.Request, d.Partials})
	if err != nil {
		return err
	}
	q := post("/v1/redemptions", body, hex.EncodeToString(d.Core[:]))
	q.role, q.impatient = roleIssuance, true
	_, err = r.once(q)
	return err
}
