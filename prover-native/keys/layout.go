package keys

import (
	"bytes"
	"encoding/binary"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
)

// The library allocates room for as many points as a file announces before it reads the first of them. Twelve bytes can then
// ask for 800 GB, and running out of memory ends a Go process without a chance to recover. So the counts in a key file are
// compared with its length here, before the library reads it. A key file holds raw points only, as Make writes them.

const (
	g1Bytes = bls.SizeOfG1AffineUncompressed
	g2Bytes = bls.SizeOfG2AffineUncompressed
	// domainBytes is the length of the domain at the start of a proving key: its size, five elements, and whether to
	// precompute.
	domainBytes = 8 + 5*fr.Bytes + 1
	// flagMask and rawIdentity: the first bits of a point are flags of its encoding.
	flagMask    = 0xe0
	rawIdentity = 0x40
)

// layout walks over a key file. After the first count that does not fit, it stays failed.
type layout struct {
	rest   []byte
	failed bool
}

func (l *layout) take(n uint64) []byte {
	if l.failed || n > uint64(len(l.rest)) {
		l.failed = true
		return nil
	}
	b := l.rest[:n]
	l.rest = l.rest[n:]
	return b
}

func (l *layout) u32() uint64 {
	if b := l.take(4); b != nil {
		return uint64(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (l *layout) u64() uint64 {
	if b := l.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// points skips n raw points of this length. The count fits 32 bits, so the product does not overflow.
func (l *layout) points(n, size uint64) {
	b := l.take(n * size)
	for ; len(b) > 0; b = b[size:] {
		if flag := b[0] & flagMask; flag != 0 && flag != rawIdentity {
			l.failed = true
			return
		}
	}
}

func (l *layout) pointSlice(size uint64) { l.points(l.u32(), size) }

// plausibleVerifyingKey reports whether the counts in a verifying key's file match its length.
func plausibleVerifyingKey(b []byte) bool {
	l := &layout{rest: b}
	l.points(2, g1Bytes) // alpha, beta
	l.points(2, g2Bytes) // beta, gamma
	l.points(1, g1Bytes) // delta
	l.points(1, g2Bytes) // delta
	l.pointSlice(g1Bytes)
	for range l.fits(l.u32(), 4) { // committed inputs; a key that loads has no committed inputs
		l.take(8 * l.u32())
	}
	l.points(2*l.u32(), g2Bytes) // commitment keys; a key that loads has no commitment keys
	return !l.failed && len(l.rest) == 0
}

// plausibleProvingKey does the same for a proving key of a circuit with this number of constraints. The domain at the start
// must be the circuit's: its tables are computed while the file is read, in goroutines whose panics cannot be recovered.
func plausibleProvingKey(b []byte, constraints int) bool {
	l := &layout{rest: b}
	if !isDomain(l.take(domainBytes), constraints) {
		return false
	}
	l.points(3, g1Bytes)
	for range 4 {
		l.pointSlice(g1Bytes)
	}
	l.points(2, g2Bytes)
	l.pointSlice(g2Bytes)
	wires := l.fits(l.u64(), 2)
	l.take(8 + 8) // numbers of points at infinity
	l.take(2 * wires)
	return l.commitmentKeys() && !l.failed
}

func isDomain(b []byte, constraints int) bool {
	var want bytes.Buffer
	if _, err := fft.NewDomain(uint64(constraints), fft.WithoutPrecompute()).WriteTo(&want); err != nil || b == nil {
		return false
	}
	return bytes.Equal(b[:domainBytes-1], want.Bytes()[:domainBytes-1]) && b[domainBytes-1] == 1
}

// fits returns n when n items of this size can follow. Otherwise it fails.
func (l *layout) fits(n uint64, itemBytes int) uint64 {
	if n > uint64(len(l.rest)/itemBytes) {
		l.failed = true
		return 0
	}
	return n
}

// commitmentKeys accepts only a count of zero at the end of the file: a proving key that loads has no commitment keys.
func (l *layout) commitmentKeys() bool { return l.u32() == 0 && len(l.rest) == 0 }
