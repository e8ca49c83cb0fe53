package wallet

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"

	"solidus.io/prover/fault"
)

// Blind tokens (page 10): RFC 9578 with RSABSSA-SHA384-PSS-Deterministic of RFC 9474. They say that a registered wallet asks, and
// not which.

const (
	tokenType      = 2
	tokenExponent  = 65_537
	tokenModulus   = 256
	tokenSalt      = 48
	tokenFactor    = 288
	tokenNonce     = 32
	tokenSigned    = 98 // of a token
	blindTokenSize = tokenSigned + tokenModulus
	tokenBits      = 8 * tokenModulus
)

// DER up to the modulus, and behind it.
var (
	tokenKeyBefore, _ = hex.DecodeString("30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d010108300b0609608648016503040202a2030201300382010f003082010a0282010100")
	tokenKeyAfter     = []byte{2, 3, 1, 0, 1}
)

// tokenKey is the key of a day's tokens.
type tokenKey struct {
	id     [32]byte
	public *rsa.PublicKey
}

func readTokenKey(spki []byte) (*tokenKey, error) {
	bad := fault.New(fault.MalformedRequest, "not RSA with 2048 bits for RSASSA-PSS")
	if len(spki) != len(tokenKeyBefore)+tokenModulus+len(tokenKeyAfter) || !bytes.HasPrefix(spki, tokenKeyBefore) || !bytes.HasSuffix(spki, tokenKeyAfter) {
		return nil, bad
	}
	n := new(big.Int).SetBytes(spki[len(tokenKeyBefore) : len(tokenKeyBefore)+tokenModulus])
	if n.BitLen() != tokenBits || n.Bit(0) == 0 {
		return nil, bad
	}
	return &tokenKey{sha256.Sum256(spki), &rsa.PublicKey{N: n, E: tokenExponent}}, nil
}

// challengeDigest is that of a challenge with an empty context.
func challengeDigest(issuer, origin string) [32]byte {
	b := []byte{0, tokenType}
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(issuer))), issuer...)
	b = append(b, 0)
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(origin))), origin...)
	return sha256.Sum256(b)
}

// encodePSS is EMSA-PSS for 2047 bits (RFC 8017, section 9.1.1).
func encodePSS(message, salt []byte) []byte {
	digest := sha512.Sum384(message)
	h := sha512.Sum384(slices.Concat(make([]byte, 8), digest[:], salt))
	block := make([]byte, tokenModulus-len(h)-1)
	block[len(block)-len(salt)-1] = 1
	copy(block[len(block)-len(salt):], salt)
	for i := 0; i < len(block); i += len(h) {
		mask := sha512.Sum384(append(h[:len(h):len(h)], u32(uint32(i/len(h)))...))
		for j := i; j < min(i+len(h), len(block)); j++ {
			block[j] ^= mask[j-i]
		}
	}
	block[0] &= 0x7f
	return slices.Concat(block, h[:], []byte{0xbc})
}

// blindedToken is one that the issuer is asked for.
type blindedToken struct {
	key     *tokenKey
	message []byte
	inverse *big.Int
	request []byte
}

func blindToken(key *tokenKey, challenge [32]byte, nonce, salt []byte, factor *big.Int) (*blindedToken, error) {
	n := key.public.N
	t := &blindedToken{key: key, message: slices.Concat([]byte{0, tokenType}, nonce, challenge[:], key.id[:]), inverse: new(big.Int)}
	if t.inverse.ModInverse(factor, n) == nil {
		return nil, fault.New(fault.MalformedRequest, "the factor is not prime to the modulus")
	}
	blinded := new(big.Int).Exp(factor, big.NewInt(tokenExponent), n)
	blinded.Mul(blinded, new(big.Int).SetBytes(encodePSS(t.message, salt))).Mod(blinded, n)
	t.request = append([]byte{0, tokenType, key.id[31]}, blinded.FillBytes(make([]byte, tokenModulus))...)
	return t, nil
}

// finish is the token of an answer. It refuses one that does not verify.
func (t *blindedToken) finish(answer []byte) ([]byte, error) {
	if len(answer) != tokenModulus {
		return nil, refuse("signature-invalid", "not the issuer's signature on a token")
	}
	s := new(big.Int).SetBytes(answer)
	s.Mul(s, t.inverse).Mod(s, t.key.public.N)
	authenticator := s.FillBytes(make([]byte, tokenModulus))
	if t.key.verify(t.message, authenticator) != nil {
		return nil, refuse("signature-invalid", "not the issuer's signature on a token")
	}
	return append(slices.Clone(t.message), authenticator...), nil
}

func (k *tokenKey) verify(message, authenticator []byte) error {
	digest := sha512.Sum384(message)
	return rsa.VerifyPSS(k.public, crypto.SHA384, digest[:], authenticator, &rsa.PSSOptions{SaltLength: tokenSalt})
}

// token draws the token with a number of a day.
func (k *secrets) token(key *tokenKey, challenge [32]byte, day uint64, number uint32) (*blindedToken, error) {
	parts := [][]byte{u64(day), u32(number), key.id[:], challenge[:]}
	factor := new(big.Int).SetBytes(k.derive("token/factor", tokenFactor, parts...))
	factor.Mod(factor, key.public.N)
	return blindToken(key, challenge, k.derive("token/nonce", tokenNonce, parts...), k.derive("token/salt", tokenSalt, parts...), factor)
}

// tokenSecond is that of a day from which a wallet fetches its tokens.
func (k *secrets) tokenSecond(day uint64) uint64 {
	return uint64(binary.BigEndian.Uint32(k.derive("token/second", 4, u64(day)))) % 86_400
}
