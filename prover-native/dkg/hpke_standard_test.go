//go:build go1.26

package dkg

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/rand"
	"testing"
)

// Both directions against the standard library, which has HPKE from Go 1.26 on.
func TestTheStandardLibraryAgrees(t *testing.T) {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	must(t, err)
	private, err := hpke.NewDHKEMPrivateKey(key)
	must(t, err)
	sealed, err := seal(key.PublicKey(), []byte("info"), nil, []byte("there"))
	must(t, err)
	opened, err := hpke.Open(private, hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), []byte("info"), sealed)
	must(t, err)
	if !bytes.Equal(opened, []byte("there")) {
		t.Fatal("another plaintext")
	}
	sealed, err = hpke.Seal(private.PublicKey(), hpke.HKDFSHA256(), hpke.ChaCha20Poly1305(), []byte("info"), []byte("back"))
	must(t, err)
	opened, err = unseal(key, []byte("info"), nil, sealed)
	must(t, err)
	if !bytes.Equal(opened, []byte("back")) {
		t.Fatal("another plaintext")
	}
}
