package statement

import (
	"bytes"
	"math/big"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/suite"
)

func TestTransfersVerify(t *testing.T) {
	w := newWorld(t, Regulated)
	must(t, w.verify(w.request(t, FamilyTransfer)))
	u := newWorld(t, Unregulated)
	must(t, u.verify(u.request(t, FamilyTransferUnregulated)))
}

// violations breaks one rule each; the order is that of the checks.
var violations = []struct {
	name   string
	want   fault.Code
	breaks func(testing.TB, *world, *request)
}{
	{"family", fault.WrongFamily, func(_ testing.TB, _ *world, r *request) { r.s.Family = FamilyMint }},
	{"a serial too few", fault.WrongSerialCount, func(_ testing.TB, _ *world, r *request) { r.s.Serials = r.s.Serials[:2] }},
	{"a serial too many", fault.WrongSerialCount, func(t testing.TB, _ *world, r *request) { r.s.Serials = append(r.s.Serials, random(t)) }},
	{"an output too few", fault.WrongOutputCount, func(_ testing.TB, _ *world, r *request) { r.s.Outputs = r.s.Outputs[:1] }},
	{"a serial twice", fault.SerialsNotDistinct, func(_ testing.TB, _ *world, r *request) { r.s.Serials[2] = r.s.Serials[1] }},
	{"the lead serial twice", fault.SerialsNotDistinct, func(_ testing.TB, _ *world, r *request) { r.s.Serials[1] = r.s.Serials[0] }},
	{"a show too few", fault.WrongShowCount, func(_ testing.TB, _ *world, r *request) { r.e.Shows = r.e.Shows[:2] }},
	{"a show too many", fault.WrongShowCount, func(t testing.TB, w *world, r *request) { r.e.Shows = append(r.e.Shows, w.shown(t)) }},
	{"circuit version", fault.UnknownCircuit, func(_ testing.TB, _ *world, r *request) { r.e.CircuitVersion++ }},
	{"proof length", fault.ProofLength, func(_ testing.TB, _ *world, r *request) { r.e.Proof = r.e.Proof[1:] }},
	{"proof commitments", fault.ProofHasCommitments, func(_ testing.TB, _ *world, r *request) { r.e.Proof[579] = 1 }},
	{"proof encoding", fault.ProofEncoding, func(_ testing.TB, _ *world, r *request) { r.e.Proof[100] ^= 1 }},
	{"identity as rk", fault.IdentityPoint, func(_ testing.TB, _ *world, r *request) { r.e.RK = suite.G1{} }},
	{"rk off the curve", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) { r.e.RK = offCurve() }},
	{"rk of order 3", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) { r.e.RK = smallOrder() }},
	{"identity as k", fault.IdentityPoint, func(_ testing.TB, _ *world, r *request) { r.s.Outputs[1].K = suite.G1{} }},
	{"k off the curve", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) { r.s.Outputs[0].K = offCurve() }},
	{"k of order 3", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) { r.s.Outputs[0].K = smallOrder() }},
	{"key signature", fault.KeySignatureInvalid, func(_ testing.TB, _ *world, r *request) { r.e.KeySignature[127] ^= 1 }},
	{"another rk", fault.KeySignatureInvalid, func(t testing.TB, _ *world, r *request) { r.e.RK = point(t) }},
	{"identity as h'", fault.IdentityPoint, func(_ testing.TB, _ *world, r *request) { r.e.Shows[2].H = suite.G1{} }},
	{"M' of order 3", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) { r.e.Shows[1].M = smallOrder() }},
	{"s'' off the curve", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) { r.e.Shows[0].S = offCurve() }},
	{"shown signature", fault.ShownSignatureInvalid, func(t testing.TB, _ *world, r *request) { r.e.Shows[1].S = point(t) }},
	{"shows swapped", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.e.Shows[1], r.e.Shows[2] = r.e.Shows[2], r.e.Shows[1] }},
	{"another root", fault.ProofInvalid, func(t testing.TB, _ *world, r *request) { r.root = random(t) }},
	{"limit of a transfer", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxPerTransfer++ }},
	{"limit of a period", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxPerPeriod++ }},
	{"limit of holdings", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxHeld++ }},
	{"limit of transfers", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxTransfersPerPeriod++ }},
}

//spec:id V-05
func TestEveryRuleHasItsCode(t *testing.T) {
	w := newWorld(t, Regulated)
	for _, v := range violations {
		t.Run(v.name, func(t *testing.T) {
			r := w.request(t, FamilyTransfer)
			v.breaks(t, w, r)
			refused(t, w.verify(r), v.want)
		})
	}
}

