package ceremony

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// recordDomain separates these signatures from all others of the platform.
const recordDomain = "solidus/ceremony/v1"

// MaxRecord is the largest size of a record's file, in bytes.
const MaxRecord = 1 << 20

// record is the file form of a signed statement: one line of JSON in its only valid encoding.
type record struct {
	Kind      string          `json:"kind"`
	Body      json.RawMessage `json:"body"`
	Key       string          `json:"key"`
	Signature string          `json:"signature"`
}

// Sign encodes a body and signs it. The kind names the type of the body, so that a record cannot be replaced by one of
// another type.
func Sign(key ed25519.PrivateKey, kind string, body any) ([]byte, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, Refuse(Malformed, "the record cannot be encoded")
	}
	return encode(&record{
		Kind: kind, Body: raw,
		Key:       hex.EncodeToString(key.Public().(ed25519.PublicKey)),
		Signature: hex.EncodeToString(ed25519.Sign(key, signedBytes(kind, raw))),
	})
}

// Open verifies a record and decodes its body. It returns the key that signed. The caller checks that it is the right key.
//
//spec:id K-01
func Open(raw []byte, kind string, body any) (ed25519.PublicKey, error) {
	if len(raw) > MaxRecord {
		return nil, Refuse(WrongSize, "a record of %d bytes", len(raw))
	}
	var r record
	if err := strict(raw, &r); err != nil {
		return nil, err
	}
	if r.Kind != kind {
		return nil, Refuse(Malformed, "a record of another kind, want %s", kind)
	}
	key, err := bytesOf(r.Key, ed25519.PublicKeySize)
	if err != nil {
		return nil, err
	}
	signature, err := bytesOf(r.Signature, ed25519.SignatureSize)
	if err != nil {
		return nil, err
	}
	if !ed25519.Verify(key, signedBytes(kind, r.Body), signature) {
		return nil, Refuse(WrongSignature, "%s", kind)
	}
	if err := strict(r.Body, body); err != nil {
		return nil, err
	}
	if again, err := json.Marshal(body); err != nil || !bytes.Equal(again, r.Body) {
		return nil, Refuse(Malformed, "the body is not in its canonical encoding")
	}
	if again, err := encode(&r); err != nil || !bytes.Equal(again, raw) {
		return nil, Refuse(Malformed, "the record is not in its canonical encoding")
	}
	return key, nil
}

func encode(r *record) ([]byte, error) {
	out, err := json.Marshal(r)
	if err != nil || len(out) >= MaxRecord {
		return nil, Refuse(Malformed, "the record cannot be encoded")
	}
	return append(out, '\n'), nil
}

func signedBytes(kind string, body []byte) []byte {
	return bytes.Join([][]byte{[]byte(recordDomain), []byte(kind), body}, []byte{0})
}

func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return Refuse(Malformed, "not the expected JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return Refuse(Malformed, "trailing data")
	}
	return nil
}

// Digest is the SHA-256 of bytes in hexadecimal.
func Digest(b []byte) string {
	d := sha256.Sum256(b)
	return hex.EncodeToString(d[:])
}

// Now returns the current time in the form that records use.
func Now() string { return time.Now().UTC().Format(time.RFC3339) }

// CheckTime refuses a text that is not a time in the form of Now. A time is a claim of its signer, and no rule depends on it.
func CheckTime(s string) error {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.UTC().Format(time.RFC3339) != s {
		return Refuse(Malformed, "invalid time")
	}
	return nil
}

// CheckText refuses a text that cannot be shown unchanged on one line of a terminal.
func CheckText(s string, limit int) error {
	control := strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
	if len(s) > limit || !utf8.ValidString(s) || control {
		return Refuse(Malformed, "a text is longer than %d bytes or not printable", limit)
	}
	return nil
}

// CheckName is CheckText for a name, which must not be empty.
func CheckName(s string) error {
	if strings.TrimSpace(s) == "" || strings.TrimSpace(s) != s {
		return Refuse(Malformed, "a name is empty or padded")
	}
	return CheckText(s, 80)
}

func bytesOf(s string, n int) ([]byte, error) {
	if err := CheckHex(s, n); err != nil {
		return nil, err
	}
	return hex.DecodeString(s)
}

// CheckHex refuses a text that is not n bytes in lower-case hexadecimal.
func CheckHex(s string, n int) error {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != n || hex.EncodeToString(b) != s {
		return Refuse(Malformed, "not %d bytes in hexadecimal", n)
	}
	return nil
}
