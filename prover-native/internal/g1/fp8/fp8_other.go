//go:build !amd64 || purego

package fp8

import bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

// No processor but amd64 computes at once.

func mul(_, _, _ *Element) { panic("unreachable") }

func add(_, _, _ *Element) { panic("unreachable") }

func sub(_, _, _ *Element) { panic("unreachable") }

func times12(_, _ *Element) { panic("unreachable") }

func choose(_, _ *Element, _, _ int) { panic("unreachable") }

func gather(_ *Element, _ *[Size]*bls.G1Affine, _ int) { panic("unreachable") }

func scatter(_ *[Size]*bls.G1Affine, _ int, _ *Element) { panic("unreachable") }

func subReduced(_, _, _ *Element) { panic("unreachable") }

func shift32(_, _ *Element) { panic("unreachable") }

func canonical(_, _ *Element) { panic("unreachable") }
