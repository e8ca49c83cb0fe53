package groth

import (
	"math/big"
	"sync"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/fault"
	"solidus.io/prover/internal/multiexp"
)

// claims proves different statements under one key.
func claims(t testing.TB, n int) (*VerifyingKey, []Claim) {
	t.Helper()
	x := honest()
	vk, err := NewVerifyingKey(&x.vk, 2)
	must(t, err)
	var all []Claim
	for i := range n {
		w, err := frontend.NewWitness(&product{P: 3 * (i + 2), Q: 7 * (i + 2), A: 3, B: i + 2, C: 7}, ecc.BLS12_381.ScalarField())
		must(t, err)
		proof, err := groth16.Prove(x.ccs, &x.pk, w)
		must(t, err)
		encoded, err := Encode(proof)
		must(t, err)
		p, err := Decode(encoded)
		must(t, err)
		public := make([]Field, 2)
		public[0].SetUint64(uint64(3 * (i + 2)))
		public[1].SetUint64(uint64(7 * (i + 2)))
		all = append(all, Claim{Proof: p, Public: public})
	}
	return vk, all
}

// VerifyBatch is the first error of VerifyEach.
func (vk *VerifyingKey) VerifyBatch(claims []Claim) error {
	for _, err := range vk.VerifyEach(claims) {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestBatches(t *testing.T) {
	vk, all := claims(t, 40)
	for _, n := range []int{1, 2, 3, millerInStepFrom - 1, millerInStepFrom, weighInStepFrom - 1, weighInStepFrom, 40} {
		must(t, vk.VerifyBatch(all[:n]))
	}
	for _, c := range all {
		must(t, vk.Verify(c.Proof, c.Public))
	}
}

func TestOneBadClaimAnywhereFailsTheBatch(t *testing.T) {
	vk, all := claims(t, weighInStepFrom+1)
	oneBadClaim(t, vk, all[:4], 0, 1, 2, 3)
	oneBadClaim(t, vk, all, 0, len(all)/2, len(all)-1)
}

func oneBadClaim(t *testing.T, vk *VerifyingKey, all []Claim, places ...int) {
	t.Helper()
	for _, i := range places {
		for name, breaks := range map[string]func(*Claim){
			"input":         func(c *Claim) { c.Public[1].SetUint64(1) },
			"A":             func(c *Claim) { c.Proof.A.Neg(&c.Proof.A) },
			"B":             func(c *Claim) { c.Proof.B.Neg(&c.Proof.B) },
			"C":             func(c *Claim) { c.Proof.C.Neg(&c.Proof.C) },
			"foreign proof": func(c *Claim) { *c.Proof = *all[(i+1)%len(all)].Proof },
		} {
			bad := append([]Claim(nil), all...)
			proof := *all[i].Proof
			bad[i] = Claim{Proof: &proof, Public: append([]Field(nil), all[i].Public...)}
			breaks(&bad[i])
			for j, err := range vk.VerifyEach(bad) {
				if (err != nil) != (j == i) || err != nil && fault.CodeOf(err) != fault.ProofInvalid {
					t.Fatalf("%s of claim %d: claim %d has %v", name, i, j, err)
				}
			}
		}
	}
	short := append([]Claim(nil), all...)
	short[2].Public = short[2].Public[:1]
	refused(t, vk.VerifyBatch(short), fault.KeysPublicInputs)
	outside := append([]Claim(nil), all...)
	proof := *all[3].Proof
	small := outsideSubgroup(t)
	proof.C.Add(&proof.C, &small)
	outside[3].Proof = &proof
	refused(t, vk.VerifyBatch(outside), fault.ProofInvalid)
}

// Two wrong proofs whose errors cancel when both weigh the same, which is why weights are drawn.
func TestErrorsThatCancelUnderEqualWeights(t *testing.T) {
	vk, all := claims(t, 4)
	_, _, g, _ := bls.Generators()
	first, second := *all[0].Proof, *all[1].Proof
	first.C.Add(&first.C, &g)
	second.C.Sub(&second.C, &g)
	bad := append([]Claim(nil), all...)
	bad[0].Proof, bad[1].Proof = &first, &second
	equal := make([]weight, len(bad))
	for i := range equal {
		equal[i] = multiexp.NewWeight(5, 9, &lambda)
	}
	value, _, err := millerOf(weighA(bad, equal), pointsB(bad))
	must(t, err)
	holds, err := vk.equationHolds(bad, equal, &value)
	must(t, err)
	if !holds {
		t.Fatal("the errors do not cancel: the test shows nothing")
	}
	for range 8 {
		refused(t, vk.VerifyBatch(bad), fault.ProofInvalid)
	}
}

func TestWeights(t *testing.T) {
	_, _, g, _ := bls.Generators()
	weights, err := multiexp.DrawWeights(50, &lambda)
	must(t, err)
	seen := map[Field]bool{}
	for i := range weights {
		w := &weights[i]
		if seen[w.Value] || w.Value.IsZero() {
			t.Fatal("weights are distinct and not zero")
		}
		seen[w.Value] = true
		var want, got bls.G1Affine
		want.ScalarMultiplication(&g, w.Value.BigInt(new(big.Int)))
		one, many := []Claim{{Proof: &Proof{A: g}}}, weights[i:i+1]
		got = weighA(one, many)[0]
		if inStep := weighInStep(one, many)[0]; inStep != got {
			t.Fatal("two ways, two results")
		}
		if !got.Equal(&want) {
			t.Fatal("the endomorphism is not multiplication by lambda")
		}
	}
}

func pointsB(claims []Claim) (b []bls.G2Affine) {
	for i := range claims {
		b = append(b, claims[i].Proof.B)
	}
	return b
}

// A caller that tested A and C is believed, about them only: a pairing does not see the component of A that a test finds.
func TestPointsThatTheCallerTested(t *testing.T) {
	vk, all := claims(t, 4)
	for i := range all {
		all[i].InG1 = true
	}
	must(t, vk.VerifyBatch(all))
	small, order13 := outsideSubgroup(t), cofactorPoints(t)["13"]
	proof := *all[1].Proof
	proof.A.Add(&proof.A, &small)
	all[1].Proof = &proof
	must(t, vk.VerifyBatch(all))
	all[1].InG1 = false
	refused(t, vk.VerifyBatch(all), fault.ProofInvalid)
	all[1].InG1, proof = true, *all[0].Proof
	proof.B.Add(&proof.B, &order13)
	refused(t, vk.VerifyBatch(all), fault.ProofInvalid)
}

func TestBatchesConcurrently(t *testing.T) {
	vk, all := claims(t, 6)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = vk.VerifyBatch(all)
		}()
	}
	wg.Wait()
	for _, err := range errs {
		must(t, err)
	}
}

