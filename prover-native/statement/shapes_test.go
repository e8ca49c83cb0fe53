package statement

import (
	"testing"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/suite"
)

// manyShapes are the families of other shapes with the circuits that they have.
var manyShapes = map[Family]transfer.Shape{FamilyClaim16: transfer.Claim16, FamilyPay8: transfer.Pay8}

// Link and public inputs that the circuit's package makes for an honest witness are those that the validator recomputes.
func TestTheLinksOfOtherShapesHoldForTheValidator(t *testing.T) {
	w := newWorld(t, Regulated)
	for family, shape := range manyShapes {
		r, _ := w.many(t, family, shape)
		must(t, w.verify(r))
		r.s.Outputs[0], r.s.Outputs[len(r.s.Outputs)-1] = r.s.Outputs[len(r.s.Outputs)-1], r.s.Outputs[0]
		if w.verify(r) == nil {
			t.Errorf("family %d: outputs may be exchanged", family)
		}
	}
}

// many is an honest request of another shape in which every input is a coin but the last, and every payee another one.
func (w *world) many(t *testing.T, family Family, shape transfer.Shape) (*request, *transfer.ManyWitness) {
	t.Helper()
	h := w.network.Hasher()
	pk, err := suite.PublicKey(&w.a)
	must(t, err)
	plan := &transfer.ManyPlan{
		Network: w.network.Tag(), Nk: random(t), PkAuth: pk,
		Cc:        transfer.Compliance{Rho: random(t), Period: 202610, Sent: 5, Count: 2, Held: 9000, Com: random(t)},
		Withdrawn: 20, Period: 202611, Seed: random(t), EntryR: random(t),
	}
	for i := range shape.Inputs {
		plan.In = append(plan.In, transfer.Input{Value: 70 + uint64(i), Rho: random(t)})
	}
	plan.In[shape.Inputs-1].Value, plan.In[shape.Inputs-1].Dummy = 0, true
	for range shape.Payees {
		plan.Payments = append(plan.Payments, transfer.Payment{Recipient: random(t), Paid: 300})
	}
	for range shape.Outputs() {
		plan.Blindings = append(plan.Blindings, blinding(t))
	}
	apk, serialKey := h.Address(plan.Nk, &pk)
	s := &Transfer{Family: family, Period: plan.Period, Withdrawn: plan.Withdrawn, Context: [32]byte{1}}
	s.Serials = []suite.Field{h.Serial(serialKey, plan.Cc.Rho)}
	for i := range plan.In {
		s.Serials = append(s.Serials, h.Serial(serialKey, plan.In[i].Rho))
	}
	plan.D = s.InputDigest(w.network)
	out, err := transfer.PrepareMany(plan)
	must(t, err)
	for j := range out.Out {
		s.Outputs = append(s.Outputs, coinOf(&out.Out[j]))
	}

	r := &request{s: s, e: &Evidence{CircuitVersion: version}, root: random(t), alpha: keyScalar(t)}
	r.limits = Limits{MaxPerTransfer: 1000, MaxPerPeriod: 5000, MaxHeld: 9000, MaxEscrow: 700, MaxTransfersPerPeriod: 30}
	x := &transfer.ManyWitness{
		Network: plan.Network, Owner: clause.Owner{Nk: plan.Nk, Alpha: r.alpha}, Cc: plan.Cc, In: plan.In, Payments: plan.Payments,
		Seed: plan.Seed, EntryR: plan.EntryR, Blindings: plan.Blindings,
	}
	x.Public = transfer.ManyPublic{
		SnCc: s.Serials[0], Sn: s.Serials[1:], Out: out.Out, D: plan.D, Withdrawn: s.Withdrawn,
		VSent: r.limits.MaxPerTransfer, VTotal: r.limits.MaxPerPeriod, VHeld: r.limits.MaxHeld, VEscrow: r.limits.MaxEscrow,
		VCount: r.limits.MaxTransfersPerPeriod, Period: s.Period, Root: r.root,
	}
	x.Public.Rk, err = suite.RandomisedKey(&pk, &r.alpha)
	must(t, err)
	r.e.RK = x.Public.Rk
	cc := h.Compliance(&hash.Compliance{
		Apk: apk, Rho: plan.Cc.Rho, Period: plan.Cc.Period, Sent: plan.Cc.Sent, Count: plan.Cc.Count, Held: plan.Cc.Held,
		Com: plan.Cc.Com,
	})
	show := func(hm suite.Field) (clause.Shown, suite.Field) {
		shown, o := w.openedShow(t, hm)
		r.e.Shows = append(r.e.Shows, shown)
		return clause.Shown{H: shown.H, M: shown.M}, o
	}
	x.Public.ShowCc, x.ShowCcBlind = show(cc)
	for _, in := range plan.In {
		message := cc
		if !in.Dummy {
			message = h.Coin(in.Origin, in.Value, apk, in.Rho)
		}
		shown, o := show(message)
		x.Public.Show, x.ShowBlind = append(x.Public.Show, shown), append(x.ShowBlind, o)
	}
	w.sign(t, r)
	core, err := s.Core(w.network)
	must(t, err)
	link, err := x.Bind(core)
	must(t, err)
	r.e.Proof = w.simulate(t, family, x.Public.Vector(link), &link.Shown)
	return r, x
}

