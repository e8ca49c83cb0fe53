package transfer

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"

	"solidus.io/prover/fault"
	"solidus.io/prover/gadgets"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
)

// Violation names the first equation that does not hold.
type Violation struct {
	Clause string
	Code   fault.Code
}

func (v *Violation) Error() string {
	return v.Code.String() + ": equation " + v.Clause + " does not hold"
}

// Unwrap returns the error with its code.
func (v *Violation) Unwrap() error { return fault.New(v.Code, "equation "+v.Clause) }

// Check evaluates the statement in integers and native curve arithmetic, for an assigned circuit. It returns a *[Violation].
func Check(c *Circuit) error { return checkView(c.view()) }

func checkView(c *view) error {
	r := &reference{c: c, h: hash.New(c.network)}
	for _, step := range []func() *Violation{
		r.points, r.owner, r.serials, r.spent, r.limits, r.balance, r.outputs, r.inputs, r.link, r.sanctions,
	} {
		if v := step(); v != nil {
			return v
		}
	}
	return nil
}

type reference struct {
	c *view
	h *hash.Hasher

	rk                         jubjub.Point
	apk, serialKey             fr.Element
	old                        Compliance
	in                         []Input
	payments                   []Payment
	halves                     [2]*big.Int
	paid, withdrawn            uint64 // paid is the sum
	period                     uint32
	sentNew, heldNew, countNew uint64
	escrow                     bool
	messages                   []fr.Element // of the linked points
}

func broken(clause string) *Violation { return &Violation{clause, fault.WitnessInvalid} }

// points repeats the validator's check of rk, on which the equations rely.
func (r *reference) points() *Violation {
	r.rk = jubjub.Point{X: element(r.c.rk.X), Y: element(r.c.rk.Y)}
	if jubjub.Check(&r.rk) != nil {
		return &Violation{"points", fault.PointNotInSubgroup}
	}
	return nil
}

func (r *reference) owner() *Violation {
	beta, ok := windowScalar(&r.c.owner.Beta)
	if !ok {
		return broken("T-01")
	}
	pk := jubjub.Base()
	pk.ScalarMultiplication(&pk, beta)
	pk.Add(&r.rk, &pk)
	if pk.IsZero() {
		return broken("T-01")
	}
	if r.apk, r.serialKey = r.h.Address(element(r.c.owner.Nk), &pk); r.apk.IsZero() {
		return broken("T-02")
	}
	for _, payee := range r.c.payees {
		if integer(payee.Recipient).Sign() == 0 {
			return &Violation{"T-03", fault.OwnerZero}
		}
	}
	return nil
}

func (r *reference) serials() *Violation {
	if r.h.Serial(r.serialKey, element(r.c.cc.Rho)) != element(r.c.snCc) {
		return broken("T-04")
	}
	for i := range r.c.in {
		if r.h.Serial(r.serialKey, element(r.c.in[i].Rho)) != element(r.c.sn[i]) {
			return broken("T-05")
		}
	}
	return nil
}

func (r *reference) spent() *Violation {
	for i := range r.c.in {
		dummy, boolean := boolOf(r.c.in[i].Dummy)
		if !boolean || dummy && (integer(r.c.in[i].Value).Sign() != 0 || integer(r.c.in[i].Origin).Sign() != 0) {
			return broken("T-06")
		}
		value, fits := uintOf(r.c.in[i].Value, 64)
		origin, known := uintOf(r.c.in[i].Origin, 2)
		if !fits || !known {
			return broken("T-07")
		}
		r.in = append(r.in, Input{Value: value, Origin: hash.Origin(origin), Rho: element(r.c.in[i].Rho), Dummy: dummy})
	}
	cc := r.c.cc
	period, ok0 := uintOf(cc.Period, 32)
	sent, ok1 := uintOf(cc.Sent, 64)
	count, ok2 := uintOf(cc.Count, 32)
	held, ok3 := uintOf(cc.Held, 64)
	if !ok0 || !ok1 || !ok2 || !ok3 {
		return broken("T-08")
	}
	r.old = Compliance{element(cc.Rho), uint32(period), sent, uint32(count), held, element(cc.Com)}
	return r.halfSums()
}

// halfSums is T-32. The inputs of the first half are the first ones, one more than the others where their number is odd.
func (r *reference) halfSums() *Violation {
	r.halves = [2]*big.Int{new(big.Int), new(big.Int)}
	for i := range r.in {
		half := r.halves[0]
		if 2*i >= len(r.in) {
			half = r.halves[1]
		}
		half.Add(half, uint64Int(r.in[i].Value))
	}
	for _, half := range r.halves {
		if len(r.in) > 2 && half.BitLen() > 64 {
			return broken("T-32")
		}
	}
	return nil
}

