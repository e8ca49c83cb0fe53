package groth

import (
	"bytes"
	"math/big"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bw6 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fp"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr/pedersen"
	groth16 "github.com/consensys/gnark/backend/groth16/bw6-761"
	cs "github.com/consensys/gnark/constraint/bw6-761"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"

	"solidus.io/prover/fault"
)

// product proves knowledge of factors of two public numbers.
type product struct {
	P, Q    frontend.Variable `gnark:",public"`
	A, B, C frontend.Variable
}

func (c *product) Define(api frontend.API) error {
	api.AssertIsEqual(api.Mul(c.A, c.B), c.P)
	api.AssertIsEqual(api.Mul(c.B, c.C), c.Q)
	return nil
}

// loose has a public input that no constraint mentions.
type loose struct {
	P, Free frontend.Variable `gnark:",public"`
	A       frontend.Variable
}

func (c *loose) Define(api frontend.API) error {
	api.AssertIsEqual(api.Mul(c.A, c.A), c.P)
	return nil
}

type instance struct {
	ccs    *cs.R1CS
	pk     groth16.ProvingKey
	vk     groth16.VerifyingKey
	proof  *groth16.Proof
	bytes  []byte
	public []Field
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t testing.TB, err error, want fault.Code) {
	t.Helper()
	if err == nil || fault.CodeOf(err) != want {
		t.Fatalf("got %v, want %v", err, want)
	}
}

func prove(t testing.TB, circuit, assignment frontend.Circuit) *instance {
	t.Helper()
	ccs, err := frontend.Compile(ecc.BW6_761.ScalarField(), r1cs.NewBuilder, circuit)
	must(t, err)
	x := &instance{ccs: ccs.(*cs.R1CS)}
	must(t, groth16.Setup(x.ccs, &x.pk, &x.vk))
	w, err := frontend.NewWitness(assignment, ecc.BW6_761.ScalarField())
	must(t, err)
	x.proof, err = groth16.Prove(x.ccs, &x.pk, w)
	must(t, err)
	x.bytes, err = Encode(x.proof)
	must(t, err)
	public, err := w.Public()
	must(t, err)
	x.public = append(x.public, public.Vector().(fr.Vector)...)
	return x
}

var honest = sync.OnceValue(func() *instance {
	logger.Disable()
	var t testing.T
	return prove(&t, &product{}, &product{P: 15, Q: 35, A: 3, B: 5, C: 7})
})

func TestVerifyAgreesWithTheLibrary(t *testing.T) {
	x := honest()
	vk, err := NewVerifyingKey(&x.vk, 2)
	must(t, err)
	p, err := Decode(x.bytes)
	must(t, err)
	for range 3 { // the line tables survive a call
		must(t, vk.Verify(p, x.public))
	}
	must(t, groth16.Verify(x.proof, &x.vk, x.public))
	for i := range x.public {
		bad := append([]Field(nil), x.public...)
		bad[i].SetUint64(16)
		refused(t, vk.Verify(p, bad), fault.ProofInvalid)
		if groth16.Verify(x.proof, &x.vk, bad) == nil {
			t.Fatal("the library accepts")
		}
	}
	refused(t, vk.Verify(p, x.public[:1]), fault.KeysPublicInputs)
}

func TestVerifyConcurrently(t *testing.T) {
	x := honest()
	vk, err := NewVerifyingKey(&x.vk, 2)
	must(t, err)
	p, err := Decode(x.bytes)
	must(t, err)
	var wg sync.WaitGroup
	results := make([]error, 8)
	for i := range results {
		wg.Add(1)
		go func() {
			defer wg.Done()
			results[i] = vk.Verify(p, x.public)
		}()
	}
	wg.Wait()
	for _, err := range results {
		must(t, err)
	}
}

//spec:id E-05
func TestEncodingIsTheLibrarysRawForm(t *testing.T) {
	x := honest()
	var raw bytes.Buffer
	_, err := x.proof.WriteRawTo(&raw)
	must(t, err)
	if !bytes.Equal(raw.Bytes(), x.bytes) || len(x.bytes) != 772 {
		t.Fatalf("%d bytes, not the raw form", len(x.bytes))
	}
}

//spec:id E-05
func TestProofDecodingIsStrict(t *testing.T) {
	good := honest().bytes
	edit := func(f func(b []byte)) []byte {
		b := bytes.Clone(good)
		f(b)
		return b
	}
	for name, c := range map[string]struct {
		in   []byte
		want fault.Code
	}{
		"empty":             {nil, fault.ProofLength},
		"short":             {good[:771], fault.ProofLength},
		"trailing byte":     {append(bytes.Clone(good), 0), fault.ProofLength},
		"one commitment":    {edit(func(b []byte) { b[countOffset+3] = 1 }), fault.ProofHasCommitments},
		"many commitments":  {edit(func(b []byte) { copy(b[countOffset:], []byte{255, 255, 255, 255}) }), fault.ProofHasCommitments},
		"A off the curve":   {edit(func(b []byte) { b[point-1] ^= 1 }), fault.ProofEncoding},
		"B off the curve":   {edit(func(b []byte) { b[2*point-1] ^= 1 }), fault.ProofEncoding},
		"C off the curve":   {edit(func(b []byte) { b[3*point-1] ^= 1 }), fault.ProofEncoding},
		"A flagged":         {edit(func(b []byte) { b[0] |= 0x80 }), fault.ProofEncoding},
		"A zero":            {edit(func(b []byte) { clear(b[:point]) }), fault.ProofEncoding},
		"B infinity":        {edit(func(b []byte) { clear(b[point : 2*point]); b[point] = rawInfinity }), fault.ProofEncoding},
		"C zero":            {edit(func(b []byte) { clear(b[2*point : 3*point]) }), fault.ProofEncoding},
		"tail not infinity": {edit(func(b []byte) { copy(b[pokOffset:], b[:point]) }), fault.ProofEncoding},
		"tail with a bit":   {edit(func(b []byte) { b[ProofBytes-1] = 1 }), fault.ProofEncoding},
		"coordinate plus modulus": {edit(func(b []byte) {
			n := new(big.Int).SetBytes(b[:coordinate])
			n.Add(n, fp.Modulus()).FillBytes(b[:coordinate])
		}), fault.ProofEncoding},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(c.in)
			refused(t, err, c.want)
		})
	}
}

