package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"slices"

	"solidus.io/prover/fault"
)

// AES-256-GCM-SIV (RFC 8452), which neither Go's library nor golang.org/x/crypto has. Memos are a kilobyte, so nothing here is
// optimised. It runs in constant time as far as crypto/aes does.

const (
	sivNonce = 12
	sivTag   = 16
)

// sealSIV returns the ciphertext with its tag.
func sealSIV(key, nonce, plaintext, data []byte) []byte {
	block, auth := sivKeys(key, nonce)
	tag := sivTagOf(block, auth, nonce, plaintext, data)
	return append(sivCounter(block, tag, plaintext), tag...)
}

// openSIV refuses what sealSIV did not make.
func openSIV(key, nonce, sealed, data []byte) ([]byte, error) {
	if len(sealed) < sivTag {
		return nil, fault.New(fault.BadLength, "a sealed memo")
	}
	block, auth := sivKeys(key, nonce)
	body, tag := sealed[:len(sealed)-sivTag], sealed[len(sealed)-sivTag:]
	plaintext := sivCounter(block, tag, body)
	if subtle.ConstantTimeCompare(sivTagOf(block, auth, nonce, plaintext, data), tag) != 1 {
		clear(plaintext)
		return nil, fault.New(fault.SignatureInvalid, "the memo does not open")
	}
	return plaintext, nil
}

// sivKeys derives the cipher and the key of POLYVAL for one nonce.
func sivKeys(key, nonce []byte) (block cipher.Block, auth []byte) {
	root := newAES(key)
	var derived []byte
	for counter := range uint32(6) {
		in := append(binary.LittleEndian.AppendUint32(nil, counter), nonce...)
		root.Encrypt(in, in)
		derived = append(derived, in[:8]...)
	}
	return newAES(derived[16:]), derived[:16]
}

// newAES is for keys of 32 bytes, which the library always takes.
func newAES(key []byte) cipher.Block {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("a key of AES has 32 bytes")
	}
	return block
}

func sivTagOf(block cipher.Block, auth, nonce, plaintext, data []byte) []byte {
	lengths := binary.LittleEndian.AppendUint64(nil, 8*uint64(len(data)))
	lengths = binary.LittleEndian.AppendUint64(lengths, 8*uint64(len(plaintext)))
	tag := polyval(auth, data, plaintext, lengths)
	subtle.XORBytes(tag, tag, nonce)
	tag[15] &= 0x7f
	block.Encrypt(tag, tag)
	return tag
}

// sivCounter encrypts or decrypts: AES-CTR with a little-endian counter of 32 bits in front.
func sivCounter(block cipher.Block, tag, in []byte) []byte {
	counter := slices.Clone(tag)
	counter[15] |= 0x80
	out := make([]byte, len(in))
	var stream [aes.BlockSize]byte
	for at := 0; at < len(in); at += aes.BlockSize {
		block.Encrypt(stream[:], counter)
		subtle.XORBytes(out[at:], in[at:], stream[:])
		binary.LittleEndian.PutUint32(counter, binary.LittleEndian.Uint32(counter)+1)
	}
	return out
}

// element is a value of GF(2^128) in the bit order of GHASH.
type element struct{ high, low uint64 }

// halved is the element times x, modulo the polynomial of GHASH.
func (e element) halved() element {
	carry := -(e.low & 1)
	return element{e.high>>1 ^ carry&(0xe1<<56), e.low>>1 | e.high<<63}
}

func (e element) times(o element) (sum element) {
	for i := range 128 {
		word := e.high
		if i >= 64 {
			word = e.low
		}
		bit := -(word >> (63 - i%64) & 1)
		sum.high ^= bit & o.high
		sum.low ^= bit & o.low
		o = o.halved()
	}
	return sum
}

// reversed reads 16 bytes from the last to the first: POLYVAL is GHASH on reversed blocks, with a key times x (RFC 8452, appendix A).
func reversed(b []byte) element {
	return element{binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[:8])}
}

// polyval is over the parts, each filled with zeros to whole blocks.
func polyval(key []byte, parts ...[]byte) []byte {
	h := reversed(key).halved()
	var sum element
	for _, part := range parts {
		for len(part) > 0 {
			var block [16]byte
			part = part[copy(block[:], part):]
			x := reversed(block[:])
			sum = element{sum.high ^ x.high, sum.low ^ x.low}.times(h)
		}
	}
	out := binary.LittleEndian.AppendUint64(nil, sum.low)
	return binary.LittleEndian.AppendUint64(out, sum.high)
}
