package dkg

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/hex"
	"testing"

	"solidus.io/prover/ceremony"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	must(t, err)
	return b
}

// RFC 9180, appendix A.2.1: the first encryption. The library draws the ephemeral key itself, so the vector tests the recipient,
// and the sender is tested against the recipient below and against the standard library in hpke_standard_test.go.
func TestHPKEVector(t *testing.T) {
	recipient, err := ecdh.X25519().NewPrivateKey(unhex(t, "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"))
	must(t, err)
	info, aad := unhex(t, "4f6465206f6e2061204772656369616e2055726e"), unhex(t, "436f756e742d30")
	sealed := unhex(t, "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"+
		"1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28")
	before := bytes.Clone(sealed)
	opened, err := unseal(recipient, info, aad, sealed)
	must(t, err)
	if want := unhex(t, "4265617574792069732074727574682c20747275746820626561757479"); !bytes.Equal(opened, want) {
		t.Fatalf("%x", opened)
	}
	if !bytes.Equal(sealed, before) {
		t.Fatal("the sealed message was overwritten")
	}
}

func TestSealedMessagesOpenOnlyUnchanged(t *testing.T) {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	must(t, err)
	other, err := ecdh.X25519().GenerateKey(rand.Reader)
	must(t, err)
	sealed, err := seal(key.PublicKey(), []byte("info"), []byte("aad"), []byte("plain"))
	must(t, err)
	if len(sealed) != sealOverhead+len("plain") {
		t.Fatalf("%d bytes", len(sealed))
	}
	opened, err := unseal(key, []byte("info"), []byte("aad"), sealed)
	must(t, err)
	if !bytes.Equal(opened, []byte("plain")) {
		t.Fatal("another plaintext")
	}
	for name, attempt := range map[string]func() ([]byte, error){
		"another key":  func() ([]byte, error) { return unseal(other, []byte("info"), []byte("aad"), sealed) },
		"another info": func() ([]byte, error) { return unseal(key, []byte("infO"), []byte("aad"), sealed) },
		"another aad":  func() ([]byte, error) { return unseal(key, []byte("info"), []byte("aaD"), sealed) },
		"cut":          func() ([]byte, error) { return unseal(key, []byte("info"), []byte("aad"), sealed[:len(sealed)-1]) },
		"short":        func() ([]byte, error) { return unseal(key, []byte("info"), []byte("aad"), sealed[:40]) },
		"zero point": func() ([]byte, error) {
			return unseal(key, []byte("info"), []byte("aad"), append(make([]byte, 32), sealed[32:]...))
		},
	} {
		if _, err := attempt(); ceremony.CodeOf(err) != ceremony.WrongShare {
			t.Errorf("%s: %v", name, err)
		}
	}
}
