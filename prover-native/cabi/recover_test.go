package cabi

import (
	"bytes"
	"testing"

	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/simtest"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// stuckPlan is a plan of a recover with its owner.
type stuckPlan struct {
	owner *account
	recoverPlan
}

// twoBranches is a recover over two payments of one compliance coin, whose first coin it credits.
func twoBranches(w *simtest.World) *stuckPlan {
	p := &stuckPlan{owner: newAccount(w)}
	p.d, p.pkAuth, p.witness.Owner.Nk = w.Field(), p.owner.pk, p.owner.nk
	p.bits.Credit[0][0] = true
	for j := range p.witness.Core {
		p.witness.Core[j] = recovery.Core{
			D: w.Field(), Seed: w.Field(), S: w.Field(), Period: 202611, Sent: 90, Count: 3, Held: 5000, Com: w.Field(), Counterparty: w.Field(),
			Values: [3]uint64{uint64(60 + j), 40, 0}, Origins: [2]hash.Origin{hash.OriginMint, 0}, R: w.Field(),
		}
	}
	p.witness.Held, p.witness.Seed, p.witness.R, p.witness.Blindings = 4000, w.Field(), w.Field(), blindings(w)
	return p
}

// body is the plan as PREPARE_RECOVER and a witness hold it.
func (p *stuckPlan) body() []byte {
	q, x := new(request).field(p.owner.nk).key(p.owner.pk).field(p.d), &p.witness
	for j := range x.Core {
		c := &x.Core[j]
		q.flag(p.bits.Recover[j]).flag(p.bits.Credit[j][0]).flag(p.bits.Credit[j][1])
		q.field(c.D).field(c.Seed).field(c.S).u32(c.Period).u64(c.Sent).u32(c.Count).u64(c.Held).field(c.Com).field(c.Counterparty)
		q.u64(c.Values[0]).u64(c.Values[1]).u64(c.Values[2]).u64(c.Withdrawn).u8(uint8(c.Origins[0])).u8(uint8(c.Origins[1]))
		q.flag(c.Escrow).field(c.R)
	}
	q.flag(p.bits.Chain).flag(p.bits.Covered).u64(x.Held).field(x.Seed).field(x.R)
	return q.blindings(x.Blindings[:]).b
}

// opening is the opening of what a transfer of this plan creates.
func (p *plan) opening(t testing.TB, next *transfer.Compliance) recovery.Core {
	t.Helper()
	return recovery.Core{
		D: p.d, Seed: p.seed, S: p.blindings[1].S, Period: next.Period, Sent: next.Sent, Count: next.Count, Held: next.Held,
		Com: p.cc.Com, Counterparty: p.recipient, Values: [3]uint64{p.paid, p.in[0].Value, p.in[1].Value}, Withdrawn: p.withdrawn,
		Origins: [2]hash.Origin{p.in[0].Origin, p.in[1].Origin}, Escrow: p.escrow, R: p.entryR,
	}
}

// recover is a recover over a transfer that its owner really made and proved.
func (n *notary) recover(t testing.TB) *proved {
	t.Helper()
	w, p := n.regulated, transferPlan(n.regulated)
	s := n.statementOf(t, p)
	below := n.transferOf(t, p, s)
	e := below.evidence
	e.Proof = n.prove(t, &below.proved, below.core)

	r := &reader{in: p.body()}
	made, err := transfer.Prepare(r.transferPlan(w.Network))
	must(t, err)
	stuck := &stuckPlan{owner: p.owner}
	x := &stuck.witness
	x.Owner.Nk, x.Held, x.Seed, x.R, x.Blindings = p.owner.nk, p.cc.Held, w.Field(), w.Field(), blindings(w)
	x.Core[0] = p.opening(t, &made.Next)
	x.Core[1] = x.Core[0]
	stuck.bits.Credit[0], stuck.bits.Covered = [2]bool{true, true}, true

	_, rho := w.Network.Hasher().Rhos(p.seed, p.d)
	next := p.owner.serial(w, rho)
	over := &statement.Recover{
		First: statement.Request{Transfer: &statement.Item{Statement: s, Evidence: e, Limits: &below.x.limits}},
		Next:  [2]suite.Field{next, next}, Credits: 0b0011, Context: [32]byte(w.Bytes(32)), Evidence: &statement.OwnerEvidence{CircuitVersion: simtest.Version},
		Outputs: [2]statement.BlindedCoin(s.Outputs), // any: D does not depend on them
	}
	root := below.x.tree.Root()
	over.First.Transfer.Root = &root
	reservation, err := over.Reservation(w.Network)
	must(t, err)
	stuck.d = reservation.D
	outputs := tail(t, ok(t, "PREPARE_RECOVER", new(request).sized([]byte(simtest.NetworkID)).raw(stuck.body())), 2)
	over.Outputs = [2]statement.BlindedCoin(outputs)
	reservation, err = over.Reservation(w.Network)
	must(t, err)
	alpha := w.KeyScalar()
	over.Evidence.RK, over.Evidence.KeySignature = p.owner.sign(t, alpha, reservation.Core)
	return &proved{
		family: statement.FamilyRecover, name: "VERIFY_RECOVER", core: reservation.Core,
		witness: func(core [32]byte) []byte { return new(request).raw(core[:]).raw(stuck.body()).keyScalar(alpha).b },
		request: func(proof []byte) *request {
			over.Evidence.Proof = proof
			q := new(request).u64(n.verifiers[w.Kind]).raw(reservation.Core[:]).u8(2)
			q.u8(uint8(statement.FamilyTransfer)).transfer(s, e).limits(&below.x.limits).field(root)
			return q.u8(uint8(statement.FamilyRecover)).u8(0).u8(0).recoverBody(over)
		},
	}
}

// What PREPARE_RECOVER says is what the circuit's package issues.
func TestPreparedRecover(t *testing.T) {
	h := hostileOnce()
	p := twoBranches(h.regulated)
	r := &reader{in: ok(t, "PREPARE_RECOVER", new(request).sized([]byte(simtest.NetworkID)).raw(p.body()))}
	apk := p.owner.apk
	issued, err := p.witness.Issue(h.regulated.Network.Hasher(), apk, &p.d, &p.bits)
	must(t, err)
	// held before: 5000 + 60 - 40 = 5020; the credited coin adds 40; the larger payment of 61 is burnt
	if issued.Budget != 5060 || issued.Outflow != 61 || issued.Returned != 999 {
		t.Fatalf("budget %d, outflow %d, returned %d", issued.Budget, issued.Outflow, issued.Returned)
	}
	if origin, value := r.origin(), r.u64(); origin != hash.OriginOwn || value != issued.Returned || r.field() != apk || r.field() != issued.Rho {
		t.Error("another returned coin")
	}
	if r.field() != apk || r.field() != issued.Next.Rho || r.u32() != 202611 || r.u64() != 90 || r.u32() != 4 || r.u64() != 4000 || r.field() != issued.Next.Com {
		t.Error("another compliance coin")
	}
	if r.u64() != 61 || r.u64() != 5060 || r.field() != issued.Messages[0] || r.field() != issued.Messages[1] {
		t.Error("another account")
	}
	for j, coin := range r.blindedCoins(2) {
		if want := h.regulated.Network.Hasher().Commit(p.witness.Blindings[j].S, issued.Messages[j]); coin.Cm != want {
			t.Errorf("output %d has another commitment", j)
		}
	}
	must(t, r.end())
}

// A list in which a recover names something that is not before it, or that nothing names, is no recover.
func TestRecoversAreReadAsALists(t *testing.T) {
	h := hostileOnce()
	w := h.regulated
	x, below := w.Recover(t)
	reservation, err := x.Reservation(w.Network)
	must(t, err)
	head := func() *request { return new(request).u64(h.verifier).raw(reservation.Core[:]) }
	item := new(request).u8(uint8(statement.FamilyTransfer)).item(below).b
	over := func(first, second uint8) []byte {
		return new(request).u8(uint8(statement.FamilyRecover)).u8(first).u8(second).recoverBody(x).b
	}
	must(t, verdictOf(t, head().u8(2).raw(item).raw(over(0, 0))))
	for name, q := range map[string]*request{
		"nothing":                   head().u8(0),
		"a recover alone":           head().u8(1).raw(over(0, 0)),
		"itself as its first":       head().u8(2).raw(item).raw(over(1, 0)),
		"itself as its second":      head().u8(2).raw(item).raw(over(0, 1)),
		"something behind it":       head().u8(2).raw(item).raw(over(0xff, 0)),
		"a transfer last":           head().u8(2).raw(item).raw(item),
		"a request that none names": head().u8(3).raw(item).raw(item).raw(over(0, 0)),
		"an unknown family":         head().u8(2).u8(9).raw(item[1:]).raw(over(0, 0)),
		"too many":                  head().u8(recoverItems + 1).raw(bytes.Repeat(item, recoverItems)).raw(over(0, 0)),
		"a trailing byte":           head().u8(2).raw(item).raw(over(0, 0)).u8(0),
		"another core":              new(request).u64(h.verifier).raw(make([]byte, 32)).u8(2).raw(item).raw(over(0, 0)),
	} {
		t.Run(name, func(t *testing.T) {
			if err := verdictOf(t, q); err == nil {
				t.Error("accepted")
			}
		})
	}
}

// verdictOf is the verdict of VERIFY_RECOVER, or its refusal.
func verdictOf(t *testing.T, q *request) error {
	t.Helper()
	code, result := split(t, Invoke(number(t, "VERIFY_RECOVER"), q.b))
	if code == fault.OK {
		r := &reader{in: result}
		code = fault.Code(r.u32())
	}
	if code == fault.Internal {
		t.Fatalf("%s", result)
	}
	if code == fault.OK {
		return nil
	}
	return fault.New(code, "")
}

// The longest recover fits its bound, with transfers only and with recovers only.
func TestTheLongestRecoverFits(t *testing.T) {
	w := hostileOnce().regulated
	x, below := w.Recover(t)
	item := len(new(request).u8(0).item(below).b)
	over := len(new(request).u8(0).u8(0).u8(0).recoverBody(x).b)
	if longest := 8 + 32 + 1 + recoverItems*max(item, over); longest > recoverBytes {
		t.Errorf("%d bytes, the bound is %d", longest, recoverBytes)
	}
}
