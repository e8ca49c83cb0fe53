package recovery

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

const (
	// LinkedPoints is the number of linked points: two outputs.
	LinkedPoints = 2
	// PublicInputs is the number of public inputs.
	PublicInputs = 23 + LinkedPoints
)

// Bits are what the verifier derives from the statement.
type Bits struct {
	// Recover says which of the two cores are recovers.
	Recover [2]bool
	// Credit says which coins of a transfer this recover credits.
	Credit [2][2]bool
	// Chain says that the second core spends the successor of a core below the first, Covered that all its transfers are below
	// the first.
	Chain, Covered bool
}

// Public is the statement. Outputs are the returned coin and the next compliance coin, in this order.
type Public struct {
	Next, Returned [2]fr.Element // serial numbers; Returned is 0 for a transfer
	CoreCm, CoreD  [2]fr.Element
	Bits
	Rk  jubjub.Point
	D   fr.Element
	Out [2]clause.Coin
}

// Vector returns the public inputs in the order of the verifying key.
func (p *Public) Vector(link *clause.Link) []fr.Element {
	v := append(make([]fr.Element, 0, PublicInputs), p.Next[0], p.Next[1], p.Returned[0], p.Returned[1])
	v = append(v, p.CoreCm[0], p.CoreCm[1], p.CoreD[0], p.CoreD[1])
	for _, b := range []bool{
		p.Recover[0], p.Recover[1], p.Credit[0][0], p.Credit[0][1], p.Credit[1][0], p.Credit[1][1], p.Chain, p.Covered,
	} {
		v = append(v, fr.NewElement(uint64(bit(b))))
	}
	return link.Append(append(v, p.Rk.X, p.Rk.Y, p.D, p.Out[0].Cm, p.Out[1].Cm))
}

// Core is the opening of what a core would create.
type Core struct {
	D       fr.Element
	Seed, S fr.Element
	Period  uint32
	Sent    uint64
	Count   uint32
	Held    uint64
	// Com and Counterparty are those of a transfer's history entry, of a recover's the two histories that it joins.
	Com, Counterparty fr.Element
	// Values are what a transfer paid and the two coins that it claimed; of a recover what it returned, its outflow and its
	// budget.
	Values    [3]uint64
	Withdrawn uint64
	Origins   [2]hash.Origin
	Escrow    bool
	R         fr.Element
}

// Witness holds the secrets of the owner.
type Witness struct {
	Owner clause.Owner
	Core  [2]Core
	// Held is the balance of the new compliance coin. What else is issued returns as a coin.
	Held      uint64
	Seed      fr.Element
	R         fr.Element
	Blindings [2]clause.Blinding
}

// Wipe clears the secrets.
func (w *Witness) Wipe() { *w = Witness{} }

// Account is what a recover issues and notes down.
type Account struct {
	Returned, Outflow, Budget, Held uint64
	Period                          uint32
	Sent                            uint64
	Count                           uint32
}

// com is the core's history.
func (x *Core) com(h *hash.Hasher, isRecover bool) fr.Element {
	if isRecover {
		return h.RecoverEntry(&hash.RecoverEntry{
			First: x.Com, Second: x.Counterparty, Returned: x.Values[0], Outflow: x.Values[1], Budget: x.Values[2], Period: x.Period, R: x.R,
		})
	}
	return h.Entry(&hash.Entry{
		Com: x.Com, Paid: x.Values[0], In1: x.Values[1], In2: x.Values[2], Withdraw: x.Withdrawn, Origin1: x.Origins[0], Origin2: x.Origins[1],
		Escrow: x.Escrow, Period: x.Period, Counterparty: x.Counterparty, R: x.R,
	})
}

// message is that of the core's compliance coin.
func (x *Core) message(h *hash.Hasher, apk fr.Element, isRecover bool) fr.Element {
	_, rho := h.Rhos(x.Seed, x.D)
	return h.Compliance(&hash.Compliance{
		Apk: apk, Rho: rho, Period: x.Period, Sent: x.Sent, Count: x.Count, Held: x.Held, Com: x.com(h, isRecover),
	})
}

