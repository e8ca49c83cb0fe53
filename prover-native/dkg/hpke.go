package dkg

import (
	"crypto/ecdh"
	"encoding/hex"

	"filippo.io/hpke"

	"solidus.io/prover/ceremony"
)

// Shares travel sealed with HPKE (RFC 9180) in base mode, one message for each context: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256
// and ChaCha20Poly1305. A sealed message is the encapsulated key followed by the ciphertext.
//
// The API of the library is that of crypto/hpke, which Go has from 1.26 on. This module builds with 1.25. The library does not
// clear the shared secret and the keys that it derives. Callers clear the plaintext.

const (
	encapsulatedBytes = 32
	sealOverhead      = encapsulatedBytes + 16 // the tag of ChaCha20Poly1305
)

// seal encrypts plaintext to a public key.
func seal(to *ecdh.PublicKey, info, aad, plaintext []byte) ([]byte, error) {
	recipient, err := hpke.NewDHKEMPublicKey(to)
	if err != nil {
		return nil, err
	}
	encapsulated, sender, err := hpke.NewSender(recipient, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), info)
	if err != nil {
		return nil, ceremony.Refuse(ceremony.Malformed, "an encryption key")
	}
	ciphertext, err := sender.Seal(aad, plaintext)
	return append(encapsulated, ciphertext...), err
}

// unseal decrypts what seal returned. All failures return the same error.
func unseal(key *ecdh.PrivateKey, info, aad, sealed []byte) ([]byte, error) {
	bad := ceremony.Refuse(ceremony.WrongShare, "what was sealed does not open")
	if len(sealed) < sealOverhead {
		return nil, bad
	}
	private, err := hpke.NewDHKEMPrivateKey(key)
	if err != nil {
		return nil, err
	}
	// v0.4.0 appends to the encapsulated key, and would overwrite the ciphertext that follows it in the same array
	encapsulated := sealed[:encapsulatedBytes:encapsulatedBytes]
	recipient, err := hpke.NewRecipient(encapsulated, private, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), info)
	if err != nil {
		return nil, bad
	}
	plaintext, err := recipient.Open(aad, sealed[encapsulatedBytes:])
	if err != nil {
		return nil, bad
	}
	return plaintext, nil
}

func hexOf(b []byte) string { return hex.EncodeToString(b) }

// bytesOf reads n bytes in lower-case hexadecimal.
func bytesOf(s string, n int) ([]byte, error) {
	if err := ceremony.CheckHex(s, n); err != nil {
		return nil, err
	}
	return hex.DecodeString(s)
}
