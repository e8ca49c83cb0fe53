package setup

import (
	"bytes"
	"encoding/binary"
	"io"
	"runtime"
	"sync"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/groth"
)

const (
	g1Bytes = bls.SizeOfG1AffineCompressed
	g2Bytes = bls.SizeOfG2AffineCompressed
	// proofBytes is the length of the proof of an update: a point of each group.
	proofBytes = g1Bytes + g2Bytes

	// The first three bits of a point are flags of its encoding.
	flagMask         = 0xe0
	flagSmallest     = 0x80
	flagLargest      = 0xa0
	flagIdentity     = 0xc0
	challengeTrailer = 1 + 32
)

// cursor walks over a file of exactly the expected size, so that it cannot reach the end too early.
type cursor struct{ rest []byte }

func (c *cursor) take(n int) []byte {
	b := c.rest[:n]
	c.rest = c.rest[n:]
	return b
}

func (c *cursor) g1(n int) section { return section{c.take(n * g1Bytes), n, g1Bytes} }
func (c *cursor) g2(n int) section { return section{c.take(n * g2Bytes), n, g2Bytes} }

// section is a sequence of n encoded points of the same size.
type section struct {
	raw     []byte
	n, size int
}

func (s section) at(i int) []byte { return s.raw[i*s.size : (i+1)*s.size] }

// checkFlags refuses everything but compressed points. It refuses the identity unless that is allowed.
func (s section) checkFlags(identityAllowed bool) error {
	for i := range s.n {
		switch s.raw[i*s.size] & flagMask {
		case flagSmallest, flagLargest:
		case flagIdentity:
			if !identityAllowed {
				return ceremony.Refuse(ceremony.IdentityPoint, "point %d", i)
			}
		default:
			return ceremony.Refuse(ceremony.NotAPoint, "point %d is not compressed", i)
		}
	}
	return nil
}

// list returns the section in the form in which the library reads slices: with its length first. The library's decoder uses
// all processors.
func (s section) list() io.Reader {
	return io.MultiReader(bytes.NewReader(binary.BigEndian.AppendUint32(nil, uint32(s.n))), bytes.NewReader(s.raw))
}

func (s section) decodeG1(identityAllowed bool) ([]bls.G1Affine, error) {
	if err := s.checkFlags(identityAllowed); err != nil {
		return nil, err
	}
	var points []bls.G1Affine
	if err := bls.NewDecoder(s.list(), bls.NoSubgroupChecks()).Decode(&points); err != nil {
		return nil, ceremony.Refuse(ceremony.NotAPoint, "of G1")
	}
	for i := range points {
		if !points[i].IsOnCurve() {
			return nil, ceremony.Refuse(ceremony.NotAPoint, "of G1")
		}
	}
	if !groth.InSubgroupG1(points) {
		return nil, ceremony.Refuse(ceremony.WrongSubgroup, "a point of G1")
	}
	return points, nil
}

func (s section) decodeG2() ([]bls.G2Affine, error) {
	if err := s.checkFlags(false); err != nil {
		return nil, err
	}
	var points []bls.G2Affine
	if err := bls.NewDecoder(s.list(), bls.NoSubgroupChecks()).Decode(&points); err != nil {
		return nil, ceremony.Refuse(ceremony.NotAPoint, "of G2")
	}
	for i := range points {
		if !points[i].IsOnCurve() {
			return nil, ceremony.Refuse(ceremony.NotAPoint, "of G2")
		}
	}
	if !groth.InSubgroupG2(points) {
		return nil, ceremony.Refuse(ceremony.WrongSubgroup, "a point of G2")
	}
	return points, nil
}

// parallel splits 0..n-1 over the processors.
func parallel(n int, work func(start, end int)) {
	workers := max(1, min(runtime.GOMAXPROCS(0), n))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { work(w*n/workers, (w+1)*n/workers) })
	}
	all.Wait()
}
