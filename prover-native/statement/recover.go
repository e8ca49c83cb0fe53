package statement

import (
	"slices"

	"solidus.io/prover/fault"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/suite"
)

// Request is what a recover takes: a whole transfer of a regulated network, or a whole recover.
type Request struct {
	Transfer *Item
	Recover  *Recover
}

func (q *Request) absent() bool { return q.Transfer == nil && q.Recover == nil }

// Recover frees an account that its owner's own cores lock. Outputs are the returned coin and the next compliance coin.
type Recover struct {
	// First has the lead. Second is absent where the recover is about one core.
	First, Second Request
	// Next are the serial numbers of the compliance coins that the two would create, Returned those of the coins that they, being
	// recovers, would return; 0 for a transfer.
	Next, Returned [2]suite.Field
	// Credits has bit 2j + i for input i of the first (j = 0) or the second core; of a core that claims many, for half i of its inputs.
	Credits uint8
	Outputs [2]BlindedCoin
	Context [32]byte

	Evidence *OwnerEvidence
}

// MaxBelow is the largest number of cores below a recover.
//
//spec:id X-22
const MaxBelow = 16

// MaxRecoverSerials is the largest number of serial numbers of a recover. Sixteen cores that claim two coins each need 65 of them.
//
//spec:id X-28
const MaxRecoverSerials = 129

// maxRequests bounds the requests that are looked at, of which many may be copies of one core.
const maxRequests = 256

// Below is a core below a recover.
type Below struct {
	Core     [32]byte
	Recover  bool
	lead     suite.Field
	next     suite.Field
	returned suite.Field
}

// Reservation is what an authority reserves for a recover: each serial number is free, or held by the recover or a core below it.
type Reservation struct {
	Core    [32]byte
	D       suite.Field
	Serials []suite.Field // the lead first, then in ascending order
	Below   []Below
	// Chain and Covered are the bits of the circuit.
	Chain, Covered bool
}

// resolved is a request with what follows from it.
type resolved struct {
	core               [32]byte
	recover            bool
	lead, d, cm        suite.Field
	coins              [2][]suite.Field // that a transfer claims, in halves
	below              []Below
	credited, creditIn []suite.Field // by a recover; by it or by one below
	serials            []suite.Field
	bits               recoverBits
	cores              [2]*resolved
}

// recoverBits are the bits that the circuit takes from the verifier.
type recoverBits struct {
	credit         [2][2]bool
	chain, covered bool
}

// resolver resolves requests of one network.
type resolver struct {
	network  *Network
	requests int
}

func (s *resolver) request(q *Request) (*resolved, error) {
	if s.requests++; s.requests > maxRequests {
		return nil, fault.New(fault.MalformedRequest, "too many requests below a recover")
	}
	if q.Recover != nil {
		if q.Transfer != nil {
			return nil, fault.New(fault.MalformedRequest, "a request of two kinds")
		}
		return s.recover(q.Recover)
	}
	t := q.Transfer
	if t == nil {
		return nil, fault.New(fault.MalformedRequest, "no request")
	}
	if t.Statement.Family != regulatedFamily(t.Statement.Family) {
		return nil, fault.Newf(fault.WrongFamily, "%d below a recover", t.Statement.Family)
	}
	if err := t.Statement.CheckShape(); err != nil {
		return nil, err
	}
	core, err := t.Statement.Core(s.network)
	if err != nil {
		return nil, err
	}
	serials := t.Statement.Serials
	half := len(serials) / 2 // of the inputs behind the lead, the larger part
	return &resolved{
		core: core, lead: serials[0], coins: [2][]suite.Field{serials[1 : 1+half], serials[1+half:]},
		d: t.Statement.InputDigest(s.network), cm: t.Statement.Outputs[1].Cm,
	}, nil
}

