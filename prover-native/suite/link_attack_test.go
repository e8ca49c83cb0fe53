package suite

import (
	"crypto/sha512"
	"math/big"
	"slices"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
)

// linkRules are the rules of links, or weaker ones.
type linkRules struct {
	omits    []string // parts that the challenge leaves out
	flat     bool     // one factor c for every point in place of c^i
	freeA    bool     // the circuit does not compare a with the nonces and messages
	anyPoint bool     // points are not checked
}

func (r linkRules) ours() bool { return len(r.omits) == 0 && !r.flat && !r.freeA && !r.anyPoint }

// challenge is L-02, written once more.
func (r linkRules) challenge(s *LinkStatement, l *Link) Field {
	d, a := s.D.Bytes(), l.A.Bytes()
	h := sha512.New()
	part := func(name string, b []byte) {
		if !slices.Contains(r.omits, name) {
			h.Write(b)
		}
	}
	point := func(name string, p *G1) {
		b := p.RawBytes()
		part(name, b[:])
	}
	part("label", []byte("solidus/link/v2"))
	part("core", s.Core[:])
	part("D", d[:])
	if s.RK != nil {
		part("rk", jubjub.EncodePoint(s.RK))
	} else {
		part("rk", make([]byte, 64))
	}
	part("n", []byte{byte(len(s.H))})
	for i := range s.H {
		point("H", &s.H[i])
		point("M", &s.M[i])
	}
	point("T", &l.T)
	part("a", a[:])
	var c Field
	c.SetBigInt(new(big.Int).SetBytes(h.Sum(nil)))
	return c
}

// powers are what the points are multiplied by.
func (r linkRules) powers(c *Field, n int) []Field {
	all := make([]Field, n)
	for i := range all {
		all[i] = *c
		if i > 0 && !r.flat {
			all[i].Mul(&all[i-1], c)
		}
	}
	return all
}

// respond is L-03.
func (r linkRules) respond(c *Field, kappa []Field, blind Scalar, messages []Field, openings []Scalar) (z []Field, z0 Scalar) {
	z = make([]Field, len(kappa))
	for i, power := range r.powers(c, len(kappa)) {
		var o Scalar
		z[i].Mul(&power, &messages[i]).Add(&z[i], &kappa[i])
		blind.Add(&blind, o.Mul(&power, &openings[i]))
	}
	return z, blind
}

// accepts says what a validator with these rules makes of a link and of a proof with this witness.
func (r linkRules) accepts(h *hash.Hasher, s *LinkStatement, l *Link, w *linkWitness) bool {
	return r.validates(s, l) && r.satisfied(h, s, l, w)
}

// validates is L-04, written once more. Where the rules are those of the package, its own check must agree.
func (r linkRules) validates(s *LinkStatement, l *Link) bool {
	holds := (r.anyPoint || r.pointsHold(s, l)) && r.equationHolds(s, l)
	if r.ours() && holds != (VerifyLink(s, l) == nil) {
		panic("the package's check is another one")
	}
	return holds
}

func (linkRules) pointsHold(s *LinkStatement, l *Link) bool {
	for i := range s.H {
		if CheckG1(&s.H[i]) != nil || CheckG1(&s.M[i]) != nil {
			return false
		}
	}
	return CheckG1(&l.T) == nil
}

func (r linkRules) equationHolds(s *LinkStatement, l *Link) bool {
	c := r.challenge(s, l)
	left, right := mulBase(&l.Blind), l.T
	for i, power := range r.powers(&c, len(s.H)) {
		left = add(left, timesInt(s.H[i], l.Z[i].BigInt(new(big.Int))))
		right = add(right, timesInt(s.M[i], power.BigInt(new(big.Int))))
	}
	return left.Equal(&right)
}

// satisfied evaluates the circuit's clauses L-01 and L-03.
func (r linkRules) satisfied(h *hash.Hasher, s *LinkStatement, l *Link, w *linkWitness) bool {
	c := r.challenge(s, l)
	z, _ := r.respond(&c, w.kappa, Scalar{}, w.messages, make([]Scalar, len(w.kappa)))
	a := h.Link(w.salt, w.kappa, w.messages)
	return slices.Equal(z, l.Z) && (r.freeA || a.Equal(&l.A))
}

