package suite

import (
	"crypto/rand"
	"crypto/sha512"
	"math/big"

	"solidus.io/prover/fault"
	"solidus.io/prover/jubjub"
)

// KeySignatureBytes is the length of a signature R || z.
const KeySignatureBytes = jubjub.PointBytes + jubjub.ScalarBytes

const keySignatureDomain = "solidus/rk/v2"

// PublicKey is pk_auth = a B.
//
//spec:id O-02
func PublicKey(a *jubjub.Scalar) (jubjub.Point, error) {
	if a.IsZero() {
		return jubjub.Point{}, fault.New(fault.ScalarZero, "a")
	}
	return jubjub.MulBase(a), nil
}

// RandomisedKey is rk = pk_auth + alpha B: each statement shows a fresh one.
//
//spec:id O-04
func RandomisedKey(pkAuth *jubjub.Point, alpha *jubjub.Scalar) (jubjub.Point, error) {
	if err := jubjub.Check(pkAuth); err != nil {
		return jubjub.Point{}, err
	}
	rk := jubjub.Add(*pkAuth, jubjub.MulBase(alpha))
	if rk.IsZero() {
		return jubjub.Point{}, fault.New(fault.IdentityPoint, "rk")
	}
	return rk, nil
}

// SignCore signs a statement's core under the randomised key with Schnorr's scheme. The nonce is derived from the secret, the
// message and fresh randomness, so neither a weak generator nor a repeated core reveals the key.
func SignCore(a, alpha *jubjub.Scalar, core [32]byte) ([]byte, error) {
	var key jubjub.Scalar
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
	commitment, rk := jubjub.MulBase(&nonce), jubjub.MulBase(&key)
	r := jubjub.EncodePoint(&commitment)
	c := coreChallenge(&rk, r, core)
	var z jubjub.Scalar
	z.Mul(&c, &key)
	z.Add(&z, &nonce)
	return append(r, z.Bytes()...), nil
}

// VerifyCore checks z B = R + c rk with both points fully checked.
//
//spec:id O-05
func VerifyCore(rk *jubjub.Point, core [32]byte, signature []byte) error {
	claim, err := NewKeyClaim(rk, core, signature)
	if err != nil {
		return err
	}
	return VerifyKeyClaims([]*KeyClaim{claim})
}

// KeyClaim is the claim that a signature of a core holds under a randomised key. Its points are fully checked.
type KeyClaim struct {
	rk, commitment jubjub.Point
	z, c           jubjub.Scalar
}

// NewKeyClaim decodes a signature. It refuses rk and R unless they are on the curve, in the subgroup of order l and not the
// identity.
func NewKeyClaim(rk *jubjub.Point, core [32]byte, signature []byte) (*KeyClaim, error) {
	if len(signature) != KeySignatureBytes {
		return nil, fault.Newf(fault.BadLength, "key signature of %d bytes", len(signature))
	}
	if err := jubjub.Check(rk); err != nil {
		return nil, err
	}
	k := &KeyClaim{rk: *rk}
	var err error
	if k.commitment, err = jubjub.DecodePoint(signature[:jubjub.PointBytes]); err != nil {
		return nil, err
	}
	if err := jubjub.Check(&k.commitment); err != nil {
		return nil, err
	}
	if k.z, err = jubjub.DecodeScalar(signature[jubjub.PointBytes:]); err != nil {
		return nil, err
	}
	k.c = coreChallenge(rk, signature[:jubjub.PointBytes], core)
	return k, nil
}

// keyWeightBytes is the length of the random weights of a batch of claims.
const keyWeightBytes = 16

// VerifyKeyClaims returns nil when every claim holds and an error otherwise, except with probability 2^-128. It checks
// sum w_i (z_i B - R_i - c_i rk_i) = O with fresh weights w_i of 128 bits. With fixed weights two wrong signatures could cancel
// each other out. A claim alone needs no weight: its check is exact.
func VerifyKeyClaims(claims []*KeyClaim) error {
	if len(claims) == 0 {
		return nil
	}
	weights := []*big.Int{big.NewInt(1)}
	if len(claims) > 1 {
		var err error
		if weights, err = drawKeyWeights(len(claims)); err != nil {
			return err
		}
	}
	if !keyClaimsHold(claims, weights) {
		return fault.New(fault.KeySignatureInvalid, "")
	}
	return nil
}

func drawKeyWeights(n int) ([]*big.Int, error) {
	fresh := make([]byte, n*keyWeightBytes)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	weights := make([]*big.Int, n)
	for i := range weights {
		weights[i] = new(big.Int).SetBytes(fresh[i*keyWeightBytes : (i+1)*keyWeightBytes])
	}
	return weights, nil
}

func keyClaimsHold(claims []*KeyClaim, weights []*big.Int) bool {
	l, z := jubjub.Order(), new(big.Int)
	right := newJubjubSum(2 * len(claims))
	for i, k := range claims {
		wz, wc := new(big.Int).Mul(weights[i], k.z.Big()), new(big.Int).Mul(weights[i], k.c.Big())
		z.Add(z, wz)
		right.add(&k.commitment, weights[i])
		right.add(&k.rk, wc.Mod(wc, l))
	}
	sum := right.total()
	var left jubjub.Point
	left.ScalarMultiplicationBase(z.Mod(z, l))
	return left.Equal(&sum)
}

// coreChallenge takes R in its encoded form.
func coreChallenge(rk *jubjub.Point, commitment []byte, core [32]byte) jubjub.Scalar {
	h := sha512.New()
	h.Write([]byte(keySignatureDomain))
	h.Write(commitment)
	h.Write(jubjub.EncodePoint(rk))
	h.Write(core[:])
	return jubjub.Reduce(h.Sum(nil))
}

func coreNonce(key *jubjub.Scalar, core [32]byte) (jubjub.Scalar, error) {
	secret := key.Bytes()
	defer Wipe(secret)
	var fresh [32]byte
	for {
		if _, err := rand.Read(fresh[:]); err != nil {
			return jubjub.Scalar{}, err
		}
		h := sha512.New()
		h.Write(secret)
		h.Write(fresh[:])
		h.Write(core[:])
		digest := h.Sum(nil)
		nonce := jubjub.Reduce(digest)
		Wipe(digest)
		if !nonce.IsZero() {
			return nonce, nil
		}
	}
}