// A cheap rule is reported even where every dearer one is broken too: the dear checks did not run.
func TestCheapChecksComeFirst(t *testing.T) {
	w := newWorld(t, Regulated)
	for _, names := range [][]string{
		{"a serial twice", "proof length", "k of order 3", "key signature", "shown signature", "another root"},
		{"circuit version", "proof encoding", "rk of order 3", "shown signature"},
		{"proof commitments", "k of order 3", "key signature", "shown signature", "another root"},
		{"proof encoding", "rk off the curve", "key signature", "shown signature"},
		{"k off the curve", "key signature", "shown signature", "another root"},
		{"key signature", "shown signature", "another root"},
		{"shown signature", "another root"},
	} {
		r := w.request(t, FamilyTransfer)
		var first fault.Code
		for i := len(names) - 1; i >= 0; i-- {
			for _, v := range violations {
				if v.name == names[i] {
					v.breaks(t, w, r)
					first = v.want
				}
			}
		}
		refused(t, w.verify(r), first)
	}
}

// The statement under a valid key signature, with a proof of something else: every part of it is bound by the proof.
//
//spec:id V-06
func TestProofBindsTheWholeStatement(t *testing.T) {
	w := newWorld(t, Regulated)
	for name, change := range map[string]func(*request){
		"serial":     func(r *request) { r.s.Serials[0] = random(t) },
		"commitment": func(r *request) { r.s.Outputs[0].Cm = random(t) },
		"k":          func(r *request) { r.s.Outputs[1].K = point(t) },
		"period":     func(r *request) { r.s.Period++ },
		"withdrawn":  func(r *request) { r.s.Withdrawn++ },
		"context":    func(r *request) { r.s.Context[0] ^= 1 },
		"show":       func(r *request) { r.e.Shows[0] = w.shown(t) },
	} {
		t.Run(name, func(t *testing.T) {
			r := w.request(t, FamilyTransfer)
			change(r)
			refusedOrSigned := w.verify(r)
			if refusedOrSigned == nil {
				t.Fatal("accepted without a signature")
			}
			w.sign(t, r)
			refused(t, w.verify(r), fault.ProofInvalid)
			w.renew(t, r)
			must(t, w.verify(r))
		})
	}
}

// Evidence may be renewed for the same core, and a re-randomised proof of it is still a proof: the core does not change.
func TestEvidenceIsNotPartOfTheCore(t *testing.T) {
	w := newWorld(t, Regulated)
	r := w.request(t, FamilyTransfer)
	before, err := r.s.Core(w.network)
	must(t, err)
	old := bytes.Clone(r.e.Proof)
	r.limits.MaxHeld, r.root, r.alpha = 1, random(t), scalar(t)
	for i := range r.e.Shows {
		r.e.Shows[i] = w.shown(t)
	}
	w.renew(t, r)
	must(t, w.verify(r))
	after, err := r.s.Core(w.network)
	must(t, err)
	if before != after || bytes.Equal(old, r.e.Proof) {
		t.Fatal("core and evidence are not separate")
	}
}

// Public integers enter by unsigned types of fixed width, so that no request can state one outside its range.
func TestPublicIntegersAtTheirBounds(t *testing.T) {
	w := newWorld(t, Regulated)
	r := w.request(t, FamilyTransfer)
	r.s.Withdrawn, r.s.Period = 1<<64-1, 1<<32-1
	r.limits = Limits{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<32 - 1}
	w.renew(t, r)
	must(t, w.verify(r))
	d := r.s.InputDigest(w.network)
	public := TransferPublic(r.s, r.e, &d, make([]suite.G1, 2), &r.limits, &r.root)
	for i, bits := range map[int]int{28: 64, 29: 64, 30: 64, 31: 64, 32: 32, 33: 32} {
		if got := public[i].BigInt(new(big.Int)).BitLen(); got != bits {
			t.Errorf("input %d has %d bits, want %d", i, got, bits)
		}
	}
}

func TestFamiliesBelongToTheirNetwork(t *testing.T) {
	reg, unreg := newWorld(t, Regulated), newWorld(t, Unregulated)
	r := unreg.request(t, FamilyTransferUnregulated)
	refused(t, reg.verifier.VerifyUnregulated(r.s, r.e), fault.WrongFamily)
	refused(t, reg.verifier.VerifyTransfer(r.s, r.e, &r.limits, &r.root), fault.WrongFamily)
	r = reg.request(t, FamilyTransfer)
	refused(t, unreg.verifier.VerifyTransfer(r.s, r.e, &r.limits, &r.root), fault.WrongFamily)
	refused(t, unreg.verifier.VerifyUnregulated(r.s, r.e), fault.WrongFamily)
	refused(t, unreg.verifier.VerifyRegister(&Register{Apk: random(t)}, &OwnerEvidence{}), fault.WrongFamily)
	both := reg.keys(t, Regulated)
	both.Unregulated = unreg.keys(t, Unregulated).Unregulated
	for _, kind := range []Kind{Regulated, Unregulated} {
		_, err := NewVerifier(reg.network, kind, reg.committee, both)
		refused(t, err, fault.KeysKind)
	}
	wrong := reg.keys(t, Regulated)
	wrong.Transfer = wrong.Mint
	_, err := NewVerifier(reg.network, Regulated, reg.committee, wrong)
	refused(t, err, fault.KeysPublicInputs)
	broken := *reg.committee
	broken.Y1 = point(t)
	_, err = NewVerifier(reg.network, Regulated, &broken, reg.keys(t, Regulated))
	refused(t, err, fault.CommitteeInvalid)
}

