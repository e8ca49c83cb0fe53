package baseline

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-377"
	"github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
	sw "github.com/consensys/gnark/std/algebra/native/sw_bls12377"
)

// Plan is what a sender decides. Assign derives everything else from it and judges
// nothing, so that a plan which breaks one rule breaks that clause alone.
type Plan struct {
	Ask, AskRecipient fr.Element
	Old               [2]uint64
	Paid, Change      uint64
	Sent              uint64 // of the spent compliance coin
	NewSent           uint64 // of the next one
	VSent, VTotal     uint64
	Sanctioned        []fr.Element
}

// SamplePlan is an ordinary payment against a list of 1,000 random addresses.
func SamplePlan() (*Plan, error) {
	p := &Plan{
		Old: [2]uint64{700, 500}, Paid: 450, Change: 750,
		Sent: 1000, NewSent: 1450, VSent: 3000, VTotal: 10000,
		Sanctioned: make([]fr.Element, 1000),
	}
	for _, e := range []*fr.Element{&p.Ask, &p.AskRecipient} {
		if _, err := e.SetRandom(); err != nil {
			return nil, err
		}
	}
	for i := range p.Sanctioned {
		if _, err := p.Sanctioned[i].SetRandom(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Address is PRF_ask(0).
func Address(ask fr.Element) fr.Element { return prfOf(ask, fr.Element{}) }

// secrets is the randomness of one transfer.
type secrets struct {
	rho             [3]fr.Element // of the spent coins
	com, seed, hide fr.Element
	s               [3]fr.Element
}

func newSecrets() (*secrets, error) {
	x := new(secrets)
	for _, e := range []*fr.Element{
		&x.rho[0], &x.rho[1], &x.rho[2], &x.com, &x.seed, &x.hide, &x.s[0], &x.s[1], &x.s[2],
	} {
		if _, err := e.SetRandom(); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Assign builds the whole assignment of a plan, signatures on the spent coins included.
func Assign(key *SigningKey, p *Plan) (*Circuit, error) {
	x, err := newSecrets()
	if err != nil {
		return nil, err
	}
	apk, to := Address(p.Ask), Address(p.AskRecipient)
	c := New(&key.Public)
	c.Ask, c.Recipient, c.Paid, c.Change = p.Ask, to, p.Paid, p.Change
	c.CcRho, c.CcV, c.CcCom = x.rho[2], p.Sent, x.com
	c.Seed, c.R, c.VSent, c.VTotal = x.seed, x.hide, p.VSent, p.VTotal

	spent := [3]fr.Element{2: hashOf(apk, x.rho[2], num(p.Sent), x.com)}
	var sn [2]fr.Element
	for i := range sn {
		sn[i] = prfOf(p.Ask, x.rho[i])
		c.Serials[i], c.Old[i] = sn[i], Coin{Value: p.Old[i], Rho: x.rho[i]}
		spent[i] = hashOf(num(p.Old[i]), apk, x.rho[i])
	}
	c.SerialCc = prfOf(p.Ask, x.rho[2])
	for i, hm := range spent {
		s1, s2, err := key.sign(exponentOf(hm))
		if err != nil {
			return nil, err
		}
		c.Sigs[i] = Signature{S1: sw.NewG1Affine(s1), S2: sw.NewG1Affine(s2)}
	}
	for j, hm := range p.created(x, sn, apk, to) {
		if err := c.assignBlinded(j, hm, x.s[j]); err != nil {
			return nil, err
		}
	}
	return c, c.assignSanctions(p.Sanctioned, apk, to)
}

// created returns the message hashes of the new coins.
func (p *Plan) created(x *secrets, sn [2]fr.Element, apk, to fr.Element) [3]fr.Element {
	rho := func(j int) fr.Element { return prfOf(x.seed, sn[0], sn[1], num(uint64(j+1))) }
	com := hashOf(x.com, to, num(p.Paid), x.hide)
	return [3]fr.Element{
		recipient:  hashOf(num(p.Paid), to, rho(recipient)),
		redeem:     hashOf(num(p.Change), apk, rho(redeem)),
		compliance: hashOf(apk, rho(compliance), num(p.NewSent), com),
	}
}

func (c *Circuit) assignBlinded(j int, hm, s fr.Element) error {
	b, err := randomScalar()
	if err != nil {
		return err
	}
	cm := prfOf(s, hm)
	raw := cm.Bytes()
	h, err := bls.HashToG1(raw[:], []byte(hashToG1DST))
	if err != nil {
		return err
	}
	var k, blinding bls.G1Affine
	k.ScalarMultiplication(&h, exponentOf(hm))
	blinding.ScalarMultiplicationBase(b)
	k.Add(&k, &blinding)
	c.Openings[j] = Opening{S: s, B: b}
	c.New[j] = Blinded{Cm: cm, H: sw.NewG1Affine(h), K: sw.NewG1Affine(k)}
	return nil
}

func (c *Circuit) assignSanctions(listed []fr.Element, identities ...fr.Element) error {
	t := newSanctionTree(listed)
	c.Root = t.root()
	for i, id := range identities {
		m, err := t.around(id)
		if err != nil {
			return err
		}
		c.Members[i] = m
	}
	return nil
}

func num(x uint64) (e fr.Element) {
	e.SetUint64(x)
	return e
}
