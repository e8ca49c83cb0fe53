package dkg

import (
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"golang.org/x/crypto/chacha20poly1305"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/suite"
)

// HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20Poly1305, one message for each key.
// The standard library has it from Go 1.26 on; this module builds with 1.25. A test holds this against the vectors of the RFC
// and, where there is one, against the standard library.

const (
	kemID  = 0x0020
	kdfID  = 0x0001
	aeadID = 0x0003

	encapsulatedBytes = 32
	sealOverhead      = encapsulatedBytes + chacha20poly1305.Overhead
)

var (
	kemSuite  = binary.BigEndian.AppendUint16([]byte("KEM"), kemID)
	hpkeSuite = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte("HPKE"), kemID), kdfID), aeadID)
)

func labeledExtract(suiteID, salt []byte, label string, key []byte) ([]byte, error) {
	labeled := append(append(append([]byte("HPKE-v1"), suiteID...), label...), key...)
	defer suite.Wipe(labeled)
	return hkdf.Extract(sha256.New, labeled, salt)
}

func labeledExpand(suiteID, key []byte, label string, info []byte, n int) ([]byte, error) {
	labeled := binary.BigEndian.AppendUint16(nil, uint16(n))
	labeled = append(append(append(append(labeled, "HPKE-v1"...), suiteID...), label...), info...)
	return hkdf.Expand(sha256.New, key, string(labeled), n)
}

// seal encrypts to a public key. What comes out is the encapsulated key and the ciphertext.
func seal(to *ecdh.PublicKey, info, aad, plaintext []byte) ([]byte, error) {
	ephemeral, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return sealWith(ephemeral, to, info, aad, plaintext)
}

func sealWith(ephemeral *ecdh.PrivateKey, to *ecdh.PublicKey, info, aad, plaintext []byte) ([]byte, error) {
	shared, err := ephemeral.ECDH(to)
	if err != nil {
		return nil, ceremony.Refuse(ceremony.Malformed, "an encryption key")
	}
	enc := ephemeral.PublicKey().Bytes()
	box, nonce, err := schedule(shared, enc, to.Bytes(), info)
	if err != nil {
		return nil, err
	}
	return box.Seal(enc, nonce, plaintext, aad), nil
}

// unseal is the inverse. Whatever is wrong, it says the same.
func unseal(key *ecdh.PrivateKey, info, aad, sealed []byte) ([]byte, error) {
	bad := ceremony.Refuse(ceremony.WrongShare, "what was sealed does not open")
	if len(sealed) < sealOverhead {
		return nil, bad
	}
	from, err := ecdh.X25519().NewPublicKey(sealed[:encapsulatedBytes])
	if err != nil {
		return nil, bad
	}
	shared, err := key.ECDH(from)
	if err != nil {
		return nil, bad
	}
	box, nonce, err := schedule(shared, sealed[:encapsulatedBytes], key.PublicKey().Bytes(), info)
	if err != nil {
		return nil, err
	}
	plaintext, err := box.Open(nil, nonce, sealed[encapsulatedBytes:], aad)
	if err != nil {
		return nil, bad
	}
	return plaintext, nil
}

// schedule derives the cipher and the nonce of the first message.
func schedule(dh, enc, to, info []byte) (cipher.AEAD, []byte, error) {
	defer suite.Wipe(dh)
	prk, err := labeledExtract(kemSuite, nil, "eae_prk", dh)
	if err != nil {
		return nil, nil, err
	}
	shared, err := labeledExpand(kemSuite, prk, "shared_secret", append(append([]byte(nil), enc...), to...), 32)
	if err != nil {
		return nil, nil, err
	}
	defer suite.Wipe(shared)
	id, err := labeledExtract(hpkeSuite, nil, "psk_id_hash", nil)
	if err != nil {
		return nil, nil, err
	}
	hashed, err := labeledExtract(hpkeSuite, nil, "info_hash", info)
	if err != nil {
		return nil, nil, err
	}
	context := append(append([]byte{0}, id...), hashed...)
	secret, err := labeledExtract(hpkeSuite, shared, "secret", nil)
	if err != nil {
		return nil, nil, err
	}
	defer suite.Wipe(secret)
	key, err := labeledExpand(hpkeSuite, secret, "key", context, chacha20poly1305.KeySize)
	if err != nil {
		return nil, nil, err
	}
	defer suite.Wipe(key)
	nonce, err := labeledExpand(hpkeSuite, secret, "base_nonce", context, chacha20poly1305.NonceSize)
	if err != nil {
		return nil, nil, err
	}
	box, err := chacha20poly1305.New(key)
	return box, nonce, err
}

func hexOf(b []byte) string { return hex.EncodeToString(b) }

// bytesOf reads n bytes in lower-case hexadecimal.
func bytesOf(s string, n int) ([]byte, error) {
	if err := ceremony.CheckHex(s, n); err != nil {
		return nil, err
	}
	return hex.DecodeString(s)
}