// linkAttack makes a link under some rules whose circuit is satisfied by messages that the points do not hide. It says to what
// the points really open.
type linkAttack func(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening)

// opening is the truth about a point: M_at = H_at^m g1^o.
type opening struct {
	at int
	m  Field
	o  Scalar
}

// Every attack succeeds where its rule is missing. With all rules the same strategy fails.
//
//spec:id L-01 L-02 L-03 L-04
func TestLinkAttacks(t *testing.T) {
	h := linkHasher(t)
	for name, c := range map[string]struct {
		weak   linkRules
		attack linkAttack
	}{
		"a commits to nothing":                {linkRules{freeA: true}, noncesAfterTheChallenge},
		"shows swapped in the circuit":        {linkRules{freeA: true}, showsSwappedInTheCircuit},
		"challenge without a":                 {linkRules{omits: []string{"a"}}, commitmentAfterTheChallenge},
		"challenge without T":                 {linkRules{omits: []string{"T"}}, nonceAfterTheChallenge},
		"T makes up for a point":              {linkRules{omits: []string{"T"}}, nonceMakesUpForAPoint},
		"challenge without M":                 {linkRules{omits: []string{"M"}}, pointAfterTheChallenge},
		"challenge without H":                 {linkRules{omits: []string{"H"}}, baseAfterTheChallenge},
		"one factor: M_1 X, M_2 / X":          {linkRules{flat: true}, pointsMovedAgainstEachOther},
		"one factor: bases of one signature":  {linkRules{flat: true}, relatedPointsMovedAgainstEachOther},
		"one factor: M_1 with a power of H_2": {linkRules{flat: true}, pointWithAPowerOfAnotherBase},
		"a base is the identity":              {linkRules{anyPoint: true}, baseIsTheIdentity},
	} {
		t.Run(name, func(t *testing.T) {
			s, l, w, truth := c.attack(t, h, c.weak)
			if !c.weak.accepts(h, s, l, w) {
				t.Fatal("the attack fails without the rule: the test does not show what the rule is for")
			}
			mustLie(t, s, w, truth)
			s, l, w, truth = c.attack(t, h, linkRules{})
			mustLie(t, s, w, truth)
			if (linkRules{}).accepts(h, s, l, w) {
				t.Fatal("a forgery is accepted")
			}
		})
	}
}

// mustLie checks that some point does not hide what the circuit claims.
func mustLie(t *testing.T, s *LinkStatement, w *linkWitness, truth []opening) {
	t.Helper()
	lies := false
	for _, x := range truth {
		if p := opened(&s.H[x.at], &x.m, &x.o); !p.Equal(&s.M[x.at]) {
			t.Fatalf("point %d does not open like this", x.at)
		}
		lies = lies || !x.m.Equal(&w.messages[x.at])
	}
	if !lies {
		t.Fatal("nothing is forged")
	}
}

// forger is a prover that has drawn its nonces.
type forger struct {
	*linkProver
	*LinkSecrets
	h *hash.Hasher
}

func newForger(t *testing.T, h *hash.Hasher, n int) *forger {
	t.Helper()
	p := newLinkProver(t, n)
	secrets, err := p.DrawLink(p.messages, p.openings)
	must(t, err)
	return &forger{linkProver: p, LinkSecrets: secrets, h: h}
}

// witness claims messages. Its nonces are those of the forger.
func (f *forger) witness(messages []Field) *linkWitness {
	return &linkWitness{salt: f.Salt, kappa: f.Kappa, messages: messages}
}

// commit makes a link without responses. Its a commits to the messages.
func (f *forger) commit(messages []Field) *Link {
	return &Link{T: f.Commitment(f.H), A: f.h.Link(f.Salt, f.Kappa, messages)}
}

// answer adds the responses and returns the powers of the challenge.
func (f *forger) answer(r linkRules, l *Link, messages []Field, openings []Scalar) []Field {
	c := r.challenge(&f.LinkStatement, l)
	l.Z, l.Blind = r.respond(&c, f.Kappa, f.Blind, messages, openings)
	return r.powers(&c, len(l.Z))
}

