package g1

import (
	"fmt"
	"slices"
	"testing"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"

	"solidus.io/prover/internal/g1/fp8"
	"solidus.io/prover/internal/measure"
)

var testDST = []byte("SOLIDUS-TEST-WITH-BLS12381G1_XMD:SHA-256_SSWU_RO_")

func messages(n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = fmt.Appendf(nil, "message %d", i)
	}
	return all
}

func TestHashAllAgreesWithTheLibrary(t *testing.T) { bothWays(t, testHashAllAgreesWithTheLibrary) }

func testHashAllAgreesWithTheLibrary(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, 9, 100} {
		all := messages(n)
		points, err := HashAll(all, testDST)
		must(t, err)
		for i := range all {
			want, err := bls.HashToG1(all[i], testDST)
			must(t, err)
			if points[i] != want {
				t.Fatalf("message %d of %d", i, n)
			}
		}
	}
	// two messages that are the same
	points, err := HashAll([][]byte{{1}, {1}, {2}}, testDST)
	must(t, err)
	if points[0] != points[1] || points[0] == points[2] {
		t.Fatal("points do not depend on the messages alone")
	}
}

// The map of field elements is the library's, for those too that no message is known for: zero, and the roots of z u^2 = -1.
func TestMapAgreesWithTheLibrary(t *testing.T) { bothWays(t, testMapAgreesWithTheLibrary) }

func testMapAgreesWithTheLibrary(t *testing.T) {
	var exceptional fp.Element
	exceptional.Inverse(&sswuZ).Neg(&exceptional)
	if exceptional.Sqrt(&exceptional) == nil {
		exceptional.SetOne()
		t.Log("-1/z is no square")
	}
	values := []fp.Element{{}, fp.One(), exceptional}
	for range 60 {
		var v fp.Element
		_, err := v.SetRandom()
		must(t, err)
		values = append(values, v)
	}
	for part := range slices.Chunk(values, fp8.Size) {
		maps := make([]sswu, len(part))
		for i := range maps {
			maps[i].start(&part[i])
		}
		finish(fp8.LanesFor(len(part)), maps)
		for i := range maps {
			if want := bls.MapToCurve1(&part[i]); maps[i].point != want {
				t.Fatalf("%v is mapped to another point", &part[i])
			}
		}
	}
}

func BenchmarkHash(b *testing.B) {
	for _, n := range []int{1, 2, 8, 128} {
		all, points := messages(n), make([]bls.G1Affine, n)
		b.Run(fmt.Sprintf("%d/each", n), func(b *testing.B) { measure.Loop(b, n, func() { must(b, hashEach(points, all, testDST)) }) })
		b.Run(fmt.Sprintf("%d/all", n), func(b *testing.B) {
			measure.Loop(b, n, func() {
				_, err := HashAll(all, testDST)
				must(b, err)
			})
		})
	}
}
