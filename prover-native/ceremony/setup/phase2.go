package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/big"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark/backend/groth16/bls12-381/mpcsetup"

	"solidus.io/prover/ceremony"
)

const dstDelta = 0

// shape is the numbers of points of a circuit's phase 2.
type shape struct{ private, vanishing int }

func (s shape) size() int64 {
	return 2 + g1Bytes*int64(s.private+s.vanishing+1) + 2*4 + g2Bytes + proofBytes + challengeTrailer
}

// initialSize is the size of the initial file, which has no digest of a previous one.
func (s shape) initialSize() int64 { return s.size() - challengeTrailer + 1 }

// encodePhase2 encodes as gnark does.
func encodePhase2(p *mpcsetup.Phase2) ([]byte, error) {
	var out bytes.Buffer
	_, err := p.WriteTo(&out)
	return out.Bytes(), err
}

func digestOf(b []byte) []byte {
	d := sha256.Sum256(b)
	return d[:]
}

// readPhase2 decodes a contribution, or the initial file, which has no contributor.
func readPhase2(raw []byte, s shape, initial bool) (*mpcsetup.Phase2, error) {
	want := s.size()
	if initial {
		want = s.initialSize()
	}
	if int64(len(raw)) != want {
		return nil, ceremony.Refuse(ceremony.WrongSize, "%d bytes, want %d", len(raw), want)
	}
	c := &cursor{raw}
	p := &mpcsetup.Phase2{}
	if binary.BigEndian.Uint16(c.take(2)) != 0 {
		return nil, ceremony.Refuse(ceremony.Malformed, "the file has commitments, and no circuit has any")
	}
	if err := readParameters(p, c, s); err != nil {
		return nil, err
	}
	if initial {
		c.take(proofBytes) // the proof is all zero, which the comparison below checks
	} else if err := readDelta(p, c); err != nil {
		return nil, err
	}
	again, err := encodePhase2(p)
	if err != nil || !bytes.Equal(again, raw) {
		return nil, ceremony.Refuse(ceremony.NotAPoint, "a point is not in its canonical encoding")
	}
	return p, nil
}

func readParameters(p *mpcsetup.Phase2, c *cursor, s shape) error {
	delta := c.g1(1)
	points, err := delta.decodeG1(false)
	if err != nil {
		return err
	}
	p.Parameters.G1.Delta = points[0]
	// a wire that no constraint mentions has the identity here, and the update equation keeps it so
	if p.Parameters.G1.PKK, err = readRow(c, s.private, true); err != nil {
		return err
	}
	if p.Parameters.G1.Z, err = readRow(c, s.vanishing, false); err != nil {
		return err
	}
	second, err := c.g2(1).decodeG2()
	if err != nil {
		return err
	}
	p.Parameters.G2.Delta = second[0]
	return nil
}

func readRow(c *cursor, n int, identityAllowed bool) ([]bls.G1Affine, error) {
	if got := binary.BigEndian.Uint32(c.take(4)); got != uint32(n) {
		return nil, ceremony.Refuse(ceremony.WrongSize, "a row of %d points, want %d", got, n)
	}
	return c.g1(n).decodeG1(identityAllowed)
}

func readDelta(p *mpcsetup.Phase2, c *cursor) (err error) {
	if p.Delta, err = readProof(c); err != nil {
		return err
	}
	if p.Parameters.G1.Delta.Equal(&g1) {
		return ceremony.Refuse(ceremony.Degenerate, "delta")
	}
	p.Challenge, err = readChallenge(c)
	return err
}

// verifyPhase2 tells whether next follows on p, by gnark's own test.
//
//spec:id K-04
func verifyPhase2(p, next *mpcsetup.Phase2, before []byte) error {
	if !bytes.Equal(next.Challenge, before) {
		return ceremony.Refuse(ceremony.ChainBroken, "the contribution does not follow the one before it")
	}
	if err := p.Verify(next); err != nil {
		return ceremony.Refuse(ceremony.WrongUpdate, "delta")
	}
	return nil
}

// contributePhase2 multiplies delta by a fresh secret. before is the digest of the file before.
func contributePhase2(p *mpcsetup.Phase2, before []byte) error {
	delta, err := draw()
	if err != nil {
		return err
	}
	defer delta.SetZero()
	p.Challenge = before
	if p.Delta, err = proveUpdate(&delta, before, dstDelta); err != nil {
		return err
	}
	n := delta.BigInt(new(big.Int))
	p.Parameters.G1.Delta.ScalarMultiplication(&p.Parameters.G1.Delta, n)
	p.Parameters.G2.Delta.ScalarMultiplication(&p.Parameters.G2.Delta, n)
	wipe(n)
	delta.Inverse(&delta)
	scaleG1(p.Parameters.G1.Z, &delta)
	scaleG1(p.Parameters.G1.PKK, &delta)
	return nil
}