// truth is how the points open that nobody has touched.
func (f *forger) truth() []opening {
	var all []opening
	for i := range f.M {
		all = append(all, opening{i, f.messages[i], f.openings[i]})
	}
	return all
}

// otherNonces fit the responses to other messages: kappa_i = z_i - c^i m_i.
func otherNonces(l *Link, powers, messages []Field) []Field {
	kappa := make([]Field, len(messages))
	for i := range kappa {
		kappa[i].Mul(&powers[i], &messages[i])
		kappa[i].Sub(&l.Z[i], &kappa[i])
	}
	return kappa
}

// The circuit's messages are free when nothing holds the nonces: any message has nonces that fit the responses.
func noncesAfterTheChallenge(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 3)
	l := f.commit(f.messages)
	powers := f.answer(r, l, f.messages, f.openings)
	w := f.witness([]Field{randomField(t), randomField(t), randomField(t)})
	w.kappa = otherNonces(l, powers, w.messages)
	return &f.LinkStatement, l, w, f.truth()
}

// The first show is the compliance coin's in the circuit and a dummy's outside.
func showsSwappedInTheCircuit(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 3)
	l := f.commit(f.messages)
	powers := f.answer(r, l, f.messages, f.openings)
	w := f.witness([]Field{f.messages[1], f.messages[0], f.messages[2]})
	w.kappa = otherNonces(l, powers, w.messages)
	return &f.LinkStatement, l, w, f.truth()
}

// As above, with a commitment that is made last.
func commitmentAfterTheChallenge(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	s, l, w, truth := noncesAfterTheChallenge(t, h, r)
	l.A = h.Link(w.salt, w.kappa, w.messages)
	return s, l, w, truth
}

// T is the one point that makes up for any responses.
func nonceAfterTheChallenge(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 2)
	w := f.witness([]Field{randomField(t), randomField(t)})
	l := f.commit(w.messages)
	powers := f.answer(r, l, w.messages, f.openings)
	l.T = mulBase(&l.Blind)
	for i := range f.H {
		minus := mul(&f.M[i], &powers[i])
		minus.Neg(&minus)
		l.T = add(l.T, add(mul(&f.H[i], &l.Z[i]), minus))
	}
	return &f.LinkStatement, l, w, f.truth()
}

// M_1 H_1^d, and T divided by H_1^{c d}.
func nonceMakesUpForAPoint(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 2)
	d, truth := randomField(t), f.truth()
	truth[0].m.Add(&truth[0].m, &d)
	f.M[0] = add(f.M[0], mul(&f.H[0], &d))
	l := f.commit(f.messages)
	powers := f.answer(r, l, f.messages, f.openings)
	d.Mul(&d, &powers[0]).Neg(&d)
	l.T = add(l.T, mul(&f.H[0], &d))
	return &f.LinkStatement, l, f.witness(f.messages), truth
}

// T H_1^d, and M_1 divided by H_1^{d/c}.
func pointAfterTheChallenge(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 2)
	l := f.commit(f.messages)
	d, truth := randomField(t), f.truth()
	l.T = add(l.T, mul(&f.H[0], &d))
	powers := f.answer(r, l, f.messages, f.openings)
	d.Div(&d, &powers[0])
	truth[0].m.Sub(&truth[0].m, &d)
	f.M[0] = opened(&f.H[0], &truth[0].m, &truth[0].o)
	return &f.LinkStatement, l, f.witness(f.messages), truth
}

// M_1 = U^e and T = U^e2 ..., and the base is the power of U for which the equation holds.
func baseAfterTheChallenge(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 2)
	u, e, e2 := f.H[0], scalar(t), scalar(t)
	f.M[0] = mul(&u, &e)
	f.openings[0].SetZero()
	l := f.commit(f.messages)
	l.T = add(mul(&u, &e2), add(mul(&f.H[1], &f.Kappa[1]), mulBase(&f.Blind)))
	powers := f.answer(r, l, f.messages, f.openings)
	var power Scalar // H_1 = U^{(e2 + c e) / z_1}
	power.Mul(&powers[0], &e).Add(&power, &e2).Div(&power, &l.Z[0])
	f.H[0] = mul(&u, &power)
	truth := f.truth()
	truth[0].m.Div(&e, &power)
	return &f.LinkStatement, l, f.witness(f.messages), truth
}

