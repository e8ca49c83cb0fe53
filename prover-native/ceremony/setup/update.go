package setup

import (
	"bytes"
	"crypto/rand"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	updates "github.com/consensys/gnark-crypto/ecc/bls12-381/mpcsetup"

	"solidus.io/prover/ceremony"
)

// generators, and the encoding of the first one
var (
	g1            bls.G1Affine
	g2            bls.G2Affine
	g1Encoded     [g1Bytes]byte
	errUpdateSize = ceremony.Refuse(ceremony.WrongUpdate, "a proof of an update")
)

func init() {
	_, _, g1, g2 = bls.Generators()
	g1Encoded = g1.Bytes()
}

// draw returns a uniform factor other than zero and one.
func draw() (fr.Element, error) {
	var one, e fr.Element
	one.SetOne()
	var wide [fr.Bytes + 16]byte
	defer clear(wide[:])
	for e.IsZero() || e.Equal(&one) {
		if _, err := rand.Read(wide[:]); err != nil {
			return e, err
		}
		e.SetBytes(wide[:])
	}
	return e, nil
}

// proveUpdate proves knowledge of x, in gnark's form: x g1 and x R, R being hashed from x g1 and the digest of the
// contribution before.
func proveUpdate(x *fr.Element, challenge []byte, dst byte) (updates.UpdateProof, error) {
	n := x.BigInt(new(big.Int))
	defer wipe(n)
	var proof updates.UpdateProof
	var commitment bls.G1Affine
	commitment.ScalarMultiplication(&g1, n)
	base, err := bls.HashToG2(append(commitment.Marshal(), challenge...), []byte{dst})
	if err != nil {
		return proof, err
	}
	var known bls.G2Affine
	known.ScalarMultiplication(&base, n)
	a, b := commitment.Bytes(), known.Bytes()
	_, err = proof.ReadFrom(bytes.NewReader(append(a[:], b[:]...)))
	return proof, err
}

// readProof checks both points with the exact tests before the library decodes them.
func readProof(c *cursor) (updates.UpdateProof, error) {
	var proof updates.UpdateProof
	first, second := c.g1(1), c.g2(1)
	if _, err := first.decodeG1(false); err != nil {
		return proof, err
	}
	if _, err := second.decodeG2(); err != nil {
		return proof, err
	}
	if bytes.Equal(first.raw, g1Encoded[:]) {
		return proof, ceremony.Refuse(ceremony.Degenerate, "a contribution of one changes nothing")
	}
	if _, err := proof.ReadFrom(bytes.NewReader(append(append([]byte(nil), first.raw...), second.raw...))); err != nil {
		return proof, errUpdateSize
	}
	return proof, nil
}

// scaleG1 multiplies every point by x.
func scaleG1(points []bls.G1Affine, x *fr.Element) {
	parallel(len(points), func(start, end int) {
		n := x.BigInt(new(big.Int))
		defer wipe(n)
		for i := start; i < end; i++ {
			points[i].ScalarMultiplication(&points[i], n)
		}
	})
}

// wipe clears the words behind n.
func wipe(n *big.Int) {
	words := n.Bits()
	clear(words[:cap(words)])
	n.SetInt64(0)
}
