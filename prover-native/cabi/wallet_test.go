package cabi

import (
	"strings"
	"testing"

	"solidus.io/prover/fault"
)

// The bytes of page 6, "The core and its host", written without package wallet, as a host in another language writes them.

func walletEvent(kind uint8, body *request) *request {
	return new(request).u8(5).raw(make([]byte, 16)).u64(1_795_000_000_000).raw(make([]byte, 32)).u8(kind).sized(body.b)
}

// walletCreation has words that are right, and a manifest that nobody signed.
func walletCreation() *request {
	words := strings.Repeat("abandon ", 23) + "art"
	return new(request).sized([]byte(network)).raw(make([]byte, 32)).u32(1).sized([]byte("development")).
		sized([]byte("{}")).sized([]byte("00")).sized(nil).sized(nil).sized(nil).u8(0).sized([]byte("EUR")).
		sized(nil).sized(nil).sized(nil).sized(nil).u8(0).sized(nil).sized(nil).u32(0).sized([]byte(words))
}

//spec:id W-32
func TestWalletStepRefuses(t *testing.T) {
	refused(t, fault.KeysManifest, "WALLET_STEP", new(request).sized(nil).sized(walletEvent(1, walletCreation()).b))
	refused(t, fault.MalformedRequest, "WALLET_STEP", new(request).sized(nil).sized(walletEvent(7, new(request)).b))
	refused(t, fault.MalformedRequest, "WALLET_STEP", new(request).sized([]byte{1}).sized(walletEvent(7, new(request)).b))
	refused(t, fault.MalformedRequest, "WALLET_STEP", new(request).sized(nil).sized(nil))
	another := walletEvent(7, new(request))
	another.b[0] = 1
	refused(t, fault.MalformedRequest, "WALLET_STEP", new(request).sized(nil).sized(another.b))
}