func TestRegister(t *testing.T) {
	w := newWorld(t, Regulated)
	fresh := func() (*Register, *OwnerEvidence) {
		s := &Register{Apk: random(t), Coin: BlindedCoin{random(t), point(t)}}
		alpha := scalar(t)
		pk, err := suite.PublicKey(&w.a)
		must(t, err)
		e := &OwnerEvidence{CircuitVersion: version}
		e.RK, err = suite.RandomisedKey(&pk, &alpha)
		must(t, err)
		core, err := s.Core(w.network)
		must(t, err)
		e.KeySignature, err = suite.SignCore(&w.a, &alpha, core)
		must(t, err)
		d := s.InputDigest(w.network)
		base, err := w.scheme.BlindBase(&s.Coin.Cm, &d)
		must(t, err)
		e.Proof = w.sims[FamilyRegister].prove(t, RegisterPublic(s, &d, &base, &e.RK))
		return s, e
	}
	s, e := fresh()
	must(t, w.verifier.VerifyRegister(s, e))
	for name, c := range map[string]struct {
		want   fault.Code
		change func(*Register, *OwnerEvidence)
	}{
		"apk zero":         {fault.OwnerZero, func(s *Register, _ *OwnerEvidence) { s.Apk = suite.Field{} }},
		"another apk":      {fault.KeySignatureInvalid, func(s *Register, _ *OwnerEvidence) { s.Apk = random(t) }},
		"another coin":     {fault.KeySignatureInvalid, func(s *Register, _ *OwnerEvidence) { s.Coin.Cm = random(t) }},
		"version":          {fault.UnknownCircuit, func(_ *Register, e *OwnerEvidence) { e.CircuitVersion = 0 }},
		"proof length":     {fault.ProofLength, func(_ *Register, e *OwnerEvidence) { e.Proof = nil }},
		"signature length": {fault.BadLength, func(_ *Register, e *OwnerEvidence) { e.KeySignature = nil }},
		"another proof":    {fault.ProofInvalid, func(_ *Register, e *OwnerEvidence) { _, other := fresh(); e.Proof = other.Proof }},
	} {
		t.Run(name, func(t *testing.T) {
			s, e := fresh()
			c.change(s, e)
			refused(t, w.verifier.VerifyRegister(s, e), c.want)
		})
	}
	for want, bad := range badPoints {
		s, e := fresh()
		s.Coin.K = bad
		refused(t, w.verifier.VerifyRegister(s, e), want)
		s, e = fresh()
		e.RK = bad
		refused(t, w.verifier.VerifyRegister(s, e), want)
	}
}

func TestMint(t *testing.T) {
	w := newWorld(t, Regulated)
	fresh := func() (*Mint, []byte) {
		s := &Mint{MintID: [32]byte{8}, Value: 1 << 63, Coin: BlindedCoin{random(t), point(t)}}
		d := s.InputDigest(w.network)
		base, err := w.scheme.BlindBase(&s.Coin.Cm, &d)
		must(t, err)
		return s, w.sims[FamilyMint].prove(t, MintPublic(s, &d, &base))
	}
	s, proof := fresh()
	must(t, w.verifier.VerifyMint(s, version, proof))
	refused(t, w.verifier.VerifyMint(s, version+1, proof), fault.UnknownCircuit)
	refused(t, w.verifier.VerifyMint(s, version, proof[:len(proof)-1]), fault.ProofLength)
	for name, change := range map[string]func(*Mint){
		"value":   func(s *Mint) { s.Value++ },
		"mint id": func(s *Mint) { s.MintID[0]++ },
		"c_m":     func(s *Mint) { s.Coin.Cm = random(t) },
		"k":       func(s *Mint) { s.Coin.K = point(t) },
	} {
		t.Run(name, func(t *testing.T) {
			s, proof := fresh()
			change(s)
			refused(t, w.verifier.VerifyMint(s, version, proof), fault.ProofInvalid)
		})
	}
	for want, bad := range badPoints {
		s, proof := fresh()
		s.Coin.K = bad
		refused(t, w.verifier.VerifyMint(s, version, proof), want)
	}
	none, err := NewVerifier(w.network, Regulated, w.committee, Keys{})
	must(t, err)
	refused(t, none.VerifyMint(s, version, proof), fault.WrongFamily)
}

func TestNewVerifierCountsInputs(t *testing.T) {
	for _, n := range []int{TransferInputs, RegisterInputs, MintInputs, UnregulatedInputs} {
		if newSimulator(t, n).key.PublicInputs() != n {
			t.Fatal("inputs")
		}
	}
	if groth.ProofBytes != 772 {
		t.Fatal("proof length")
	}
}
