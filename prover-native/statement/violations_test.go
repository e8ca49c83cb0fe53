package statement

import (
	"bytes"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/groth"
	"solidus.io/prover/internal/jubjubtest"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Places in a transfer's proof: a, T, the first response, and z' after five of them.
const (
	linkAt     = groth.ProofBytes
	pointAt    = linkAt + suite.FieldBytes
	responseAt = pointAt + suite.G1Bytes
	blindAt    = responseAt + 5*suite.ScalarBytes
)

// overwrite puts bytes of one value into the proof.
func overwrite(at, n int, value byte) func(testing.TB, *world, *request) {
	return func(_ testing.TB, _ *world, r *request) { copy(r.e.Proof[at:], bytes.Repeat([]byte{value}, n)) }
}

// link changes the link of the proof.
func link(change func(testing.TB, *world, *suite.Link)) func(testing.TB, *world, *request) {
	return func(t testing.TB, w *world, r *request) {
		l, err := suite.DecodeLink(r.e.Proof[linkAt:], linkedPoints[r.s.Family])
		must(t, err)
		change(t, w, l)
		b, err := suite.EncodeLink(l)
		must(t, err)
		copy(r.e.Proof[linkAt:], b)
	}
}

func increase(e *suite.Field) {
	var one suite.Field
	one.SetOne()
	e.Add(e, &one)
}

func plus(p, q suite.G1) suite.G1 {
	p.Add(&p, &q)
	return p
}

func pointBytes(p suite.G1) []byte {
	b := p.RawBytes()
	return b[:]
}

// violation breaks one rule.
type violation struct {
	name   string
	want   fault.Code
	breaks func(testing.TB, *world, *request)
}

// violations breaks one rule each; the order is that of the checks. A violation can be applied after any that stands behind it.
var violations = []violation{
	{"family", fault.WrongFamily, func(_ testing.TB, _ *world, r *request) { r.s.Family = FamilyMint }},
	{"a serial too few", fault.WrongSerialCount, func(_ testing.TB, _ *world, r *request) { r.s.Serials = r.s.Serials[:2] }},
	{"a serial too many", fault.WrongSerialCount, func(t testing.TB, _ *world, r *request) {
		r.s.Serials = append(r.s.Serials, random(t))
	}},
	{"an output too few", fault.WrongOutputCount, func(_ testing.TB, _ *world, r *request) { r.s.Outputs = r.s.Outputs[:1] }},
	{"a serial twice", fault.SerialsNotDistinct, func(_ testing.TB, _ *world, r *request) { r.s.Serials[2] = r.s.Serials[1] }},
	{"the lead serial twice", fault.SerialsNotDistinct, func(_ testing.TB, _ *world, r *request) { r.s.Serials[1] = r.s.Serials[0] }},
	{"a show too few", fault.WrongShowCount, func(_ testing.TB, _ *world, r *request) { r.e.Shows = r.e.Shows[:2] }},
	{"a show too many", fault.WrongShowCount, func(t testing.TB, w *world, r *request) { r.e.Shows = append(r.e.Shows, w.shown(t)) }},
	{"circuit version", fault.UnknownCircuit, func(_ testing.TB, _ *world, r *request) { r.e.CircuitVersion++ }},
	{"no proof", fault.ProofLength, func(_ testing.TB, _ *world, r *request) { r.e.Proof = nil }},
	{"proof length", fault.ProofLength, func(_ testing.TB, _ *world, r *request) { r.e.Proof = r.e.Proof[1:] }},
	{"no link", fault.ProofLength, func(_ testing.TB, _ *world, r *request) { r.e.Proof = r.e.Proof[:linkAt] }},
	{"proof encoding", fault.ProofEncoding, func(_ testing.TB, _ *world, r *request) { r.e.Proof[100] ^= 1 }},
	{"a not canonical", fault.FieldNotCanonical, overwrite(linkAt, suite.FieldBytes, 0xff)},
	{"T not canonical", fault.PointNotCanonical, overwrite(pointAt, suite.G1Bytes/2, 0xff)},
	{"identity as T", fault.IdentityPoint, overwrite(pointAt, suite.G1Bytes, 0)},
	{"T off the curve", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) {
		copy(r.e.Proof[pointAt:], pointBytes(offCurve()))
	}},
	{"z_1 not canonical", fault.ScalarNotCanonical, overwrite(responseAt, suite.ScalarBytes, 0xff)},
	{"z_5 is r", fault.ScalarNotCanonical, func(_ testing.TB, _ *world, r *request) {
		suite.Order().FillBytes(r.e.Proof[blindAt-suite.ScalarBytes : blindAt])
	}},
	{"z' not canonical", fault.ScalarNotCanonical, overwrite(blindAt, suite.ScalarBytes, 0xff)},
	{"identity as k", fault.IdentityPoint, func(_ testing.TB, _ *world, r *request) { r.s.Outputs[1].K = suite.G1{} }},
	{"k off the curve", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) { r.s.Outputs[0].K = offCurve() }},
	{"identity as h'", fault.IdentityPoint, func(_ testing.TB, _ *world, r *request) { r.e.Shows[2].H = suite.G1{} }},
	{"identity as M'", fault.IdentityPoint, func(_ testing.TB, _ *world, r *request) { r.e.Shows[1].M = suite.G1{} }},
	{"s'' off the curve", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) { r.e.Shows[0].S = offCurve() }},
	{"signature length", fault.BadLength, func(_ testing.TB, _ *world, r *request) { r.e.KeySignature = append(r.e.KeySignature, 0) }},
	{"identity as rk", fault.IdentityPoint, func(_ testing.TB, _ *world, r *request) { r.e.RK = keyIdentity() }},
	{"zeros as rk", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) { r.e.RK = jubjub.Point{} }},
	{"rk off the curve", fault.PointNotOnCurve, func(_ testing.TB, _ *world, r *request) { r.e.RK = keyOffCurve() }},
	{"rk of order 2", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) { r.e.RK = keyOfOrderTwo() }},
	{"rk plus a point of order 8", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) {
		r.e.RK = jubjub.Add(r.e.RK, jubjubtest.OrderEight())
	}},
	{"R of order 2", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) {
		two := keyOfOrderTwo()
		copy(r.e.KeySignature, jubjub.EncodePoint(&two))
	}},
	{"z of the signature", fault.ScalarNotCanonical, func(_ testing.TB, _ *world, r *request) {
		jubjub.Order().FillBytes(r.e.KeySignature[jubjub.PointBytes:])
	}},
	{"k of order 3", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) { r.s.Outputs[0].K = smallOrder() }},
	{"M' of order 3", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) { r.e.Shows[1].M = smallOrder() }},
	{"h' plus a point of order 3", fault.PointNotInSubgroup, func(_ testing.TB, _ *world, r *request) {
		r.e.Shows[0].H = plus(r.e.Shows[0].H, smallOrder())
	}},
	{"T of order 3", fault.PointNotInSubgroup, link(func(_ testing.TB, _ *world, l *suite.Link) { l.T = smallOrder() })},
	{"T plus a point of order 3", fault.PointNotInSubgroup, link(func(_ testing.TB, _ *world, l *suite.Link) {
		l.T = plus(l.T, smallOrder())
	})},
	{"key signature", fault.KeySignatureInvalid, func(_ testing.TB, _ *world, r *request) { r.e.KeySignature[95] ^= 1 }},
	{"another rk", fault.KeySignatureInvalid, func(t testing.TB, _ *world, r *request) { r.e.RK = keyPoint(t) }},
	{"another serial", fault.KeySignatureInvalid, func(t testing.TB, _ *world, r *request) { r.s.Serials[1] = random(t) }},
	{"shown signature", fault.ShownSignatureInvalid, func(t testing.TB, w *world, r *request) { r.e.Shows[1].S = w.point(t) }},
	{"shown message", fault.ShownSignatureInvalid, func(t testing.TB, w *world, r *request) { r.e.Shows[0].M = w.point(t) }},
	{"another show", fault.LinkInvalid, func(t testing.TB, w *world, r *request) { r.e.Shows[0] = w.shown(t) }},
	{"shows swapped", fault.LinkInvalid, func(_ testing.TB, _ *world, r *request) {
		r.e.Shows[1], r.e.Shows[2] = r.e.Shows[2], r.e.Shows[1]
	}},
	{"a", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { increase(&l.A) })},
	{"T", fault.LinkInvalid, link(func(t testing.TB, w *world, l *suite.Link) { l.T = w.point(t) })},
	{"T negated", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { l.T.Neg(&l.T) })},
	{"z_1", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { increase(&l.Z[0]) })},
	{"z_2", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { increase(&l.Z[1]) })},
	{"z_3", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { l.Z[2].SetZero() })},
	{"z_4", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { l.Z[3].Neg(&l.Z[3]) })},
	{"z_5", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { increase(&l.Z[4]) })},
	{"z'", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) { increase(&l.Blind) })},
	{"responses swapped", fault.LinkInvalid, link(func(_ testing.TB, _ *world, l *suite.Link) {
		l.Z[3], l.Z[4] = l.Z[4], l.Z[3]
	})},
	{"the link of another transfer", fault.LinkInvalid, func(t testing.TB, w *world, r *request) {
		copy(r.e.Proof[linkAt:], w.request(t, FamilyTransfer).e.Proof[linkAt:])
	}},
	{"the proof of another transfer", fault.LinkInvalid, func(t testing.TB, w *world, r *request) {
		r.e.Proof = w.request(t, FamilyTransfer).e.Proof
	}},
	{"the Groth16 proof of another transfer", fault.ProofInvalid, func(t testing.TB, w *world, r *request) {
		copy(r.e.Proof[:linkAt], w.request(t, FamilyTransfer).e.Proof)
	}},
	{"another link of the same points", fault.ProofInvalid, func(t testing.TB, w *world, r *request) { w.relink(t, r) }},
	{"A plus a point of order 3", fault.ProofInvalid, func(t testing.TB, _ *world, r *request) {
		proof, err := groth.Decode(r.e.Proof[:linkAt])
		must(t, err)
		copy(r.e.Proof, pointBytes(plus(proof.A, smallOrder())))
	}},
	{"another root", fault.ProofInvalid, func(t testing.TB, _ *world, r *request) { r.root = random(t) }},
	{"limit of a transfer", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxPerTransfer++ }},
	{"limit of a period", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxPerPeriod++ }},
	{"limit of holdings", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxHeld++ }},
	{"limit of an escrow", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxEscrow++ }},
	{"limit of transfers", fault.ProofInvalid, func(_ testing.TB, _ *world, r *request) { r.limits.MaxTransfersPerPeriod++ }},
}

// relink replaces the link by a new one of the request's points and keeps the Groth16 proof.
func (w *world) relink(t testing.TB, r *request) {
	t.Helper()
	b, err := suite.EncodeLink(w.link(t, w.linked(t, r)).Link)
	must(t, err)
	r.e.Proof = append(bytes.Clone(r.e.Proof[:linkAt]), b...)
}
