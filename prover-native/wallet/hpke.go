package wallet

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"filippo.io/hpke"
)

const (
	keyBytes = 32
	blobSize = 1200
)

var (
	kemSuite  = []byte("KEM\x00\x20")
	hpkeSuite = []byte("HPKE\x00\x20\x00\x01\x00\x02")
)

// Sealing is written out here, because the library draws the ephemeral key itself and the core draws nothing. Opening is the
// library's, so that the tests compare the two.

// sealHPKE seals one message with HPKE in base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. It returns the
// encapsulated key, the ciphertext, and so many bytes of the export.
func sealHPKE(to *ecdh.PublicKey, ephemeral *ecdh.PrivateKey, info, data, plaintext, exporter []byte, exported int) (enc, sealed, export []byte, err error) {
	shared, err := ephemeral.ECDH(to)
	if err != nil {
		return nil, nil, nil, err
	}
	enc = ephemeral.PublicKey().Bytes()
	prk := extract(kemSuite, nil, "eae_prk", shared)
	secret := expand(kemSuite, prk, "shared_secret", slices.Concat(enc, to.Bytes()), keyBytes)
	context := slices.Concat([]byte{0}, extract(hpkeSuite, nil, "psk_id_hash", nil), extract(hpkeSuite, nil, "info_hash", info))
	prk = extract(hpkeSuite, secret, "secret", nil)
	aead, err := cipher.NewGCM(newAES(expand(hpkeSuite, prk, "key", context, keyBytes)))
	if err != nil {
		return nil, nil, nil, err
	}
	sealed = aead.Seal(nil, expand(hpkeSuite, prk, "base_nonce", context, aead.NonceSize()), plaintext, data)
	export = expand(hpkeSuite, expand(hpkeSuite, prk, "exp", context, keyBytes), "sec", exporter, exported)
	return enc, sealed, export, nil
}

func extract(suiteID, salt []byte, label string, secret []byte) []byte {
	prk, err := hkdf.Extract(sha256.New, slices.Concat([]byte("HPKE-v1"), suiteID, []byte(label), secret), salt)
	if err != nil {
		panic("HKDF extracts from any secret")
	}
	return prk
}

func expand(suiteID, prk []byte, label string, info []byte, n int) []byte {
	labeled := slices.Concat(binary.BigEndian.AppendUint16(nil, uint16(n)), []byte("HPKE-v1"), suiteID, []byte(label), info)
	out, err := hkdf.Expand(sha256.New, prk, string(labeled), n)
	if err != nil {
		panic("HKDF gives up to 8,160 bytes")
	}
	return out
}

var (
	mailboxInfo = []byte("solidus/mailbox/v1")
	detection   = []byte("solidus/mailbox-detection/v1")
)

const (
	detectionBytes = 2
	parcelBytes    = blobSize - detectionBytes - keyBytes - aes.BlockSize
)

// sealBlob seals a parcel to a payee.
func (n *network) sealBlob(to []byte, ephemeral *ecdh.PrivateKey, content []byte) ([]byte, error) {
	key, err := ecdh.X25519().NewPublicKey(to)
	if err != nil {
		return nil, err
	}
	digest := n.Digest()
	enc, sealed, tag, err := sealHPKE(key, ephemeral, mailboxInfo, digest[:], content, detection, detectionBytes)
	return slices.Concat(tag, enc, sealed), err
}

// openBlob returns the content of a blob for this wallet, or nothing.
func (n *network) openBlob(own *ecdh.PrivateKey, blob []byte) []byte {
	if len(blob) != blobSize {
		return nil
	}
	key, err := hpke.NewDHKEMPrivateKey(own)
	if err != nil {
		return nil
	}
	enc := slices.Clone(blob[detectionBytes : detectionBytes+keyBytes])
	recipient, err := hpke.NewRecipient(enc, key, hpke.HKDFSHA256(), hpke.AES256GCM(), mailboxInfo)
	if err != nil {
		return nil
	}
	if tag, err := recipient.Export(string(detection), detectionBytes); err != nil || !bytes.Equal(tag, blob[:detectionBytes]) {
		return nil
	}
	digest := n.Digest()
	content, err := recipient.Open(digest[:], blob[detectionBytes+keyBytes:])
	if err != nil {
		return nil
	}
	return content
}
