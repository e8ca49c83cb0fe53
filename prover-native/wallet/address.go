package wallet

import (
	"bytes"
	"crypto/subtle"
	"encoding"
	"encoding/binary"
	"slices"
	"strings"

	"golang.org/x/crypto/blake2b"
)

// address is where a coin goes.
type address struct {
	Apk     [32]byte
	Key     [32]byte
	Mailbox string // empty: the network's
}

const (
	addressPrefix  = "sld"
	addressVersion = 2
	addressBytes   = 98 // without a mailbox's name
	paddingBytes   = 16
)

var addressPadding = append([]byte(addressPrefix), make([]byte, paddingBytes-len(addressPrefix))...)

func (n *network) writeAddress(a *address) string {
	tag := n.Tag()
	content := slices.Concat([]byte{addressVersion}, tag[:], a.Apk[:], a.Key[:], []byte{byte(len(a.Mailbox))}, []byte(a.Mailbox), addressPadding)
	return writeBech32(addressPrefix, jumble(content))
}

// readAddress refuses with the code of the first rule that does not hold.
func (n *network) readAddress(text string) (*address, error) {
	malformed := refuse("malformed-request", "not an address")
	payload, ok := readBech32(addressPrefix, text)
	if !ok {
		return nil, malformed
	}
	if len(payload) < addressBytes {
		if len(payload) > 0 && payload[0] == 1 {
			return nil, refuse("unknown-version", "an address of version 1")
		}
		return nil, malformed
	}
	content := unjumble(payload)
	if !bytes.Equal(content[len(content)-paddingBytes:], addressPadding) {
		return nil, malformed
	}
	r := &formatReader{decoder{in: content[:len(content)-paddingBytes]}}
	if r.take(1)[0] != addressVersion {
		return nil, refuse("unknown-version", "an address of another version")
	}
	if tag := n.Tag(); !bytes.Equal(r.take(len(tag)), tag[:]) {
		return nil, refuse("wrong-network", "an address of another network")
	}
	a := &address{Apk: r.element(), Key: r.bytes32()}
	a.Mailbox = string(r.counted(maxMailbox))
	if r.err != nil || len(r.in) != 0 || a.Apk == [32]byte{} || !isMailbox(a.Mailbox) || checkEncryptionKey(a.Key[:]) != nil {
		return nil, malformed
	}
	return a, nil
}

// jumble is F4Jumble of ZIP 316, for strings of 48 bytes and more.
func jumble(b []byte) []byte {
	left, right := halves(b)
	right = xor(right, longHash(0, left, len(right)))
	left = xor(left, shortHash(0, right, len(left)))
	right = xor(right, longHash(1, left, len(right)))
	left = xor(left, shortHash(1, right, len(left)))
	return append(left, right...)
}

func unjumble(b []byte) []byte {
	left, right := halves(b)
	left = xor(left, shortHash(1, right, len(left)))
	right = xor(right, longHash(1, left, len(right)))
	left = xor(left, shortHash(0, right, len(left)))
	right = xor(right, longHash(0, left, len(right)))
	return append(left, right...)
}

func halves(b []byte) (left, right []byte) {
	n := min(blake2b.Size, len(b)/2)
	return b[:n], b[n:]
}

func xor(a, b []byte) []byte {
	out := make([]byte, len(a))
	subtle.XORBytes(out, a, b)
	return out
}

// shortHash is H_i, longHash is G_i.
func shortHash(i byte, u []byte, n int) []byte {
	return personal(n, append([]byte("UA_F4Jumble_H"), i, 0, 0), u)
}

func longHash(i byte, u []byte, n int) (out []byte) {
	for j := 0; len(out) < n; j++ {
		out = append(out, personal(blake2b.Size, append([]byte("UA_F4Jumble_G"), i, byte(j), byte(j>>8)), u)...)
	}
	return out[:n]
}

const (
	bechLetters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	bechSum     = 0x2bc830a3
	bechLimit   = 1023
	bechCheck   = 6
)

func bechPolymod(prefix string, words []byte) uint32 {
	sum := uint32(1)
	add := func(v byte) {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(v)
		for i, g := range []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	for _, c := range []byte(prefix) {
		add(c >> 5)
	}
	add(0)
	for _, c := range []byte(prefix) {
		add(c & 31)
	}
	for _, w := range words {
		add(w)
	}
	return sum
}

func writeBech32(prefix string, b []byte) string {
	words := regroup(b, 8, 5)
	sum := bechPolymod(prefix, append(slices.Clone(words), make([]byte, bechCheck)...)) ^ bechSum
	text := []byte(prefix + "1")
	for _, w := range words {
		text = append(text, bechLetters[w])
	}
	for i := range bechCheck {
		text = append(text, bechLetters[sum>>(5*(bechCheck-1-i))&31])
	}
	return string(text)
}

func readBech32(prefix, text string) ([]byte, bool) {
	if len(text) > bechLimit || strings.ToLower(text) != text && strings.ToUpper(text) != text {
		return nil, false
	}
	data, ok := strings.CutPrefix(strings.ToLower(text), prefix+"1")
	if !ok || len(data) < bechCheck {
		return nil, false
	}
	words := make([]byte, len(data))
	for i := range data {
		at := strings.IndexByte(bechLetters, data[i])
		if at < 0 {
			return nil, false
		}
		words[i] = byte(at)
	}
	if bechPolymod(prefix, words) != bechSum {
		return nil, false
	}
	words = words[:len(words)-bechCheck]
	b := regroup(words, 5, 8)
	b = b[:len(words)*5/8]
	// the bits behind the last byte are fewer than five, and zero
	return b, bytes.Equal(regroup(b, 8, 5), words)
}

// regroup writes groups of bits as groups of another size, with zeros behind the last bit.
func regroup(in []byte, from, to int) (out []byte) {
	value, bits := uint32(0), 0
	for _, v := range in {
		value, bits = value<<from|uint32(v), bits+from
		for bits >= to {
			bits -= to
			out = append(out, byte(value>>bits)&(1<<to-1))
		}
		value &= 1<<bits - 1
	}
	if bits > 0 {
		out = append(out, byte(value<<(to-bits))&(1<<to-1))
	}
	return out
}

// blakeStart are the first values of BLAKE2b.
var blakeStart = [8]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
}

// personal is BLAKE2b of n bytes with a personalisation of 16. The library has no personalisation, but it goes on from a state
// that is written down: that of a hash that has read nothing, whose first values depend on the parameters.
func personal(n int, person, u []byte) []byte {
	start := blakeStart
	start[0] ^= uint64(n) | 1<<16 | 1<<24
	start[6] ^= binary.LittleEndian.Uint64(person[:8])
	start[7] ^= binary.LittleEndian.Uint64(person[8:])
	state := []byte("b2b")
	for _, v := range start {
		state = binary.BigEndian.AppendUint64(state, v)
	}
	state = append(append(state, make([]byte, 16)...), byte(n))
	state = append(state, make([]byte, blake2b.BlockSize+1)...)
	h, err := blake2b.New(n, nil)
	if err == nil {
		err = h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state)
	}
	if err != nil {
		panic("BLAKE2b does not go on from its first state: " + err.Error())
	}
	h.Write(u)
	return h.Sum(nil)
}
