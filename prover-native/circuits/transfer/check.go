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
func Check(c *Circuit) error {
	r := &reference{c: c, h: hash.New(c.Network)}
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
	c *Circuit
	h *hash.Hasher

	rk                         jubjub.Point
	apk, serialKey             fr.Element
	old                        Compliance
	in                         [2]Input
	paid, withdrawn            uint64
	period                     uint32
	sentNew, heldNew, countNew uint64
	escrow                     bool
	messages                   []fr.Element // of the linked points
}

func broken(clause string) *Violation { return &Violation{clause, fault.WitnessInvalid} }

// points repeats the validator's check of rk, on which the equations rely.
func (r *reference) points() *Violation {
	r.rk = jubjub.Point{X: element(r.c.Rk.X), Y: element(r.c.Rk.Y)}
	if jubjub.Check(&r.rk) != nil {
		return &Violation{"points", fault.PointNotInSubgroup}
	}
	return nil
}

func (r *reference) owner() *Violation {
	beta, ok := windowScalar(&r.c.Owner.Beta)
	if !ok {
		return broken("T-01")
	}
	pk := jubjub.Base()
	pk.ScalarMultiplication(&pk, beta)
	pk.Add(&r.rk, &pk)
	if pk.IsZero() {
		return broken("T-01")
	}
	if r.apk, r.serialKey = r.h.Address(element(r.c.Owner.Nk), &pk); r.apk.IsZero() {
		return broken("T-02")
	}
	if integer(r.c.Recipient).Sign() == 0 {
		return &Violation{"T-03", fault.OwnerZero}
	}
	return nil
}

func (r *reference) serials() *Violation {
	if r.h.Serial(r.serialKey, element(r.c.Cc.Rho)) != element(r.c.SnCc) {
		return broken("T-04")
	}
	for i := range r.c.In {
		if r.h.Serial(r.serialKey, element(r.c.In[i].Rho)) != element(r.c.Sn[i]) {
			return broken("T-05")
		}
	}
	return nil
}

func (r *reference) spent() *Violation {
	for i := range r.c.In {
		dummy, boolean := boolOf(r.c.In[i].Dummy)
		if !boolean || dummy && (integer(r.c.In[i].Value).Sign() != 0 || integer(r.c.In[i].Origin).Sign() != 0) {
			return broken("T-06")
		}
		value, fits := uintOf(r.c.In[i].Value, 64)
		origin, known := uintOf(r.c.In[i].Origin, 2)
		if !fits || !known {
			return broken("T-07")
		}
		r.in[i] = Input{Value: value, Origin: hash.Origin(origin), Rho: element(r.c.In[i].Rho), Dummy: dummy}
	}
	cc := &r.c.Cc
	period, ok0 := uintOf(cc.Period, 32)
	sent, ok1 := uintOf(cc.Sent, 64)
	count, ok2 := uintOf(cc.Count, 32)
	held, ok3 := uintOf(cc.Held, 64)
	if !ok0 || !ok1 || !ok2 || !ok3 {
		return broken("T-08")
	}
	r.old = Compliance{element(cc.Rho), uint32(period), sent, uint32(count), held, element(cc.Com)}
	return nil
}

func (r *reference) limits() *Violation {
	var fits bool
	if r.paid, fits = uintOf(r.c.Paid, 64); !fits {
		return broken("T-09")
	}
	limit := r.c.VSent
	if r.escrow, fits = boolOf(r.c.Escrow); !fits {
		return broken("T-09")
	} else if r.escrow {
		limit = r.c.VEscrow
	}
	if !atMost(uint64Int(r.paid), limit, 64) {
		return &Violation{"T-09", fault.OverLimitTransfer}
	}
	if r.withdrawn, fits = uintOf(r.c.Withdrawn, 64); !fits {
		return broken("T-10")
	}
	period, fits := uintOf(r.c.Period, 32)
	if !fits || period < uint64(r.old.Period) {
		return &Violation{"T-11", fault.PeriodBackwards}
	}
	r.period = uint32(period)
	sent, count := new(big.Int), new(big.Int)
	if r.period == r.old.Period {
		sent.SetUint64(r.old.Sent)
		count.SetUint64(uint64(r.old.Count))
	}
	sent.Add(sent, uint64Int(r.paid))
	count.Add(count, big.NewInt(1))
	if sent.BitLen() > 64 || !atMost(sent, r.c.VTotal, 64) {
		return &Violation{"T-12", fault.OverLimitPeriod}
	}
	if count.BitLen() > 32 || !atMost(count, r.c.VCount, 32) {
		return &Violation{"T-13", fault.OverLimitCount}
	}
	r.sentNew, r.countNew = sent.Uint64(), count.Uint64()
	return nil
}

