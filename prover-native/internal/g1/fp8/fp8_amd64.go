//go:build !purego

package fp8

import bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

//go:noescape
func mul(z, x, y *Element)

//go:noescape
func add(z, x, y *Element)

//go:noescape
func sub(z, x, y *Element)

//go:noescape
func times12(z, x *Element)

//go:noescape
func choose(z, table *Element, n, index int)

//go:noescape
func gather(z *Element, from *[Size]*bls.G1Affine, offset int)

//go:noescape
func scatter(to *[Size]*bls.G1Affine, offset int, z *Element)

//go:noescape
func subReduced(z, x, y *Element)

//go:noescape
func shift32(z, x *Element)

//go:noescape
func canonical(z, x *Element)
