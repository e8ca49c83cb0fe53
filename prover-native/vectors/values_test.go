package vectors

import (
	"strconv"
	"testing"

	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// decoded is a value that a case gives in its right encoding.
func decoded[T any](t *testing.T, b []byte, decode func([]byte) (T, error)) T {
	t.Helper()
	x, err := decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func decodeField(t *testing.T, b []byte) suite.Field {
	t.Helper()
	return decoded(t, b, suite.DecodeField)
}

func decodeG1(t *testing.T, b []byte) suite.G1 {
	t.Helper()
	return decoded(t, b, suite.DecodeG1)
}

func (a args) field(name string) suite.Field {
	a.t.Helper()
	return decodeField(a.t, a.bytes(name))
}

func (a args) g1(name string) suite.G1 {
	a.t.Helper()
	return decodeG1(a.t, a.bytes(name))
}

// key is a point of Jubjub on the curve.
func (a args) key(name string) jubjub.Point {
	a.t.Helper()
	return decoded(a.t, a.bytes(name), jubjub.DecodePoint)
}

func (a args) keyScalar(name string) jubjub.Scalar {
	a.t.Helper()
	return decoded(a.t, a.bytes(name), jubjub.DecodeScalar)
}

func (a args) fields(name string) (all []suite.Field) {
	a.t.Helper()
	for _, b := range a.list(name) {
		all = append(all, decodeField(a.t, b))
	}
	return all
}

func (a args) points(name string) (all []suite.G1) {
	a.t.Helper()
	for _, b := range a.list(name) {
		all = append(all, decodeG1(a.t, b))
	}
	return all
}

func (a args) integer(name string) uint64 {
	a.t.Helper()
	x, err := strconv.ParseUint(a.text(name), 10, 64)
	if err != nil {
		a.t.Fatal(err)
	}
	return x
}
