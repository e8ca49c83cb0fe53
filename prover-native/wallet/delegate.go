package wallet

import (
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

var (
	proveInfo     = []byte("solidus/prove/v1")
	proofExporter = []byte("solidus/proof-key/v1")
)

// delegate has the prover make a proof that the wallet's owner chose. It sees what the transfer is, and has no spend key.
//
//spec:id W-46
func (r *run) delegate(family uint8, witness []byte) ([]byte, error) {
	ephemeral, err := ecdh.X25519().NewPrivateKey(r.draws()("prove", keyBytes, []byte{family}, witness))
	if err != nil {
		return nil, err
	}
	enc, sealed, key, err := r.net.sealWitness(r.Profile.ProverKey, ephemeral, family, witness)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(&struct {
		Family uint8 `json:"family"`
		Key    b64   `json:"encapsulatedKey"`
		Sealed b64   `json:"sealedWitness"`
	}{family, enc, sealed})
	if err != nil {
		return nil, err
	}
	name := sha256.Sum256(slices.Concat(enc, sealed))
	q := post("/v1/proofs", body, hex.EncodeToString(name[:]))
	q.spends = true
	answer, err := r.ask(q)
	if err != nil {
		return nil, err
	}
	var j struct {
		Proof b64 `json:"sealedProof"`
	}
	if json.Unmarshal(answer, &j) != nil {
		return nil, refuse("gateway-misbehaved", "not a sealed proof")
	}
	made, err := openProof(key, j.Proof)
	if err != nil {
		return nil, refuse("proof-unverified", "the prover sealed no proof for this wallet")
	}
	return made, nil
}

// sealWitness returns encapsulated key, ciphertext, and the key of the answer.
func (n *network) sealWitness(to []byte, ephemeral *ecdh.PrivateKey, family uint8, witness []byte) (enc, sealed, key []byte, err error) {
	public, err := ecdh.X25519().NewPublicKey(to)
	if err != nil {
		return nil, nil, nil, err
	}
	digest := n.Digest()
	return sealHPKE(public, ephemeral, proveInfo, append(digest[:], family), witness, proofExporter, keyBytes)
}

func openProof(key, sealed []byte) ([]byte, error) {
	aead, err := cipher.NewGCM(newAES(key))
	if err != nil {
		return nil, err
	}
	if len(sealed) < aead.NonceSize() {
		return nil, refuse("proof-unverified", "no sealed proof")
	}
	return aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], nil)
}