func (r *reference) balance() *Violation {
	held := uint64Int(r.old.Held)
	held.Add(held, uint64Int(r.in[0].Value)).Add(held, uint64Int(r.in[1].Value))
	held.Sub(held, uint64Int(r.paid)).Sub(held, uint64Int(r.withdrawn))
	if held.Sign() < 0 || held.BitLen() > 64 {
		return &Violation{"T-14", fault.InsufficientFunds}
	}
	r.heldNew = held.Uint64()
	below, boolean := boolOf(r.c.HeldSel)
	if !boolean {
		return broken("T-15")
	}
	bound := r.c.Cc.Held
	if below {
		bound = r.c.VHeld
	}
	if !atMost(held, bound, 64) {
		return &Violation{"T-15", fault.OverLimitHeld}
	}
	return nil
}

// outputs is T-17 to T-20.
func (r *reference) outputs() *Violation {
	recipient := element(r.c.Recipient)
	rho, rhoCc := r.h.Rhos(element(r.c.Seed), element(r.c.D))
	next := Compliance{Rho: rhoCc, Period: r.period, Sent: r.sentNew, Count: uint32(r.countNew), Held: r.heldNew}
	next.Com = r.h.Entry(&hash.Entry{
		Com: r.old.Com, Paid: r.paid, In1: r.in[0].Value, In2: r.in[1].Value, Withdraw: r.withdrawn,
		Origin1: r.in[0].Origin, Origin2: r.in[1].Origin, Escrow: r.escrow,
		Period: r.period, Counterparty: recipient, R: element(r.c.EntryR),
	})
	var payment fr.Element
	switch {
	case r.escrow:
		payment = r.h.Escrow(r.paid, recipient, rho)
	case recipient.Equal(&r.apk):
		payment = r.h.Coin(hash.OriginOwn, r.paid, recipient, rho)
	default:
		payment = r.h.Coin(hash.OriginPayment, r.paid, recipient, rho)
	}
	r.messages = []fr.Element{payment, next.message(r.h, r.apk)}
	for j, message := range r.messages {
		if r.h.Commit(element(r.c.S[j]), message) != element(r.c.Cm[j]) {
			return broken("T-20")
		}
	}
	return nil
}

// inputs is T-23 and T-25. The message of a dummy is free.
func (r *reference) inputs() *Violation {
	spent := []fr.Element{r.old.message(r.h, r.apk)}
	for i := range r.in {
		message := r.h.Coin(r.in[i].Origin, r.in[i].Value, r.apk, r.in[i].Rho)
		if !r.in[i].Dummy && message != element(r.c.In[i].Message) {
			return broken("T-25")
		}
		spent = append(spent, element(r.c.In[i].Message))
	}
	r.messages = append(spent, r.messages...)
	return nil
}

// link is T-29.
func (r *reference) link() *Violation {
	c, power := element(r.c.Link.C), fr.One()
	var nonces []fr.Element
	for i, m := range r.messages {
		nonce := element(r.c.LinkSecrets.Nonces[i])
		nonces = append(nonces, nonce)
		power.Mul(&power, &c)
		m.Mul(&m, &power)
		if nonce.Add(&nonce, &m); nonce != element(r.c.Link.Responses[i]) {
			return broken("T-29")
		}
	}
	if r.h.Link(element(r.c.LinkSecrets.Salt), nonces, r.messages) != element(r.c.Link.A) {
		return broken("T-29")
	}
	return nil
}

func (r *reference) sanctions() *Violation {
	if !r.absent(&r.c.SenderOut, r.apk) {
		return &Violation{"T-27", fault.MembershipPath}
	}
	if !r.absent(&r.c.ReceiverOut, element(r.c.Recipient)) {
		return &Violation{"T-28", fault.MembershipPath}
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
	return node == element(r.c.Root)
}

// atMost reports whether bound - x, for the bound as an integer below r, is a non-negative number of at most n bits.
func atMost(x *big.Int, bound any, n int) bool {
	d := new(big.Int).Sub(integer(bound), x)
	return d.Sign() >= 0 && d.BitLen() <= n
}

func uint64Int(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
