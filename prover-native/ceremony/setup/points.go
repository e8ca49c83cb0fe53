package setup

import (
	"bytes"
	"encoding/binary"
	"io"
	"runtime"
	"sync"

	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/groth"
)

const (
	pointBytes = bw6.SizeOfG1AffineCompressed // the same in both groups

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

func (c *cursor) g1(n int) section { return section{c.take(n * pointBytes), n} }

// section is a sequence of encoded points.
type section struct {
	raw []byte
	n   int
}

func (s section) at(i int) []byte { return s.raw[i*pointBytes : (i+1)*pointBytes] }

// checkFlags refuses everything but compressed points. It refuses the identity unless that is allowed.
func (s section) checkFlags(identityAllowed bool) error {
	for i := range s.n {
		switch s.raw[i*pointBytes] & flagMask {
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

func (s section) decodeG1(identityAllowed bool) ([]bw6.G1Affine, error) {
	if err := s.checkFlags(identityAllowed); err != nil {
		return nil, err
	}
	var points []bw6.G1Affine
	if err := bw6.NewDecoder(s.list(), bw6.NoSubgroupChecks()).Decode(&points); err != nil {
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

func (s section) decodeG2() ([]bw6.G2Affine, error) {
	if err := s.checkFlags(false); err != nil {
		return nil, err
	}
	var points []bw6.G2Affine
	if err := bw6.NewDecoder(s.list(), bw6.NoSubgroupChecks()).Decode(&points); err != nil {
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