// M_1 X and M_2 / X.
func pointsMovedAgainstEachOther(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 2)
	d, truth := randomField(t), f.truth()
	truth[0].m.Add(&truth[0].m, &d)
	x := mul(&f.H[0], &d)
	f.M[0] = add(f.M[0], x)
	x.Neg(&x)
	f.M[1] = add(f.M[1], x)
	l := f.commit(f.messages)
	f.answer(r, l, f.messages, f.openings)
	return &f.LinkStatement, l, f.witness(f.messages), truth[:1]
}

// The compliance coin and a dummy show one signature, so h'_2 = h'_1^t, and the circuit leaves the dummy's message free. Where
// only the product of the points counts, the dummy's message makes up for a compliance coin that nobody signed.
func relatedPointsMovedAgainstEachOther(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	x := newFixture(t, 1)
	sig, never := x.signature(t), randomField(t)
	f := newForger(t, h, 2)
	var shown []Shown
	var shifts []Scalar
	for i := range f.H {
		shifts = append(shifts, scalar(t))
		show, err := x.Show(x.committee, &sig, &x.hm, &shifts[i], &f.openings[i])
		must(t, err)
		f.H[i], f.M[i] = show.H, show.M
		f.messages[i] = x.hm
		shown = append(shown, show)
	}
	must(t, x.VerifyShown(x.committee, shown...))
	truth := f.truth()
	var dummy Field // the message that makes up for the false one: m plus the difference, times the quotient of the shifts
	dummy.Sub(&x.hm, &never).Mul(&dummy, &shifts[0]).Div(&dummy, &shifts[1]).Add(&dummy, &x.hm)
	claimed := []Field{never, dummy}
	l := f.commit(claimed)
	f.answer(r, l, claimed, f.openings)
	return &f.LinkStatement, l, f.witness(claimed), truth
}

// M_1 H_2^d, which the circuit counts with the second message.
func pointWithAPowerOfAnotherBase(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 2)
	d, truth := randomField(t), f.truth()
	f.M[0] = add(f.M[0], mul(&f.H[1], &d))
	claimed := slices.Clone(f.messages)
	claimed[1].Add(&claimed[1], &d)
	l := f.commit(claimed)
	f.answer(r, l, claimed, f.openings)
	return &f.LinkStatement, l, f.witness(claimed), truth[1:]
}

// Every message is a logarithm of the identity.
func baseIsTheIdentity(t *testing.T, h *hash.Hasher, r linkRules) (*LinkStatement, *Link, *linkWitness, []opening) {
	f := newForger(t, h, 2)
	f.H[0] = G1{}
	f.M[0] = mulBase(&f.openings[0])
	claimed := []Field{randomField(t), f.messages[1]}
	l := f.commit(claimed)
	f.answer(r, l, claimed, f.openings)
	return &f.LinkStatement, l, f.witness(claimed), f.truth()
}

// A link that is made for one request must not serve another one.
//
//spec:id L-02
func TestLinksAreBoundToTheirRequest(t *testing.T) {
	h := linkHasher(t)
	changes := linkChanges(t)
	for _, part := range []string{"core", "D", "rk"} {
		weak := linkRules{omits: []string{part}}
		f := newForger(t, h, 3)
		l := f.commit(f.messages)
		f.answer(weak, l, f.messages, f.openings)
		ours, w := f.prove(t, h)
		other := f.LinkStatement
		changes[part](&other)
		if !weak.accepts(h, &f.LinkStatement, l, f.witness(f.messages)) || !weak.accepts(h, &other, l, f.witness(f.messages)) {
			t.Fatalf("without %s the link serves one request: the test shows nothing", part)
		}
		if !(linkRules{}).accepts(h, &f.LinkStatement, ours, w) || (linkRules{}).accepts(h, &other, ours, w) {
			t.Fatalf("a link serves another %s", part)
		}
	}
}