// recover resolves both requests and applies the rules about them.
func (s *resolver) recover(r *Recover) (*resolved, error) {
	first, err := s.request(&r.First)
	if err != nil {
		return nil, err
	}
	second := first
	if !r.Second.absent() {
		if second, err = s.request(&r.Second); err != nil {
			return nil, err
		}
		if second.core == first.core {
			return nil, fault.New(fault.MalformedRequest, "one request given twice")
		}
	}
	x := &resolved{recover: true, lead: first.lead, cores: [2]*resolved{first, second}}
	for _, rule := range []func(*Recover) error{x.gather, x.relate, x.name, x.credit} {
		if err := rule(r); err != nil {
			return nil, err
		}
	}
	if err := x.finish(); err != nil {
		return nil, err
	}
	x.d = s.network.inputDigest(FamilyRecover, x.body(r))
	x.cm = r.Outputs[1].Cm
	body := append(x.body(r), byte(len(r.Outputs)))
	for j := range r.Outputs {
		if body, err = r.Outputs[j].append(body); err != nil {
			return nil, err
		}
	}
	x.core = s.network.core(FamilyRecover, body)
	return x, nil
}

// gather puts together what is below.
//
//spec:id X-23
func (x *resolved) gather(r *Recover) error {
	add := func(b Below) error {
		for i := range x.below {
			switch other := &x.below[i]; {
			case other.Core == b.Core && *other != b:
				return fault.New(fault.MalformedRequest, "one core with two successors")
			case other.Core == b.Core:
				return nil
			case other.next == b.next:
				return fault.New(fault.SerialsNotDistinct, "two cores have one successor")
			}
		}
		if len(x.below) == MaxBelow {
			return fault.Newf(fault.MalformedRequest, "more than %d cores below a recover", MaxBelow)
		}
		x.below = append(x.below, b)
		return nil
	}
	for j, core := range x.cores {
		if !core.recover && !r.Returned[j].IsZero() {
			return fault.New(fault.MalformedRequest, "a transfer returns no coin")
		}
		if err := add(Below{core.core, core.recover, core.lead, r.Next[j], r.Returned[j]}); err != nil {
			return err
		}
		for _, b := range core.below {
			if err := add(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// under says whether a core is the j-th one or below it.
func (x *resolved) under(j int, b *Below) bool {
	return x.cores[j].core == b.Core || slices.ContainsFunc(x.cores[j].below, func(c Below) bool { return c.Core == b.Core })
}

// relate sets chain and covered.
//
//spec:id X-20
func (x *resolved) relate(*Recover) error {
	lead := x.cores[1].lead
	x.bits.covered = true
	for i := range x.below {
		b := &x.below[i]
		inFirst := x.under(0, b)
		x.bits.chain = x.bits.chain || inFirst && b.next == lead
		x.bits.covered = x.bits.covered && (inFirst || b.Recover)
	}
	if lead == x.lead {
		x.bits.chain = false
	} else if !x.bits.chain {
		return fault.New(fault.MalformedRequest, "the second core spends neither the lead nor a successor")
	}
	return nil
}

// credit applies the rules about credited coins.
//
//spec:id X-24
func (x *resolved) credit(r *Recover) error {
	if r.Credits > 15 {
		return fault.New(fault.MalformedRequest, "credits")
	}
	x.credited = slices.Clone(x.cores[0].credited)
	for j, core := range x.cores {
		for i := range x.bits.credit[j] {
			if r.Credits>>(2*j+i)&1 == 0 {
				continue
			}
			if core.recover || j == 1 && core == x.cores[0] || slices.ContainsFunc(core.coins[i], x.isCredited) {
				return fault.New(fault.MalformedRequest, "a coin is credited twice, or none is there")
			}
			x.bits.credit[j][i] = true
			x.credited = append(x.credited, core.coins[i]...)
		}
	}
	x.creditIn = slices.Concat(x.credited, x.cores[0].creditIn, x.cores[1].creditIn)
	for i := range x.below {
		if b := &x.below[i]; b.Recover && slices.Contains(x.creditIn, b.returned) {
			return fault.New(fault.MalformedRequest, "a returned coin is credited")
		}
	}
	return nil
}

func (x *resolved) isCredited(coin suite.Field) bool { return slices.Contains(x.credited, coin) }

// name is a rule of the statement itself: every serial number below a recover stands for something.
func (x *resolved) name(r *Recover) error {
	for j, core := range x.cores {
		if r.Next[j].IsZero() || core.recover && r.Returned[j].IsZero() {
			return fault.New(fault.MalformedRequest, "a serial number is zero")
		}
	}
	return nil
}

// finish puts the serial numbers together.
//
//spec:id X-21
func (x *resolved) finish() error {
	all := slices.Clone(x.credited)
	for i := range x.below {
		all = append(all, x.below[i].next)
		if x.below[i].Recover {
			all = append(all, x.below[i].returned)
		}
	}
	all = slices.DeleteFunc(all, func(sn suite.Field) bool { return sn == x.lead })
	slices.SortFunc(all, func(a, b suite.Field) int { return a.Cmp(&b) })
	x.serials = append([]suite.Field{x.lead}, slices.Compact(all)...)
	if len(x.serials) > MaxRecoverSerials {
		return fault.Newf(fault.MalformedRequest, "more than %d serial numbers of a recover", MaxRecoverSerials)
	}
	return nil
}

// body is that of D.
func (x *resolved) body(r *Recover) []byte {
	body := []byte{byte(len(x.serials))}
	for i := range x.serials {
		body = appendField(body, &x.serials[i])
	}
	body = append(body, x.cores[0].core[:]...)
	body = append(body, x.cores[1].core[:]...)
	body = append(body, r.Credits)
	return append(body, r.Context[:]...)
}

// bases is what the bases of the outputs depend on.
func (x *resolved) bases(r *Recover) *suite.Outputs {
	return &suite.Outputs{D: x.d, Cms: []suite.Field{r.Outputs[0].Cm, r.Outputs[1].Cm}}
}

// Reservation is what an authority reserves for the recover, whose rules it applies and whose evidence it does not verify.
func (r *Recover) Reservation(n *Network) (*Reservation, error) {
	x, err := (&resolver{network: n}).recover(r)
	if err != nil {
		return nil, err
	}
	return &Reservation{Core: x.core, D: x.d, Serials: x.serials, Below: x.below, Chain: x.bits.chain, Covered: x.bits.covered}, nil
}

// VerifyRecover checks a recover and every request below it. The caller gives each transfer the limits and the root of the policy and
// the checkpoint that it names, whichever was ever in force.
//
//spec:id X-25
func (v *Verifier) VerifyRecover(r *Recover) error {
	if v.keys.Recover == nil || v.keys.Transfer == nil {
		return fault.New(fault.WrongFamily, "no recovers in this network")
	}
	return v.verifyRecover(r, map[[32]byte]bool{})
}

func (v *Verifier) verifyRecover(r *Recover, verified map[[32]byte]bool) error {
	x, err := (&resolver{network: v.network}).recover(r)
	if err != nil {
		return err
	}
	if verified[x.core] {
		return nil
	}
	if err := v.verifyRecoverAlone(r, x); err != nil {
		return err
	}
	for _, q := range []*Request{&r.First, &r.Second} {
		if err := v.verifyBelow(q, verified); err != nil {
			return err
		}
	}
	verified[x.core] = true
	return nil
}

// VerifyRecoverAlone checks the key, the link and the proof of a recover, and no request below it: a wallet may not have the rules
// that those name.
func (v *Verifier) VerifyRecoverAlone(r *Recover) error {
	if v.keys.Recover == nil {
		return fault.New(fault.WrongFamily, "no recovers in this network")
	}
	x, err := (&resolver{network: v.network}).recover(r)
	if err != nil {
		return err
	}
	return v.verifyRecoverAlone(r, x)
}

func (v *Verifier) verifyRecoverAlone(r *Recover, x *resolved) error {
	proof, err := v.keys.Recover.open(FamilyRecover, r.Evidence.CircuitVersion, r.Evidence.Proof)
	if err != nil {
		return err
	}
	if err := suite.VerifyCore(&r.Evidence.RK, x.core, r.Evidence.KeySignature); err != nil {
		return err
	}
	link, err := v.recoverLink(r, x, proof.Link)
	if err != nil {
		return err
	}
	return v.keys.Recover.Key.Verify(proof.Groth, recoverPublic(r, x, &r.Evidence.RK, link))
}

// verifyBelow verifies a request below a recover, once for each core.
func (v *Verifier) verifyBelow(q *Request, verified map[[32]byte]bool) error {
	switch {
	case q.absent():
		return nil
	case q.Recover != nil:
		return v.verifyRecover(q.Recover, verified)
	}
	core, err := q.Transfer.Statement.Core(v.network)
	if err != nil || verified[core] {
		return err
	}
	family := regulatedFamily(q.Transfer.Statement.Family)
	if err := v.verifyTransfer(q.Transfer, family, v.keys.transfer(family)); err != nil {
		return err
	}
	verified[core] = true
	return nil
}

// Linked is what the link of a recover is about.
func (r *Recover) Linked(n *Network) (*suite.LinkStatement, error) {
	x, err := (&resolver{network: n}).recover(r)
	if err != nil {
		return nil, err
	}
	return x.linked(r, n.Scheme())
}

func (x *resolved) linked(r *Recover, scheme suite.Scheme) (*suite.LinkStatement, error) {
	s := &suite.LinkStatement{Core: x.core, D: x.d, RK: &r.Evidence.RK}
	for j := range r.Outputs {
		base, err := scheme.BlindBase(x.bases(r), j)
		if err != nil {
			return nil, err
		}
		s.H, s.M = append(s.H, base), append(s.M, r.Outputs[j].K)
	}
	return s, nil
}

// recoverLink verifies the link of both outputs.
func (v *Verifier) recoverLink(r *Recover, x *resolved, link *suite.Link) (*suite.LinkClaim, error) {
	for j := range r.Outputs {
		if err := suite.CheckG1(&r.Outputs[j].K); err != nil {
			return nil, err
		}
	}
	s, err := x.linked(r, v.scheme)
	if err != nil {
		return nil, err
	}
	claim, err := suite.NewLinkClaim(s, link)
	if err != nil {
		return nil, err
	}
	if err := suite.CheckG1(&link.T); err != nil {
		return nil, err
	}
	return claim, suite.VerifyLinks([]*suite.LinkClaim{claim})
}

// Public is the public side of a recover.
func (r *Recover) Public(n *Network, link *suite.LinkClaim) ([]suite.Field, error) {
	x, err := (&resolver{network: n}).recover(r)
	if err != nil {
		return nil, err
	}
	return recoverPublic(r, x, &r.Evidence.RK, link), nil
}

func recoverPublic(r *Recover, x *resolved, rk *jubjub.Point, link *suite.LinkClaim) []suite.Field {
	v := make(inputs, 0, RecoverInputs)
	v = append(v, r.Next[0], r.Next[1], r.Returned[0], r.Returned[1], x.cores[0].cm, x.cores[1].cm, x.cores[0].d, x.cores[1].d)
	for _, b := range []bool{
		x.cores[0].recover, x.cores[1].recover, x.bits.credit[0][0], x.bits.credit[0][1], x.bits.credit[1][0], x.bits.credit[1][1],
		x.bits.chain, x.bits.covered,
	} {
		v.bit(b)
	}
	v.key(rk)
	v.field(&x.d)
	v.field(&r.Outputs[0].Cm)
	v.field(&r.Outputs[1].Cm)
	v.linked(link)
	return v
}
