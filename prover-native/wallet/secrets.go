package wallet

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	_ "embed" // the list of words
	"encoding/binary"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

//go:embed words.txt
var wordList string

// wordNumbers are the places of the English words of BIP-39.
var wordNumbers = func() map[string]int {
	numbers := map[string]int{}
	for i, word := range strings.Fields(wordList) {
		numbers[word] = i
	}
	return numbers
}()

const (
	phraseWords = 24
	wordBits    = 11
	seedBytes   = 64
)

// seedOf is the seed of a phrase of 24 words.
func seedOf(phrase string) ([]byte, error) {
	words := strings.FieldsFunc(strings.ToLower(norm.NFKD.String(phrase)), func(c rune) bool { return c == ' ' || c >= '\t' && c <= '\r' })
	if len(words) != phraseWords {
		return nil, refuse("seed-phrase-invalid", "not 24 words")
	}
	bits := new(big.Int)
	for _, word := range words {
		number, ok := wordNumbers[word]
		if !ok {
			return nil, refuse("seed-phrase-invalid", "a word that is not in the list")
		}
		bits.Or(bits.Lsh(bits, wordBits), big.NewInt(int64(number)))
	}
	content := bits.FillBytes(make([]byte, 33))
	if sum := sha256.Sum256(content[:32]); sum[0] != content[32] {
		return nil, refuse("seed-phrase-invalid", "the checksum is wrong")
	}
	return pbkdf2.Key(sha512.New, strings.Join(words, " "), []byte("mnemonic"), 2048, seedBytes)
}

// secrets are everything that follows from a seed in a network.
type secrets struct {
	prk       []byte
	nk        suite.Field
	a         jubjub.Scalar
	pkAuth    jubjub.Point
	apk, snk  suite.Field
	receiving *ecdh.PrivateKey
	memoKey   []byte
}

func newSecrets(n *statement.Network, seed []byte) (*secrets, error) {
	digest := n.Digest()
	prk, err := hkdf.Extract(sha512.New, seed, append([]byte("solidus/wallet/v1"), digest[:]...))
	if err != nil {
		return nil, err
	}
	k := &secrets{prk: prk}
	k.nk = k.element("nullifier-key")
	for label := "spend-key"; k.a.IsZero(); label += "'" {
		k.a = jubjub.Reduce(k.derive(label, 64))
	}
	if k.pkAuth, err = suite.PublicKey(&k.a); err != nil {
		return nil, err
	}
	if k.receiving, err = ecdh.X25519().NewPrivateKey(k.derive("encryption-key", 32)); err != nil {
		return nil, err
	}
	k.memoKey = k.derive("memo-key", 32)
	k.apk, k.snk = n.Hasher().Address(k.nk, &k.pkAuth)
	return k, nil
}

// wipe overwrites what can be overwritten. The library keeps a copy of the X25519 key until it is collected.
func (k *secrets) wipe() {
	clear(k.prk)
	clear(k.memoKey)
	k.nk.SetZero()
	k.snk.SetZero()
	k.a.SetZero()
}

// derive is derive(label, n; parts).
func (k *secrets) derive(label string, n int, parts ...[]byte) []byte {
	info := append([]byte{byte(len(label))}, label...)
	for _, part := range parts {
		info = append(binary.BigEndian.AppendUint16(info, uint16(len(part))), part...)
	}
	out, err := hkdf.Expand(sha512.New, k.prk, string(info), n)
	if err != nil {
		panic("HKDF gives up to 16,320 bytes")
	}
	return out
}

func (k *secrets) element(label string, parts ...[]byte) suite.Field {
	return reduced(k.derive(label, 64, parts...))
}

func (k *secrets) scalar(label string, parts ...[]byte) (s suite.Scalar) {
	for ; s.IsZero(); label += "'" {
		s = k.element(label, parts...)
	}
	return s
}

// recoverSecrets follow from a seed, the lead, the two cores and the credits, so two devices make the same recover.
type recoverSecrets struct {
	seed, history suite.Field
	blindings     [2]clause.Blinding
	payout        []byte // in the place of a payout instruction
}

func (k *secrets) recover(lead *suite.Field, over [2][32]byte, credits uint8) *recoverSecrets {
	parts := [][]byte{suite.EncodeField(lead), over[0][:], over[1][:], u32(uint32(credits))}
	x := &recoverSecrets{
		seed: k.element("recover/seed", parts...), history: k.element("recover/history", parts...), payout: k.derive("recover/payout", payoutBytes, parts...),
	}
	x.payout[31] &= 0x7f
	for j := range x.blindings {
		of := slices.Concat(parts, [][]byte{u32(uint32(j))})
		x.blindings[j] = clause.Blinding{S: k.element("recover/s", of...), B: k.scalar("recover/b", of...)}
	}
	return x
}

// reduced is 64 bytes as an integer, modulo r. It overwrites them.
func reduced(wide []byte) (e suite.Field) {
	n := new(big.Int).SetBytes(wide)
	e.SetBigInt(n)
	clear(n.Bits())
	clear(wide)
	return e
}

func u32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
