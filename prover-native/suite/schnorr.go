package suite

import (
	"crypto/rand"
	"crypto/sha512"
	"math/big"

	"solidus.io/prover/fault"
)

// KeySignatureBytes is the length of a signature R || z.
const KeySignatureBytes = G1Bytes + ScalarBytes

const keySignatureDomain = "solidus/rk/v1"

// PublicKey is pk_auth = g1^a.
func PublicKey(a *Scalar) (G1, error) {
	if a.IsZero() {
		return G1{}, fault.New(fault.ScalarZero, "a")
	}
	return mulBase(a), nil
}

// RandomisedKey is rk = pk_auth * g1^alpha [O-04]: each statement shows a fresh one.
func RandomisedKey(pkAuth *G1, alpha *Scalar) (G1, error) {
	if err := CheckG1(pkAuth); err != nil {
		return G1{}, err
	}
	return finite(add(*pkAuth, mulBase(alpha)), "rk")
}

// SignCore signs a statement's core under the randomised key with Schnorr's scheme. The nonce mixes the secret,
// the message and fresh randomness, so neither a weak generator nor a repeated core gives the key away.
func SignCore(a, alpha *Scalar, core [32]byte) ([]byte, error) {
	var key Scalar
	key.Add(a, alpha)
	defer key.SetZero()
	if a.IsZero() || key.IsZero() {
		return nil, fault.New(fault.ScalarZero, "signing key")
	}
	nonce, err := coreNonce(&key, core)
	if err != nil {
		return nil, err
	}
	defer nonce.SetZero()
	commitment, rk := mulBase(&nonce), mulBase(&key)
	c, err := coreChallenge(&commitment, &rk, core)
	if err != nil {
		return nil, err
	}
	var z Scalar
	z.Mul(&c, &key).Add(&z, &nonce)
	r, err := EncodeG1(&commitment)
	if err != nil {
		return nil, err
	}
	return append(r, EncodeScalar(&z)...), nil
}

// VerifyCore checks z*g1 = R + c*rk [O-05] with both points fully checked.
func VerifyCore(rk *G1, core [32]byte, signature []byte) error {
	if len(signature) != KeySignatureBytes {
		return fault.Newf(fault.BadLength, "key signature of %d bytes", len(signature))
	}
	if err := CheckG1(rk); err != nil {
		return err
	}
	commitment, err := DecodeG1(signature[:G1Bytes])
	if err != nil {
		return err
	}
	z, err := DecodeScalar(signature[G1Bytes:])
	if err != nil {
		return err
	}
	c, err := coreChallenge(&commitment, rk, core)
	if err != nil {
		return err
	}
	left, right := mulBase(&z), add(commitment, mul(rk, &c))
	if !left.Equal(&right) {
		return fault.New(fault.KeySignatureInvalid, "")
	}
	return nil
}

func coreChallenge(commitment, rk *G1, core [32]byte) (Scalar, error) {
	r, err := EncodeG1(commitment)
	if err != nil {
		return Scalar{}, err
	}
	key, err := EncodeG1(rk)
	if err != nil {
		return Scalar{}, err
	}
	h := sha512.New()
	h.Write([]byte(keySignatureDomain))
	h.Write(r)
	h.Write(key)
	h.Write(core[:])
	return reduce(h.Sum(nil)), nil
}

func coreNonce(key *Scalar, core [32]byte) (Scalar, error) {
	secret := EncodeScalar(key)
	defer Wipe(secret)
	var fresh [32]byte
	for {
		if _, err := rand.Read(fresh[:]); err != nil {
			return Scalar{}, err
		}
		h := sha512.New()
		h.Write(secret)
		h.Write(fresh[:])
		h.Write(core[:])
		digest := h.Sum(nil)
		nonce := reduce(digest)
		Wipe(digest)
		if !nonce.IsZero() {
			return nonce, nil
		}
	}
}

// reduce maps 64 bytes to a scalar with a bias below 2^-258.
func reduce(digest []byte) Scalar {
	n := new(big.Int).SetBytes(digest)
	defer wipeInt(n)
	var s Scalar
	s.SetBigInt(n)
	return s
}
