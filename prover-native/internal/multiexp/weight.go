package multiexp

import (
	"crypto/rand"
	"encoding/binary"
)

// Weight is the scalar U + lambda V, lambda being the eigenvalue of a curve's endomorphism. It is one of 2^128 distinct scalars,
// and a point times a weight costs half as much as a point times an arbitrary scalar of 128 bits.
type Weight[S any] struct {
	U, V  uint64
	Value S
}

type scalar[S any] interface {
	*S
	SetUint64(uint64) *S
	Add(x, y *S) *S
	Mul(x, y *S) *S
	IsZero() bool
}

// NewWeight returns u + lambda v.
func NewWeight[S any, PS scalar[S]](u, v uint64, lambda *S) Weight[S] {
	w := Weight[S]{U: u, V: v}
	var low S
	PS(&low).SetUint64(u)
	value := PS(&w.Value)
	value.SetUint64(v)
	value.Mul(&w.Value, lambda)
	value.Add(&w.Value, &low)
	return w
}

// DrawWeights draws random weights other than zero.
func DrawWeights[S any, PS scalar[S]](n int, lambda *S) ([]Weight[S], error) {
	weights := make([]Weight[S], n)
	for i := range weights {
		for PS(&weights[i].Value).IsZero() {
			var b [16]byte
			if _, err := rand.Read(b[:]); err != nil {
				return nil, err
			}
			weights[i] = NewWeight[S, PS](binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:]), lambda)
		}
	}
	return weights, nil
}

// AppendHalves appends U and V, which are the scalars of a point and of its image under the endomorphism.
func (w *Weight[S]) AppendHalves(scalars []Half) []Half { return append(scalars, Half{w.U}, Half{w.V}) }