func BenchmarkBatch(b *testing.B) {
	vk, all := claims(b, 64)
	for _, n := range []int{4, 16, 64} {
		b.Run(big.NewInt(int64(n)).String(), func(b *testing.B) {
			for b.Loop() {
				must(b, vk.VerifyBatch(all[:n]))
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/proof")
		})
	}
}

// Wrong proofs of every kind in every share of the batch: each claim has the verdict of Verify.
func TestSearchFindsTheWrongProofs(t *testing.T) {
	vk, all := claims(t, weighInStepFrom+6)
	order13, small := cofactorPoints(t)["13"], outsideSubgroup(t)
	kinds := []func(*Claim){
		func(c *Claim) { c.Public[0].SetUint64(1) },
		func(c *Claim) { c.Proof.B.Add(&c.Proof.B, &order13) },
		func(c *Claim) { c.Proof.A.Add(&c.Proof.A, &small) },
		func(c *Claim) { c.Public = c.Public[:1] },
		func(c *Claim) { c.Proof.C.Neg(&c.Proof.C) },
	}
	for _, n := range []int{2, 7, len(all)} {
		for _, every := range []int{1, 2, 5, n} {
			bad := append([]Claim(nil), all[:n]...)
			for i := 0; i < n; i += every {
				proof := *bad[i].Proof
				bad[i] = Claim{Proof: &proof, Public: append([]Field(nil), bad[i].Public...)}
				kinds[i/every%len(kinds)](&bad[i])
			}
			for i, err := range vk.VerifyEach(bad) {
				if want := vk.Verify(bad[i].Proof, bad[i].Public); fault.CodeOf(err) != fault.CodeOf(want) {
					t.Fatalf("claim %d of %d, every %d wrong: %v, alone %v", i, n, every, err, want)
				}
			}
		}
	}
}