func (r *reference) limits() *Violation {
	total, payments, v := r.each()
	if v != nil {
		return v
	}
	var fits bool
	if r.withdrawn, fits = uintOf(r.c.withdrawn, 64); !fits {
		return broken("T-10")
	}
	period, fits := uintOf(r.c.period, 32)
	if !fits || period < uint64(r.old.Period) {
		return &Violation{"T-11", fault.PeriodBackwards}
	}
	r.period = uint32(period)
	sent, count := new(big.Int), new(big.Int)
	if r.period == r.old.Period {
		sent.SetUint64(r.old.Sent)
		count.SetUint64(uint64(r.old.Count))
	}
	sent.Add(sent, total)
	count.Add(count, big.NewInt(payments))
	if sent.BitLen() > 64 || !atMost(sent, r.c.vTotal, 64) {
		return &Violation{"T-12", fault.OverLimitPeriod}
	}
	if count.BitLen() > 32 || !atMost(count, r.c.vCount, 32) {
		return &Violation{"T-13", fault.OverLimitCount}
	}
	r.sentNew, r.countNew, r.paid = sent.Uint64(), count.Uint64(), total.Uint64()
	return nil
}

// each is T-09 and T-33. It returns the sum of the payments, and how many of them count: the first, and those that are not 0.
func (r *reference) each() (total *big.Int, payments int64, v *Violation) {
	limit := r.c.vSent
	escrow, fits := boolOf(r.c.escrow)
	switch {
	case len(r.c.payees) > 1 && (escrow || !fits):
		return nil, 0, broken("T-33")
	case !fits:
		return nil, 0, broken("T-09")
	case escrow:
		r.escrow, limit = true, r.c.vEscrow
	}
	total, payments = new(big.Int), 1
	for j, payee := range r.c.payees {
		paid, fits := uintOf(payee.Paid, 64)
		if !fits {
			return nil, 0, broken("T-09")
		}
		if !atMost(uint64Int(paid), limit, 64) {
			return nil, 0, &Violation{"T-09", fault.OverLimitTransfer}
		}
		if j > 0 && paid > 0 {
			payments++
		}
		total.Add(total, uint64Int(paid))
		r.payments = append(r.payments, Payment{element(payee.Recipient), paid})
	}
	return total, payments, nil
}

func (r *reference) balance() *Violation {
	held := uint64Int(r.old.Held)
	held.Add(held, r.halves[0]).Add(held, r.halves[1])
	held.Sub(held, uint64Int(r.paid)).Sub(held, uint64Int(r.withdrawn))
	if held.Sign() < 0 || held.BitLen() > 64 {
		return &Violation{"T-14", fault.InsufficientFunds}
	}
	r.heldNew = held.Uint64()
	below, boolean := boolOf(r.c.heldSel)
	if !boolean {
		return broken("T-15")
	}
	bound := r.c.cc.Held
	if below {
		bound = r.c.vHeld
	}
	if !atMost(held, bound, 64) {
		return &Violation{"T-15", fault.OverLimitHeld}
	}
	return nil
}

// outputs is T-17 to T-20.
func (r *reference) outputs() *Violation {
	seed, d := element(r.c.seed), element(r.c.d)
	rho := make([]fr.Element, 0, len(r.c.cm)+1)
	for pair := 0; len(rho) < len(r.c.cm); pair++ { // O-11
		first, second := r.h.RhosOf(pair, seed, d)
		rho = append(rho, first, second)
	}
	next := Compliance{Rho: rho[1], Period: r.period, Sent: r.sentNew, Count: uint32(r.countNew), Held: r.heldNew}
	next.Com = r.h.Entry(r.entry())
	for j, x := range r.payments {
		at := j
		if j > 0 {
			at = j + 1
		} else {
			r.messages = make([]fr.Element, len(r.c.cm))
		}
		switch {
		case r.escrow:
			r.messages[at] = r.h.Escrow(x.Paid, x.Recipient, rho[at])
		case x.Recipient.Equal(&r.apk):
			r.messages[at] = r.h.Coin(hash.OriginOwn, x.Paid, x.Recipient, rho[at])
		default:
			r.messages[at] = r.h.Coin(hash.OriginPayment, x.Paid, x.Recipient, rho[at])
		}
	}
	r.messages[1] = next.message(r.h, r.apk)
	for j, message := range r.messages {
		if r.h.Commit(element(r.c.s[j]), message) != element(r.c.cm[j]) {
			return broken("T-20")
		}
	}
	return nil
}