// Two statements with the same points in another order: whatever the order of the responses, the link serves only its own.
//
//spec:id L-04
func TestShowsOfALinkCannotBeSwapped(t *testing.T) {
	h := linkHasher(t)
	p := newLinkProver(t, 3)
	l, w := p.prove(t, h)
	swap := func(z []Field) []Field { return []Field{z[1], z[0], z[2]} }
	other := p.LinkStatement
	other.H = []G1{p.H[1], p.H[0], p.H[2]}
	other.M = []G1{p.M[1], p.M[0], p.M[2]}
	swapped := *l
	swapped.Z = swap(l.Z)
	for _, link := range []*Link{l, &swapped} {
		if (linkRules{}).validates(&other, link) {
			t.Fatal("the shows of a link are swapped")
		}
	}
	if (linkRules{}).validates(&p.LinkStatement, &swapped) {
		t.Fatal("the responses of a link are swapped")
	}
	again := &linkWitness{salt: w.salt, kappa: swap(w.kappa), messages: swap(w.messages)}
	if (linkRules{}).satisfied(h, &p.LinkStatement, &swapped, again) {
		t.Fatal("a commits to another order")
	}
}

// Evidence that is made again with the same nonces gives away the messages, and with them what the points hide: two links the
// messages, n + 1 links the openings. With fresh nonces the same calculation gives nothing.
//
//spec:id L-01
func TestNoncesThatServeTwiceGiveTheMessages(t *testing.T) {
	h := linkHasher(t)
	const n = 2
	p := newLinkProver(t, n)
	renew := func(fresh bool) (links []*Link, powers [][]Field) {
		f := newForger(t, h, n)
		f.linkProver = p
		for range n + 1 {
			if fresh {
				f.LinkSecrets = newForger(t, h, n).LinkSecrets
			}
			p.Core[0]++ // the renewed request
			l := f.commit(p.messages)
			powers = append(powers, f.answer(linkRules{}, l, p.messages, p.openings))
			links = append(links, l)
			must(t, VerifyLink(&p.LinkStatement, l))
		}
		return links, powers
	}
	for _, fresh := range []bool{false, true} {
		links, powers := renew(fresh)
		// z - z~ = (c^i - c~^i) m
		var differences [n][n]Field // of the powers, for each pair of links
		var blinds [n]Field
		for pair := range n {
			for i := range n {
				differences[pair][i].Sub(&powers[pair][i], &powers[pair+1][i])
			}
			blinds[pair].Sub(&links[pair].Blind, &links[pair+1].Blind)
		}
		for i := range n {
			var m Field
			m.Sub(&links[0].Z[i], &links[1].Z[i]).Div(&m, &differences[0][i])
			if m.Equal(&p.messages[i]) == fresh {
				t.Fatalf("fresh nonces: %v, the message is found: %v", fresh, !fresh)
			}
		}
		// z' - z~' = sum of (c^i - c~^i) o_i, two equations in two openings
		if o := solveTwo(differences, blinds); (o[0] == p.openings[0] && o[1] == p.openings[1]) == fresh {
			t.Fatalf("fresh nonces: %v, the openings are found: %v", fresh, !fresh)
		}
	}
}

// solveTwo is Cramer's rule.
func solveTwo(a [2][2]Field, b [2]Field) (x [2]Field) {
	determinant := func(p, q, r, s Field) (d Field) {
		var e Field
		d.Mul(&p, &s)
		return *d.Sub(&d, e.Mul(&q, &r))
	}
	d := determinant(a[0][0], a[0][1], a[1][0], a[1][1])
	x[0] = determinant(b[0], a[0][1], b[1], a[1][1])
	x[1] = determinant(a[0][0], b[0], a[1][0], b[1])
	x[0].Div(&x[0], &d)
	x[1].Div(&x[1], &d)
	return x
}

