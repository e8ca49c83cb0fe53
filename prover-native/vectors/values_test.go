package vectors

import (
	"strconv"
	"testing"

	"solidus.io/prover/suite"
)

func decodeField(t *testing.T, b []byte) suite.Field {
	t.Helper()
	x, err := suite.DecodeField(b)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func decodeScalar(t *testing.T, b []byte) suite.Scalar {
	t.Helper()
	x, err := suite.DecodeScalar(b)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func decodeG1(t *testing.T, b []byte) suite.G1 {
	t.Helper()
	x, err := suite.DecodeG1(b)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (a args) field(name string) suite.Field { return decodeField(a.t, a.bytes(name)) }

func (a args) scalar(name string) suite.Scalar { return decodeScalar(a.t, a.bytes(name)) }

func (a args) g1(name string) suite.G1 { return decodeG1(a.t, a.bytes(name)) }

func (a args) integer(name string) uint64 {
	a.t.Helper()
	x, err := strconv.ParseUint(a.text(name), 10, 64)
	if err != nil {
		a.t.Fatal(err)
	}
	return x
}