// A batch of all shapes gives each request the verdict that it gets alone.
//
//spec:id V-05 V-06
func TestABatchOfAllShapes(t *testing.T) {
	w := newWorld(t, Regulated)
	var requests []*request
	var items []Item
	for range 2 {
		for _, family := range []Family{FamilyTransfer, FamilyClaim16, FamilyPay8} {
			r := w.request(t, family)
			requests, items = append(requests, r), append(items, Item{r.s, r.e, &r.limits, &r.root})
		}
	}
	for i, err := range w.verifier.VerifyTransfers(items) {
		if err != nil {
			t.Errorf("item %d: %v", i, err)
		}
	}
	wrong := map[int]func(*request){
		1: func(r *request) { r.limits.MaxTransfersPerPeriod++ },
		2: func(r *request) { r.e.Shows[2].S = w.point(t) },
		3: func(r *request) { r.e.Proof[len(r.e.Proof)-1] ^= 1 },
		4: func(r *request) { items[4].Root = nil },
	}
	for i, breaks := range wrong {
		breaks(requests[i])
	}
	for i, err := range w.verifier.VerifyTransfers(items) {
		_, broken := wrong[i]
		if (err != nil) != broken {
			t.Errorf("item %d: %v", i, err)
		}
		if items[i].Root == nil {
			continue
		}
		if alone := w.verify(requests[i]); fault.CodeOf(alone) != fault.CodeOf(err) {
			t.Errorf("item %d: %v alone, %v in the batch", i, alone, err)
		}
	}
}

// A request of one shape is none of another, in counts, proof and core; and a coin claimed twice in one request counts for nothing.
func TestShapesAreApart(t *testing.T) {
	w := newWorld(t, Regulated)
	families := []Family{FamilyTransfer, FamilyClaim16, FamilyPay8}
	cores := map[[32]byte]bool{}
	for _, family := range families {
		for _, other := range families {
			r := w.request(t, family)
			r.s.Family = other
			core, err := r.s.Core(w.network)
			must(t, err)
			if cores[core] {
				t.Fatal("two families share a core")
			}
			cores[core] = true
			if err := w.verify(r); (err == nil) != (family == other) {
				t.Errorf("a request of family %d as one of %d: %v", family, other, err)
			}
		}
	}
	for _, family := range families {
		r := w.request(t, family)
		last := len(r.s.Serials) - 1
		r.s.Serials[last] = r.s.Serials[last-1]
		w.renew(t, r)
		refused(t, w.verify(r), fault.SerialsNotDistinct)
	}
}

// A network without the keys of a shape refuses it, alone and in a batch, and an unregulated network has none.
func TestShapesWithoutKeys(t *testing.T) {
	w := newWorld(t, Regulated)
	keys := w.verifier.keys
	keys.Claim16, keys.Pay8 = nil, nil
	without, err := NewVerifier(w.network, Regulated, w.committee, keys)
	must(t, err)
	var items []Item
	for family := range manyShapes {
		r := w.request(t, family)
		items = append(items, Item{r.s, r.e, &r.limits, &r.root})
		refused(t, without.VerifyTransfer(r.s, r.e, &r.limits, &r.root), fault.WrongFamily)
		refused(t, w.verifier.VerifyUnregulated(r.s, r.e), fault.WrongFamily)
	}
	for _, err := range without.VerifyTransfers(items) {
		refused(t, err, fault.WrongFamily)
	}
	_, err = NewVerifier(w.network, Unregulated, w.committee, Keys{Claim16: w.verifier.keys.Claim16})
	refused(t, err, fault.KeysKind)
	_, err = NewVerifier(w.network, Regulated, w.committee, Keys{Pay8: w.verifier.keys.Claim16})
	refused(t, err, fault.KeysPublicInputs)
}

// BenchmarkShapes is what a validator computes to verify one request of a shape in batches of 32, and what it computes to sign it.
func BenchmarkShapes(b *testing.B) {
	w := newWorld(b, Regulated)
	for _, x := range []struct {
		name   string
		family Family
	}{{"transfer", FamilyTransfer}, {"claim-16", FamilyClaim16}, {"pay-8", FamilyPay8}} {
		const batch = 32
		_, items := w.items(b, x.family, batch)
		b.Run(x.name+"/verify", func(b *testing.B) {
			for b.Loop() {
				for _, err := range w.verifier.VerifyTransfers(items) {
					must(b, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N)/batch, "ms/request")
		})
		b.Run(x.name+"/sign", func(b *testing.B) {
			s := items[0].Statement
			for b.Loop() {
				for j := range s.Outputs {
					_, err := w.scheme.Sign(w.shares[0], s.Bases(w.network), j, &s.Outputs[j].K)
					must(b, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/request")
		})
	}
}
