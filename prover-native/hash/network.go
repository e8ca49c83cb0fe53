package hash

import (
	"crypto/sha256"

	"solidus.io/prover/fault"
)

// ErrNetworkID is returned for a network id outside [a-z0-9-]{3,32}.
var ErrNetworkID error = fault.New(fault.BadNetworkID, "")

// NetworkTag is the part of the network digest that enters every hash and every circuit.
type NetworkTag [16]byte

// NetworkDigest is SHA-256("solidus/network/v1\0" || id).
func NetworkDigest(id string) ([32]byte, error) {
	if !validNetworkID(id) {
		return [32]byte{}, ErrNetworkID
	}
	return sha256.Sum256([]byte("solidus/network/v1\x00" + id)), nil
}

// NetworkTagOf is the first 16 bytes of the network digest.
func NetworkTagOf(id string) (NetworkTag, error) {
	var tag NetworkTag
	digest, err := NetworkDigest(id)
	if err != nil {
		return tag, err
	}
	copy(tag[:], digest[:])
	return tag, nil
}

func validNetworkID(id string) bool {
	if len(id) < 3 || len(id) > 32 {
		return false
	}
	for _, c := range []byte(id) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