// Points with a component of small order satisfy the equation for some challenges, which a prover waits for. The pairing does
// not see the component either. So a point that hides no message at all would be shown.
//
//spec:id L-04
func TestLinkPointsOutsideTheSubgroup(t *testing.T) {
	h := linkHasher(t)
	anyPoint := linkRules{anyPoint: true}
	for _, order := range []int64{3, 11} {
		small := torsionG1(order)
		for name, shift := range map[string]func(*LinkStatement, *Link){
			"T and M_1": func(s *LinkStatement, l *Link) { l.T, s.M[0] = add(l.T, small), add(s.M[0], small) },
			"H_1":       func(s *LinkStatement, _ *Link) { s.H[0] = add(s.H[0], small) },
			"M_1":       func(s *LinkStatement, _ *Link) { s.M[0] = add(s.M[0], small) },
		} {
			p := newLinkProver(t, 1)
			honest := p.LinkStatement
			for {
				f := newForger(t, h, 1)
				f.linkProver = p
				p.H, p.M = slices.Clone(honest.H), slices.Clone(honest.M)
				l := f.commit(p.messages)
				shift(&p.LinkStatement, l)
				f.answer(anyPoint, l, p.messages, p.openings)
				if !anyPoint.accepts(h, &p.LinkStatement, l, f.witness(p.messages)) {
					continue
				}
				refused(t, VerifyLink(&p.LinkStatement, l), fault.PointNotInSubgroup)
				if InSubgroup([]*G1{&l.T, &p.H[0], &p.M[0]}) {
					t.Fatalf("%s with a component of order %d passes", name, order)
				}
				break
			}
		}
	}
}

// T, H_i and M_i are checked one by one. T as the identity would mean that every response is a message times a power of c.
//
//spec:id L-04
func TestLinkPointsAreChecked(t *testing.T) {
	h := linkHasher(t)
	for want, bad := range badPoints(t) {
		for i, point := range []func(*LinkStatement, *Link) *G1{
			func(_ *LinkStatement, l *Link) *G1 { return &l.T },
			func(s *LinkStatement, _ *Link) *G1 { return &s.H[1] },
			func(s *LinkStatement, _ *Link) *G1 { return &s.M[1] },
		} {
			p := newLinkProver(t, 2)
			l, _ := p.prove(t, h)
			*point(&p.LinkStatement, l) = bad
			refused(t, VerifyLink(&p.LinkStatement, l), want)
			if i > 0 || want == fault.PointNotInSubgroup {
				continue // DecodeLink leaves the subgroup to its caller
			}
			raw := bad.RawBytes()
			if want == fault.IdentityPoint {
				raw = [G1Bytes]byte{}
				_, err := EncodeLink(l)
				refused(t, err, want)
			}
			l.T = randomG1(t)
			b, err := EncodeLink(l)
			must(t, err)
			copy(b[FieldBytes:], raw[:])
			_, err = DecodeLink(b, 2)
			refused(t, err, want)
		}
	}
	f := newForger(t, h, 2)
	f.LinkSecrets = &LinkSecrets{Kappa: make([]Field, 2)}
	l := f.commit(f.messages)
	powers := f.answer(linkRules{anyPoint: true}, l, f.messages, f.openings)
	var m Field
	if m.Div(&l.Z[1], &powers[1]); !l.T.IsInfinity() || !m.Equal(&f.messages[1]) {
		t.Fatal("T as the identity hides the message: the test shows nothing")
	}
	refused(t, VerifyLink(&f.LinkStatement, l), fault.IdentityPoint)
}

// z + r stands for the same exponent and fits into 32 bytes. A decoder that reduces gives every link other encodings.
//
//spec:id L-04
func TestLinkScalarsAreCanonical(t *testing.T) {
	h := linkHasher(t)
	const n = 2
	p := newLinkProver(t, n)
	l, _ := p.prove(t, h)
	b, err := EncodeLink(l)
	must(t, err)
	for at, want := range map[int]fault.Code{
		0:                                    fault.FieldNotCanonical,
		FieldBytes + G1Bytes:                 fault.ScalarNotCanonical,
		FieldBytes + G1Bytes + ScalarBytes:   fault.ScalarNotCanonical,
		FieldBytes + G1Bytes + n*ScalarBytes: fault.ScalarNotCanonical,
	} {
		alias := slices.Clone(b)
		number := new(big.Int).SetBytes(b[at : at+ScalarBytes])
		copy(alias[at:], bigBytes(number.Add(number, Order()), ScalarBytes))
		var reduced, original Field
		if reduced.SetBytes(alias[at : at+ScalarBytes]); !reduced.Equal(original.SetBytes(b[at : at+ScalarBytes])) {
			t.Fatal("not the same exponent: the test shows nothing")
		}
		_, err := DecodeLink(alias, n)
		refused(t, err, want)
	}
}