func number(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

// outflow is what leaves the account for good when the core completes.
func (x *Core) outflow(isRecover bool) *big.Int {
	if isRecover {
		return number(x.Values[1])
	}
	return new(big.Int).Add(number(x.Values[0]), number(x.Withdrawn))
}

// kept is what the account held before a transfer, or what a recover left in it.
func (x *Core) kept(isRecover bool) *big.Int {
	held := number(x.Held)
	if isRecover {
		return held
	}
	held.Add(held, number(x.Values[0])).Add(held, number(x.Withdrawn))
	return held.Sub(held, number(x.Values[1])).Sub(held, number(x.Values[2]))
}

// Account computes what a recover of these bits issues. Held is at most what may be kept.
func (w *Witness) Account(b *Bits) (*Account, error) {
	budget := number(w.Core[0].Values[2])
	if !b.Recover[0] {
		budget = w.Core[0].kept(false)
	}
	for j := range w.Core {
		for k, credited := range b.Credit[j] {
			if credited {
				budget.Add(budget, number(w.Core[j].Values[1+k]))
			}
		}
	}
	first, second := w.Core[0].outflow(b.Recover[0]), w.Core[1].outflow(b.Recover[1])
	outflow := first
	switch {
	case b.Covered:
	case b.Chain:
		outflow = new(big.Int).Add(first, second)
	case second.Cmp(first) > 0:
		outflow = second
	}
	if budget.Sign() < 0 || !budget.IsUint64() || !outflow.IsUint64() {
		return nil, fault.New(fault.WitnessInvalid, "the cores do not fit 64 bits")
	}
	a := &Account{Outflow: outflow.Uint64(), Budget: budget.Uint64(), Held: w.Held}
	var issued uint64
	if a.Budget > a.Outflow {
		issued = a.Budget - a.Outflow
	}
	kept := w.Core[0].kept(b.Recover[0])
	if w.Held > issued {
		return nil, fault.New(fault.InsufficientFunds, "")
	}
	if number(w.Held).Cmp(kept) > 0 {
		return nil, fault.New(fault.OverLimitHeld, "")
	}
	a.Returned = issued - w.Held
	a.Period = max(w.Core[0].Period, w.Core[1].Period)
	for j := range w.Core {
		if x := &w.Core[j]; x.Period == a.Period {
			a.Sent, a.Count = max(a.Sent, x.Sent), max(a.Count, x.Count)
		}
	}
	if a.Count++; a.Count == 0 {
		return nil, fault.New(fault.OverLimitCount, "")
	}
	return a, nil
}

// Issued is what a recover issues.
type Issued struct {
	Account
	Rho      fr.Element // of the returned coin
	Next     hash.Compliance
	Messages [2]fr.Element
}

// Issue computes what a recover of the digest D issues to an address.
func (w *Witness) Issue(h *hash.Hasher, apk fr.Element, d *fr.Element, b *Bits) (*Issued, error) {
	a, err := w.Account(b)
	if err != nil {
		return nil, err
	}
	return w.issue(h, apk, d, b, a), nil
}

func (w *Witness) issue(h *hash.Hasher, apk fr.Element, d *fr.Element, b *Bits, a *Account) *Issued {
	rho, rhoNext := h.Rhos(w.Seed, *d)
	com := h.RecoverEntry(&hash.RecoverEntry{
		First: w.Core[0].com(h, b.Recover[0]), Second: w.Core[1].com(h, b.Recover[1]), Returned: a.Returned, Outflow: a.Outflow, Budget: a.Budget,
		Period: a.Period, R: w.R,
	})
	next := hash.Compliance{Apk: apk, Rho: rhoNext, Period: a.Period, Sent: a.Sent, Count: a.Count, Held: a.Held, Com: com}
	return &Issued{
		Account: *a, Rho: rho, Next: next, Messages: [2]fr.Element{h.Coin(hash.OriginOwn, a.Returned, apk, rho), h.Compliance(&next)},
	}
}

// serials are the serial numbers that a core's outputs burn: of its successor, and of the coin that a recover returned.
func (x *Core) serials(h *hash.Hasher, serialKey fr.Element, isRecover bool) (next, returned fr.Element) {
	rho, rhoNext := h.Rhos(x.Seed, x.D)
	if isRecover {
		returned = h.Serial(serialKey, rho)
	}
	return h.Serial(serialKey, rhoNext), returned
}

// Prepare computes the public side of a recover with the digest D.
func Prepare(h *hash.Hasher, pkAuth *jubjub.Point, d *fr.Element, b *Bits, w *Witness) (*Public, error) {
	rk, err := w.Owner.RandomisedKey(pkAuth)
	if err != nil {
		return nil, err
	}
	account, err := w.Account(b)
	if err != nil {
		return nil, err
	}
	p := &Public{Bits: *b, Rk: rk, D: *d}
	apk, serialKey := h.Address(w.Owner.Nk, pkAuth)
	for j := range w.Core {
		x := &w.Core[j]
		p.Next[j], p.Returned[j] = x.serials(h, serialKey, b.Recover[j])
		p.CoreCm[j], p.CoreD[j] = h.Commit(x.S, x.message(h, apk, b.Recover[j])), x.D
	}
	messages := w.issue(h, apk, d, b, account).Messages
	coins, err := clause.Blind(h, d, 0, messages[:], w.Blindings[:])
	if err != nil {
		return nil, err
	}
	copy(p.Out[:], coins)
	return p, nil
}

// Bind links the outputs to their messages, with fresh nonces, for a core.
func Bind(h *hash.Hasher, core [32]byte, p *Public, w *Witness) (*clause.Link, error) {
	account, err := w.Account(&p.Bits)
	if err != nil {
		return nil, err
	}
	messages := w.issue(h, w.Owner.Apk(h, &p.Rk), &p.D, &p.Bits, account).Messages
	var linked clause.Linked
	for j := range messages {
		linked.Output(&p.Out[j], &messages[j], &w.Blindings[j].B)
	}
	return linked.Bind(h, core, &p.D, &p.Rk)
}

// Check evaluates the statement on plain values and names the first clause that does not hold. X-03 holds by the types.
func Check(h *hash.Hasher, p *Public, w *Witness, link *clause.Link) error {
	apk, serialKey := w.Owner.Address(h, &p.Rk)
	if err := clause.Require(!apk.IsZero(), "C-01", fault.WitnessInvalid); err != nil {
		return err
	}
	for j := range w.Core {
		x := &w.Core[j]
		next, returned := x.serials(h, serialKey, p.Recover[j])
		cm := h.Commit(x.S, x.message(h, apk, p.Recover[j]))
		if err := clause.First(
			clause.Require(next == p.Next[j], "X-01", fault.WitnessInvalid),
			clause.Require(returned == p.Returned[j], "X-02", fault.WitnessInvalid),
			clause.Require(x.D == p.CoreD[j] && cm == p.CoreCm[j], "X-04", fault.WitnessInvalid),
		); err != nil {
			return err
		}
	}
	account, err := w.Account(&p.Bits)
	if err != nil {
		return &clause.Violation{Equation: "X-08", Code: fault.CodeOf(err)}
	}
	messages := w.issue(h, apk, &p.D, &p.Bits, account).Messages
	return clause.First(
		clause.Require(w.Blindings[0].Opens(h, &p.Out[0], &messages[0]), "X-10", fault.WitnessInvalid),
		clause.Require(w.Blindings[1].Opens(h, &p.Out[1], &messages[1]), "X-10", fault.WitnessInvalid),
		clause.Require(link.Holds(h, messages[:]...), "C-03", fault.WitnessInvalid),
	)
}

// Assign returns the full assignment of the circuit. It checks nothing.
func Assign(p *Public, w *Witness, link *clause.Link) *Circuit {
	c := &Circuit{
		Rk: gadgets.NewPoint(&p.Rk), D: p.D, Chain: bit(p.Chain), Covered: bit(p.Covered), Owner: w.Owner.Assign(), Held: w.Held, Seed: w.Seed, R: w.R,
	}
	for j := range c.Core {
		x := &w.Core[j]
		c.Next[j], c.Returned[j], c.CoreCm[j], c.CoreD[j] = p.Next[j], p.Returned[j], p.CoreCm[j], p.CoreD[j]
		c.Kind[j], c.Credit[j] = bit(p.Recover[j]), [2]frontend.Variable{bit(p.Credit[j][0]), bit(p.Credit[j][1])}
		c.Cm[j], c.S[j] = p.Out[j].Cm, w.Blindings[j].S
		c.Core[j] = CoreVars{
			Seed: x.Seed, S: x.S, Period: x.Period, Sent: x.Sent, Count: x.Count, Held: x.Held, Com: x.Com, Counterparty: x.Counterparty,
			Values: [3]frontend.Variable{x.Values[0], x.Values[1], x.Values[2]}, Withdrawn: x.Withdrawn,
			Origin1: uint64(x.Origins[0]), Origin2: uint64(x.Origins[1]), Escrow: bit(x.Escrow), R: x.R,
		}
	}
	c.order(p, w)
	c.Link, c.LinkSecrets = link.Assign()
	return c
}

// order sets which of two values is the larger.
func (c *Circuit) order(p *Public, w *Witness) {
	first, second := &w.Core[0], &w.Core[1]
	c.LargerOutflow = bit(first.outflow(p.Recover[0]).Cmp(second.outflow(p.Recover[1])) > 0)
	c.LargerPeriod = bit(first.Period > second.Period)
	newer := func(x, y *Core, of func(*Core) uint64) bool {
		switch {
		case x.Period > y.Period:
			return true
		case x.Period < y.Period:
			return false
		}
		return of(x) > of(y)
	}
	c.LargerSent = bit(newer(first, second, func(x *Core) uint64 { return x.Sent }))
	c.LargerCount = bit(newer(first, second, func(x *Core) uint64 { return uint64(x.Count) }))
	c.Issues = 0
	if account, err := w.Account(&p.Bits); err == nil {
		c.Issues = bit(account.Budget > account.Outflow)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
