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
//
//spec:id O-02
func PublicKey(a *Scalar) (G1, error) {
	if a.IsZero() {
		return G1{}, fault.New(fault.ScalarZero, "a")
	}
	return mulBase(a), nil
}

// RandomisedKey is rk = pk_auth * g1^alpha: each statement shows a fresh one.
//
//spec:id O-04
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
	r, err := EncodeG1(&commitment)
	if err != nil {
		return nil, err
	}
	c, err := coreChallenge(&rk, r, core)
	if err != nil {
		return nil, err
	}
	var z Scalar
	z.Mul(&c, &key).Add(&z, &nonce)
	return append(r, EncodeScalar(&z)...), nil
}

// VerifyCore checks z*g1 = R + c*rk with both points fully checked.
//
//spec:id O-05
func VerifyCore(rk *G1, core [32]byte, signature []byte) error {
	if len(signature) != KeySignatureBytes {
		return fault.Newf(fault.BadLength, "key signature of %d bytes", len(signature))
	}
	if err := CheckG1(rk); err != nil {
		return err
	}
	claim, err := NewKeyClaim(rk, core, signature)
	if err != nil {
		return err
	}
	if !claim.commitment.IsInSubGroup() {
		return fault.New(fault.PointNotInSubgroup, "")
	}
	return claim.verify()
}

// KeyClaim says that a signature of a core holds under a randomised key. Its points are on the curve.
type KeyClaim struct {
	rk, commitment G1
	z, c           Scalar
}

// NewKeyClaim decodes a signature. The subgroup of its Points is the caller's to check, see InSubgroup.
func NewKeyClaim(rk *G1, core [32]byte, signature []byte) (*KeyClaim, error) {
	if len(signature) != KeySignatureBytes {
		return nil, fault.Newf(fault.BadLength, "key signature of %d bytes", len(signature))
	}
	if err := CheckOnCurve(rk); err != nil {
		return nil, err
	}
	k := &KeyClaim{rk: *rk}
	var err error
	if k.commitment, err = DecodeG1OnCurve(signature[:G1Bytes]); err != nil {
		return nil, err
	}
	if k.z, err = DecodeScalar(signature[G1Bytes:]); err != nil {
		return nil, err
	}
	k.c, err = coreChallenge(rk, signature[:G1Bytes], core)
	return k, err
}

// Points are rk and R.
func (k *KeyClaim) Points() []*G1 { return []*G1{&k.rk, &k.commitment} }

func (k *KeyClaim) verify() error {
	left, right := mulBase(&k.z), add(k.commitment, mul(&k.rk, &k.c))
	if !left.Equal(&right) {
		return fault.New(fault.KeySignatureInvalid, "")
	}
	return nil
}

// keyBatchFrom is where one multi-exponentiation is cheaper than two multiplications a claim.
const keyBatchFrom = 3

// VerifyKeyClaims accepts when every claim holds and refuses otherwise, except with probability 2^-128. All Points are in
// the subgroup. It checks sum w_i (z_i g1 - R_i - c_i rk_i) = O with fresh weights w_i of 128 bits; with fixed ones two
// wrong signatures could cancel each other out.
func VerifyKeyClaims(claims []*KeyClaim) error {
	if len(claims) < keyBatchFrom {
		for _, k := range claims {
			if err := k.verify(); err != nil {
				return err
			}
		}
		return nil
	}
	weights, err := drawWeights(len(claims))
	if err != nil {
		return err
	}
	if !keyClaimsHold(claims, weights) {
		return fault.New(fault.KeySignatureInvalid, "")
	}
	return nil
}

func keyClaimsHold(claims []*KeyClaim, weights []weight) bool {
	points, scalars := make([]G1, 0, 4*len(claims)), make([]half, 0, 4*len(claims))
	var z Scalar
	for i, k := range claims {
		var wc, wz Scalar
		wc.Mul(&weights[i].value, &k.c)
		z.Add(&z, wz.Mul(&weights[i].value, &k.z))
		u, v := endomorphism.split(&wc)
		points = append(points, k.commitment, endomorphism.of(&k.commitment), k.rk, endomorphism.of(&k.rk))
		scalars = append(scalars, half{weights[i].u}, half{weights[i].v}, u, v)
	}
	var right G1
	right.FromJacobian(&multiExp([][]G1{points}, scalars)[0])
	left := mulBase(&z)
	return left.Equal(&right)
}

// coreChallenge takes R as it is encoded.
func coreChallenge(rk *G1, commitment []byte, core [32]byte) (Scalar, error) {
	key, err := EncodeG1(rk)
	if err != nil {
		return Scalar{}, err
	}
	h := sha512.New()
	h.Write([]byte(keySignatureDomain))
	h.Write(commitment)
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
