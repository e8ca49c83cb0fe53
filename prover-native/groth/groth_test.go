package groth

import (
	"bytes"
	"math/big"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr/pedersen"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"
	cs "github.com/consensys/gnark/constraint/bls12-381"
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
	ccs, err := frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, circuit)
	must(t, err)
	x := &instance{ccs: ccs.(*cs.R1CS)}
	must(t, groth16.Setup(x.ccs, &x.pk, &x.vk))
	w, err := frontend.NewWitness(assignment, ecc.BLS12_381.ScalarField())
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
	const noCommitments = 4 + g1Bytes // their number, and the proof of knowledge of none
	if !bytes.Equal(raw.Bytes()[:raw.Len()-noCommitments], x.bytes) || len(x.bytes) != 384 {
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
		"empty":           {nil, fault.ProofLength},
		"short":           {good[:383], fault.ProofLength},
		"trailing byte":   {append(bytes.Clone(good), 0), fault.ProofLength},
		"A off the curve": {edit(func(b []byte) { b[offsetB-1] ^= 1 }), fault.ProofEncoding},
		"B off the curve": {edit(func(b []byte) { b[offsetC-1] ^= 1 }), fault.ProofEncoding},
		"C off the curve": {edit(func(b []byte) { b[ProofBytes-1] ^= 1 }), fault.ProofEncoding},
		"A flagged":       {edit(func(b []byte) { b[0] |= 0x80 }), fault.ProofEncoding},
		"B's Y flagged":   {edit(func(b []byte) { b[offsetB+2*coordinate] |= 0x20 }), fault.ProofEncoding},
		"A zero":          {edit(func(b []byte) { clear(b[:offsetB]) }), fault.ProofEncoding},
		"B zero":          {edit(func(b []byte) { clear(b[offsetB:offsetC]) }), fault.ProofEncoding},
		"B infinity":      {edit(func(b []byte) { clear(b[offsetB:offsetC]); b[offsetB] = 0x40 }), fault.ProofEncoding},
		"C zero":          {edit(func(b []byte) { clear(b[offsetC:]) }), fault.ProofEncoding},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(c.in)
			refused(t, err, c.want)
		})
	}
	for at := 0; at < ProofBytes; at += coordinate { // a coordinate plus the modulus
		b := bytes.Clone(good)
		n := new(big.Int).SetBytes(b[at : at+coordinate])
		n.Add(n, fp.Modulus()).FillBytes(b[at : at+coordinate])
		_, err := Decode(b)
		refused(t, err, fault.ProofEncoding)
	}
}

func TestEncodeRefusesWhatDecodeRefuses(t *testing.T) {
	p := *honest().proof
	p.Commitments = []bls.G1Affine{p.Ar}
	_, err := Encode(&p)
	refused(t, err, fault.ProofHasCommitments)
	p = *honest().proof
	p.Krs = bls.G1Affine{}
	_, err = Encode(&p)
	refused(t, err, fault.ProofEncoding)
}

// A point outside the subgroup does not change the pairing, so only the subgroup check detects it.
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
	copy(b[offsetC:], raw[:])
	decoded, err := Decode(b)
	must(t, err)
	refused(t, vk.Verify(decoded, x.public), fault.ProofInvalid)
}

// outsideSubgroup returns a point of order three.
func outsideSubgroup(t testing.TB) (p bls.G1Affine) {
	t.Helper()
	p.Y.SetUint64(2)
	if !p.IsOnCurve() || p.IsInSubGroup() {
		t.Fatal("not a point outside the subgroup")
	}
	return p
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

// The file of a verifying key, as the specification writes it for readers without this library.
//
//spec:id F-46
func TestVerifyingKeyFile(t *testing.T) {
	vk := honest().vk
	var file, want bytes.Buffer
	_, err := vk.WriteRawTo(&file)
	must(t, err)
	g1 := func(p *bls.G1Affine) {
		b := p.RawBytes()
		want.Write(b[:])
	}
	g2 := func(p *bls.G2Affine) {
		b := p.RawBytes()
		want.Write(b[:])
	}
	g1(&vk.G1.Alpha)
	g1(&vk.G1.Beta)
	g2(&vk.G2.Beta)
	g2(&vk.G2.Gamma)
	g1(&vk.G1.Delta)
	g2(&vk.G2.Delta)
	want.Write([]byte{0, 0, 0, 3})
	for i := range vk.G1.K {
		g1(&vk.G1.K[i])
	}
	want.Write(make([]byte, 8))
	if !bytes.Equal(file.Bytes(), want.Bytes()) {
		t.Error("the library writes another file")
	}
}

func TestUnsoundVerifyingKeysAreRefused(t *testing.T) {
	outside, outsideG2 := outsideSubgroup(t), cofactorPoints(t)["13"]
	for name, c := range map[string]struct {
		change func(*groth16.VerifyingKey)
		want   fault.Code
	}{
		"commitment key":     {func(vk *groth16.VerifyingKey) { vk.CommitmentKeys = make([]pedersen.VerifyingKey, 1) }, fault.KeysCommitmentKeys},
		"committed inputs":   {func(vk *groth16.VerifyingKey) { vk.PublicAndCommitmentCommitted = [][]int{{1}} }, fault.KeysCommitmentKeys},
		"gamma equals delta": {func(vk *groth16.VerifyingKey) { vk.G2.Gamma = vk.G2.Delta }, fault.KeysDegenerate},
		"delta at infinity":  {func(vk *groth16.VerifyingKey) { vk.G2.Delta = bls.G2Affine{} }, fault.KeysInfinitePoint},
		"alpha at infinity":  {func(vk *groth16.VerifyingKey) { vk.G1.Alpha = bls.G1Affine{} }, fault.KeysInfinitePoint},
		"input at infinity":  {func(vk *groth16.VerifyingKey) { vk.G1.K[2] = bls.G1Affine{} }, fault.KeysInfinitePoint},
		"constant's point":   {func(vk *groth16.VerifyingKey) { vk.G1.K[0] = bls.G1Affine{} }, fault.KeysInfinitePoint},
		"input out of group": {func(vk *groth16.VerifyingKey) { vk.G1.K[1] = outside }, fault.KeysManifest},
		"delta out of group": {func(vk *groth16.VerifyingKey) { vk.G2.Delta.Add(&vk.G2.Delta, &outsideG2) }, fault.KeysManifest},
		"an input missing":   {func(vk *groth16.VerifyingKey) { vk.G1.K = vk.G1.K[:2] }, fault.KeysPublicInputs},
	} {
		t.Run(name, func(t *testing.T) {
			vk := honest().vk
			vk.G1.K = append([]bls.G1Affine(nil), vk.G1.K...)
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
