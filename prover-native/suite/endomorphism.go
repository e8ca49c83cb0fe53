package suite

import (
	"encoding/binary"
	"math/big"

	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/multiexp"
)

type weight = multiexp.Weight[Scalar]

// lambda is what the endomorphism of package g1 multiplies points of the subgroup by.
var lambda, lambdaInt = g1.Lambda(), g1.LambdaInt()

// split returns u and v below 2^128 with s = u + lambda v: lambda has 128 bits, and s <= r - 1 = lambda (lambda + 1).
func split(s *Scalar) (u, v multiexp.Half) {
	var n, q, rest big.Int
	s.BigInt(&n)
	q.DivMod(&n, lambdaInt, &rest)
	u, v = toHalf(&rest), toHalf(&q)
	for _, i := range []*big.Int{&n, &q, &rest} { // the scalar may be secret
		wipeInt(i)
	}
	return u, v
}

func toHalf(n *big.Int) multiexp.Half {
	var b [16]byte
	n.FillBytes(b[:])
	return multiexp.Half{binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[:8])}
}