// entry is the entry of the history, with the sums and the details where the shape is not [Single].
func (r *reference) entry() *hash.Entry {
	e := &hash.Entry{
		Com: r.old.Com, Paid: r.paid, In1: r.halves[0].Uint64(), In2: r.halves[1].Uint64(), Withdraw: r.withdrawn,
		Origin1: r.in[0].Origin, Origin2: r.in[1].Origin, Escrow: r.escrow,
		Period: r.period, Counterparty: r.payments[0].Recipient, R: element(r.c.entryR),
	}
	if len(r.in) > 2 {
		e.Origin1, e.Origin2 = 3, 3
	}
	if len(r.in) == 2 && len(r.payments) == 1 {
		return e
	}
	d := &hash.Details{}
	for i := range r.in {
		d.Values, d.Origins = append(d.Values, r.in[i].Value), append(d.Origins, r.in[i].Origin)
	}
	for _, x := range r.payments {
		d.Paid, d.Payees = append(d.Paid, x.Paid), append(d.Payees, x.Recipient)
	}
	e.Counterparty = r.h.Details(d)
	return e
}

// inputs is T-23 and T-25. The message of a dummy is free.
func (r *reference) inputs() *Violation {
	spent := []fr.Element{r.old.message(r.h, r.apk)}
	for i := range r.in {
		message := r.h.Coin(r.in[i].Origin, r.in[i].Value, r.apk, r.in[i].Rho)
		if !r.in[i].Dummy && message != element(r.c.in[i].Message) {
			return broken("T-25")
		}
		spent = append(spent, element(r.c.in[i].Message))
	}
	r.messages = append(spent, r.messages...)
	return nil
}

// link is T-29.
func (r *reference) link() *Violation {
	c, power := element(r.c.link.C), fr.One()
	var nonces []fr.Element
	for i, m := range r.messages {
		nonce := element(r.c.secrets.Nonces[i])
		nonces = append(nonces, nonce)
		power.Mul(&power, &c)
		m.Mul(&m, &power)
		if nonce.Add(&nonce, &m); nonce != element(r.c.link.Responses[i]) {
			return broken("T-29")
		}
	}
	if r.h.Link(element(r.c.secrets.Salt), nonces, r.messages) != element(r.c.link.A) {
		return broken("T-29")
	}
	return nil
}

func (r *reference) sanctions() *Violation {
	if !r.absent(r.c.senderOut, r.apk) {
		return &Violation{"T-27", fault.MembershipPath}
	}
	for _, payee := range r.c.payees {
		if !r.absent(&payee.Out, element(payee.Recipient)) {
			return &Violation{"T-28", fault.MembershipPath}
		}
	}
	return nil
}

// absent is G-08.
func (r *reference) absent(a *gadgets.Absence, apk fr.Element) bool {
	key, rest := integer(a.Key), integer(a.Rest)
	whole := new(big.Int).Lsh(key, sanction.LowBits)
	if rest.BitLen() > sanction.LowBits || whole.Add(whole, rest).Cmp(apk.BigInt(new(big.Int))) != 0 {
		return false
	}
	if integer(a.LowKey).Cmp(key) >= 0 || key.Cmp(integer(a.HighKey)) >= 0 {
		return false
	}
	node := r.h.Leaf(element(a.LowKey), element(a.HighKey))
	for level := range sanction.Depth {
		left, ok0 := boolOf(a.Left[level])
		right, ok1 := boolOf(a.Right[level])
		if !ok0 || !ok1 || left && right {
			return false
		}
		s0, s1 := element(a.Siblings[level][0]), element(a.Siblings[level][1])
		switch {
		case left:
			node = hash.Node3(node, s0, s1)
		case right:
			node = hash.Node3(s0, s1, node)
		default:
			node = hash.Node3(s0, node, s1)
		}
	}
	return node == element(r.c.root)
}

// atMost reports whether bound - x, for the bound as an integer below r, is a non-negative number of at most n bits.
func atMost(x *big.Int, bound any, n int) bool {
	d := new(big.Int).Sub(integer(bound), x)
	return d.Sign() >= 0 && d.BitLen() <= n
}

func uint64Int(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
