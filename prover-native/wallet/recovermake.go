package wallet

import (
	"bytes"
	"encoding/json"
	"slices"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/recovery"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// draft is a recover over two cores of this wallet without its proof. All of it follows from the seed, the cores and the credits.
type draft struct {
	json    *recoverJSON
	core    [32]byte
	d       suite.Field
	bits    recovery.Bits
	witness recovery.Witness
}

// draftRecover computes the recover over two cores; of one core it is the recover over it alone.
func (n *network) draftRecover(k *secrets, first, second *familyCore, elsewhere serialSet) (*draft, error) {
	list, places := joinedBelow(first, second)
	if len(list) > statement.MaxBelow {
		return nil, impossible("too many cores on one compliance coin")
	}
	x := &draft{json: &recoverJSON{Below: list}}
	x.bits.Recover = [2]bool{first.recover, second.recover}
	x.bits.Credit = creditsOf(first, second, elsewhere)
	s := &x.json.Statement
	s.First, s.Second = places[first.core], places[second.core]
	for j, of := range []*familyCore{first, second} {
		s.Next, s.Returned = append(s.Next, of.nextSerial[:]), append(s.Returned, of.returned[:])
		for i, credited := range x.bits.Credit[j] {
			s.Credits |= uint8(number(credited)) << (2*j + i)
		}
	}
	// chain, covered, and whether a recover is allowed at all, do not depend on the outputs
	k1, err := suite.EncodeG1(&first.output.K)
	if err != nil {
		return nil, err
	}
	some := outputJSON{suite.EncodeField(&first.output.Cm), k1}
	s.Outputs, s.Context = []outputJSON{some, some}, make([]byte, 32)
	related, err := x.json.resolve(n)
	if err != nil {
		return nil, impossible(err.Error())
	}
	x.bits.Chain, x.bits.Covered = related.Chain, related.Covered
	lead := related.Serials[0]
	secrets := k.recover(&lead, related.over, s.Credits)
	x.witness = recovery.Witness{
		Owner: clause.Owner{Nk: k.nk}, Core: [2]recovery.Core{first.opening, second.opening}, Seed: secrets.seed, R: secrets.history, Blindings: secrets.blindings,
	}
	// the new compliance coin holds as much as it may, and the rest returns as a coin
	all, err := x.witness.Issue(n.Hasher(), k.apk, &related.D, &x.bits)
	if err != nil {
		return nil, impossible(err.Error())
	}
	x.witness.Held = min(all.Returned, first.base)
	issued, err := x.witness.Issue(n.Hasher(), k.apk, &related.D, &x.bits)
	if err != nil {
		return nil, impossible(err.Error())
	}
	m := memoOf(first, second, issued)
	if len(m.Claimed) > maxRecoverClaims {
		return nil, impossible("the cores claim too many coins")
	}
	x.json.Attachments = blocksJSON{secrets.payout, sealSIV(k.memoKey, memoNonce(&lead), m.encode(), []byte(recoverLabel))}
	context, err := n.Context(x.json.Attachments.Payout, x.json.Attachments.Memo)
	if err != nil {
		return nil, err
	}
	s.Context = context[:]
	if related, err = x.json.resolve(n); err != nil {
		return nil, err
	}
	x.d = related.D // which the outputs are not in
	if issued, err = x.witness.Issue(n.Hasher(), k.apk, &x.d, &x.bits); err != nil {
		return nil, err
	}
	blinded, err := clause.Blind(n.Hasher(), &x.d, 0, issued.Messages[:], secrets.blindings[:])
	if err != nil {
		return nil, err
	}
	s.Outputs = nil
	for i := range blinded {
		point, err := suite.EncodeG1(&blinded[i].K)
		if err != nil {
			return nil, err
		}
		s.Outputs = append(s.Outputs, outputJSON{suite.EncodeField(&blinded[i].Cm), point})
	}
	if related, err = x.json.resolve(n); err != nil {
		return nil, err
	}
	x.core = related.Core
	return x, nil
}

// joinedBelow is the list of requests of two cores, each once, with their places. A recover among them names its own by their
// places, so they are written anew.
func joinedBelow(first, second *familyCore) (list []belowJSON, places map[[32]byte]uint8) {
	places = map[[32]byte]uint8{}
	for _, e := range slices.Concat(first.entries, second.entries) {
		if _, there := places[e.core]; there {
			continue
		}
		one := e.json
		if one.Recover != nil {
			placed := *one.Recover
			placed.Statement.First, placed.Statement.Second = places[e.over[0]], places[e.over[1]]
			one.Recover = &placed
		}
		places[e.core] = uint8(min(len(list), 255))
		list = append(list, one)
	}
	return list, places
}

// creditsOf says which coins of the two cores count: each once, without those of another core and those that a recover below
// returned. Half of a claim of many counts with all of its coins, or not.
func creditsOf(first, second *familyCore, elsewhere serialSet) (credits [2][2]bool) {
	counted := serialSet{}
	for _, set := range []serialSet{first.credited, elsewhere, first.returnedBelow, second.returnedBelow} {
		for sn := range set {
			counted[sn] = true
		}
	}
	for j, of := range []*familyCore{first, second} {
		for i, half := range of.halves {
			if len(half) == 0 || slices.ContainsFunc(half, func(sn serialNumber) bool { return counted[sn] }) {
				continue
			}
			credits[j][i] = true
			for _, sn := range half {
				counted[sn] = true
			}
		}
	}
	return credits
}

func memoOf(first, second *familyCore, issued *recovery.Issued) *recoverMemo {
	m := &recoverMemo{
		Time: max(first.time, second.time), Period: issued.Next.Period, Sent: issued.Next.Sent, Count: issued.Next.Count, Held: issued.Next.Held,
		Com: bytes32(&issued.Next.Com), Returned: issued.Returned, Outflow: issued.Outflow, Budget: issued.Budget,
		Histories:  [2][32]byte{bytes32(&first.next.Com), bytes32(&second.next.Com)},
		Unfinished: max(first.unfinished, second.unfinished), Claimed: slices.Concat(first.claimed, second.claimed),
	}
	slices.SortFunc(m.Claimed, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	m.Claimed = slices.Compact(m.Claimed)
	return m
}

// encode writes the witness for the bridge, which is private to the native library.
func (x *draft) encode(k *secrets, alpha *jubjub.Scalar) []byte {
	w := &witnessWriter{b: []byte{witnessVersion, byte(statement.FamilyRecover)}}
	w.b = append(w.b, x.core[:]...)
	w.fields(&k.nk)
	w.b = append(w.b, jubjub.EncodePoint(&k.pkAuth)...)
	w.fields(&x.d)
	for j := range x.witness.Core {
		c := &x.witness.Core[j]
		w.flag(x.bits.Recover[j])
		w.flag(x.bits.Credit[j][0])
		w.flag(x.bits.Credit[j][1])
		w.fields(&c.D, &c.Seed, &c.S)
		w.u32(c.Period)
		w.u64(c.Sent)
		w.u32(c.Count)
		w.u64(c.Held)
		w.fields(&c.Com, &c.Counterparty)
		for _, v := range c.Values {
			w.u64(v)
		}
		w.u64(c.Withdrawn)
		w.b = append(w.b, byte(c.Origins[0]), byte(c.Origins[1]))
		w.flag(c.Escrow)
		w.fields(&c.R)
	}
	w.flag(x.bits.Chain)
	w.flag(x.bits.Covered)
	w.u64(x.witness.Held)
	w.fields(&x.witness.Seed, &x.witness.R)
	for j := range x.witness.Blindings {
		w.fields(&x.witness.Blindings[j].S, &x.witness.Blindings[j].B)
	}
	w.b = append(w.b, alpha.Bytes()...)
	return w.b
}

// proveRecover has the host prove a draft, whoever proves transfers: no prover is asked for a recover. It returns the request,
// verified as a validator would.
func (r *run) proveRecover(x *draft) ([]byte, error) {
	if r.net.recoverCircuit == 0 {
		return nil, refuse("not-supported", "the account is locked, and the profile has no key of recovers")
	}
	alpha := r.draws().keyScalar("recover-alpha", x.core[:])
	r.progress("proof", 0)
	made, err := r.hostProves(uint8(statement.FamilyRecover), x.encode(r.keys, &alpha))
	if err != nil {
		return nil, err
	}
	rk, err := suite.RandomisedKey(&r.keys.pkAuth, &alpha)
	if err != nil {
		return nil, err
	}
	nonce := r.draws().keyScalar("recover-nonce", x.core[:], alpha.Bytes(), made)
	x.json.Evidence = recoverEvidenceJSON{
		Circuit: r.net.recoverCircuit, RK: jubjub.EncodePoint(&rk), Proof: made, Signature: signCore(&r.keys.a, &alpha, &nonce, x.core),
	}
	raw, err := json.Marshal(x.json)
	if err != nil {
		return nil, err
	}
	lead, err := field(x.lead())
	if err != nil {
		return nil, err
	}
	o, err := r.net.reopenRecover(r.keys, &lead, raw)
	if err != nil {
		return nil, err
	}
	if o == nil || o.core != x.core || o.json.Evidence.level(r.net, o.core, o.statement) != evidenceRight {
		return nil, refuse("proof-unverified", "the host's proof of a recover is none")
	}
	return raw, nil
}

func (x *draft) lead() serialNumber {
	for i := int(x.json.Statement.First); ; {
		if t := x.json.Below[i].Transfer; t != nil {
			return serialNumber(t.Statement.Serials[0])
		}
		i = int(x.json.Below[i].Recover.Statement.First)
	}
}