func TestEncodeRefusesWhatDecodeRefuses(t *testing.T) {
	p := *honest().proof
	p.Commitments = []bw6.G1Affine{p.Ar}
	_, err := Encode(&p)
	refused(t, err, fault.ProofHasCommitments)
	p = *honest().proof
	p.Krs = bw6.G1Affine{}
	_, err = Encode(&p)
	refused(t, err, fault.ProofEncoding)
}

// A point outside the subgroup shifts the pairing by nothing, so only the subgroup check tells it apart.
func TestProofPointsOutsideTheSubgroupAreRefused(t *testing.T) {
	x := honest()
	vk, err := NewVerifyingKey(&x.vk, 2)
	must(t, err)
	p, err := Decode(x.bytes)
	must(t, err)
	outside := outsideSubgroup(t)
	shifted := *p
	shifted.C.Add(&p.C, &outside)
	raw := shifted.C.RawBytes()
	b := bytes.Clone(x.bytes)
	copy(b[2*point:], raw[:])
	decoded, err := Decode(b)
	must(t, err)
	refused(t, vk.Verify(decoded, x.public), fault.ProofInvalid)
}

func outsideSubgroup(t *testing.T) bw6.G1Affine {
	t.Helper()
	_, _, g, _ := bw6.Generators()
	var b, x3 fp.Element // b = y^2 - x^3 of the generator
	b.Square(&g.Y)
	x3.Square(&g.X).Mul(&x3, &g.X)
	b.Sub(&b, &x3)
	for i := uint64(1); i < 64; i++ {
		var p bw6.G1Affine
		p.X.SetUint64(i)
		var rhs fp.Element
		rhs.Square(&p.X).Mul(&rhs, &p.X).Add(&rhs, &b)
		if rhs.Legendre() == 1 {
			p.Y.Sqrt(&rhs)
			if !p.IsInSubGroup() {
				return p
			}
		}
	}
	t.Fatal("none found")
	return bw6.G1Affine{}
}

// The proof of one value of an unconstrained public input is a proof of every value; such a key never loads.
func TestUnconstrainedPublicInputAcceptsAnythingAndIsRefused(t *testing.T) {
	x := prove(t, &loose{}, &loose{P: 9, Free: 1, A: 3})
	forged := append([]Field(nil), x.public...)
	forged[1].SetUint64(99)
	if groth16.Verify(x.proof, &x.vk, forged) != nil {
		t.Fatal("the library found out: the test no longer shows why the check exists")
	}
	_, err := NewVerifyingKey(&x.vk, 2)
	refused(t, err, fault.KeysInfinitePoint)
}

func TestUnsoundVerifyingKeysAreRefused(t *testing.T) {
	outside := outsideSubgroup(t)
	for name, c := range map[string]struct {
		change func(*groth16.VerifyingKey)
		want   fault.Code
	}{
		"commitment key":     {func(vk *groth16.VerifyingKey) { vk.CommitmentKeys = make([]pedersen.VerifyingKey, 1) }, fault.KeysCommitmentKeys},
		"committed inputs":   {func(vk *groth16.VerifyingKey) { vk.PublicAndCommitmentCommitted = [][]int{{1}} }, fault.KeysCommitmentKeys},
		"gamma equals delta": {func(vk *groth16.VerifyingKey) { vk.G2.Gamma = vk.G2.Delta }, fault.KeysDegenerate},
		"delta at infinity":  {func(vk *groth16.VerifyingKey) { vk.G2.Delta = bw6.G2Affine{} }, fault.KeysInfinitePoint},
		"alpha at infinity":  {func(vk *groth16.VerifyingKey) { vk.G1.Alpha = bw6.G1Affine{} }, fault.KeysInfinitePoint},
		"input at infinity":  {func(vk *groth16.VerifyingKey) { vk.G1.K[2] = bw6.G1Affine{} }, fault.KeysInfinitePoint},
		"constant's point":   {func(vk *groth16.VerifyingKey) { vk.G1.K[0] = bw6.G1Affine{} }, fault.KeysInfinitePoint},
		"input out of group": {func(vk *groth16.VerifyingKey) { vk.G1.K[1] = outside }, fault.KeysManifest},
		"an input missing":   {func(vk *groth16.VerifyingKey) { vk.G1.K = vk.G1.K[:2] }, fault.KeysPublicInputs},
	} {
		t.Run(name, func(t *testing.T) {
			vk := honest().vk
			vk.G1.K = append([]bw6.G1Affine(nil), vk.G1.K...)
			c.change(&vk)
			_, err := NewVerifyingKey(&vk, 2)
			refused(t, err, c.want)
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	x := honest()
	vk, err := NewVerifyingKey(&x.vk, 2)
	must(b, err)
	p, err := Decode(x.bytes)
	must(b, err)
	for b.Loop() {
		must(b, vk.Verify(p, x.public))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(honest().bytes)
	f.Add(make([]byte, ProofBytes))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Encode(&groth16.Proof{Ar: p.A, Bs: p.B, Krs: p.C})
		if err != nil || !bytes.Equal(again, b) {
			t.Fatal("a proof has two encodings")
		}
	})
}
