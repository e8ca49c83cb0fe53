package simulate

import (
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"

	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Stream is a pseudorandom generator.
type Stream struct{ source *rand.ChaCha8 }

// NewStream returns the stream of a seed.
func NewStream(seed [32]byte) *Stream { return &Stream{rand.NewChaCha8(seed)} }

// FreshStream returns a stream with a random seed.
func FreshStream() *Stream {
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // never fails
	return NewStream(seed)
}

// derive returns independent streams of one seed.
func derive(seed [32]byte, purpose string, numbers ...uint64) *Stream {
	h := sha256.New()
	h.Write([]byte("solidus/simulate/v1/" + purpose))
	h.Write(seed[:])
	for _, n := range numbers {
		h.Write(binary.BigEndian.AppendUint64(nil, n))
	}
	return NewStream([32]byte(h.Sum(nil)))
}

// Bytes fills b.
func (s *Stream) Bytes(b []byte) { _, _ = s.source.Read(b) } // never fails

// orElse returns the block, or n drawn bytes where it is nil.
func (s *Stream) orElse(block []byte, n int) []byte {
	if block == nil {
		block = make([]byte, n)
		s.Bytes(block)
	}
	return block
}

// Field draws from the whole field. The bias of the reduction is below 2^-128.
func (s *Stream) Field() (e suite.Field) {
	var b [suite.FieldBytes + 16]byte
	s.Bytes(b[:])
	e.SetBytes(b[:])
	return e
}

// Scalar draws a scalar other than zero.
func (s *Stream) Scalar() (e suite.Scalar) {
	var b [suite.ScalarBytes + 16]byte
	for e.IsZero() {
		s.Bytes(b[:])
		e.SetBytes(b[:])
	}
	return e
}

// KeyScalar draws an exponent of an owner's key other than zero.
func (s *Stream) KeyScalar() (e jubjub.Scalar) {
	var b [2 * jubjub.ScalarBytes]byte
	for e.IsZero() {
		s.Bytes(b[:])
		e = jubjub.Reduce(b[:])
	}
	return e
}
