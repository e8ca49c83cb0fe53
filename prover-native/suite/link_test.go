package suite

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/measure"
)

// linkProver is a statement of n linked points whose prover knows what they hide.
type linkProver struct {
	LinkStatement
	logs     []Scalar // of the bases H, so that tests can find other openings
	messages []Field
	openings []Scalar
}

func newLinkProver(t testing.TB, n int) *linkProver {
	t.Helper()
	rk := randomKey(t)
	p := &linkProver{LinkStatement: LinkStatement{D: randomField(t), RK: &rk}}
	d := EncodeField(&p.D)
	copy(p.Core[:], d)
	for range n {
		p.logs = append(p.logs, scalar(t))
		p.H = append(p.H, mulBase(&p.logs[len(p.logs)-1]))
		p.messages, p.openings = append(p.messages, randomField(t)), append(p.openings, scalar(t))
	}
	p.M = make([]G1, n)
	for i := range p.M {
		p.M[i] = opened(&p.H[i], &p.messages[i], &p.openings[i])
	}
	return p
}

// opened is H^m g1^o.
func opened(h *G1, m *Field, o *Scalar) G1 { return add(mul(h, m), mulBase(o)) }

// prove makes a link, and the witness of its circuit.
func (p *linkProver) prove(t testing.TB, h *hash.Hasher) (*Link, *linkWitness) {
	t.Helper()
	secrets, err := p.DrawLink(p.messages, p.openings)
	must(t, err)
	w := &linkWitness{salt: secrets.Salt, kappa: slices.Clone(secrets.Kappa), messages: p.messages}
	l := &Link{T: secrets.Commitment(p.H), A: h.Link(secrets.Salt, secrets.Kappa, p.messages)}
	c, err := p.Challenge(&l.T, &l.A)
	must(t, err)
	l.Z, l.Blind = secrets.Respond(&c, p.messages, p.openings)
	return l, w
}

// linkWitness is what the circuit's clauses about a link read.
type linkWitness struct {
	salt            Field
	kappa, messages []Field
}

func linkHasher(t testing.TB) *hash.Hasher {
	t.Helper()
	tag, err := hash.NetworkTagOf("suite-test")
	must(t, err)
	return hash.New(tag)
}

//spec:id L-01 L-02 L-03 L-04
func TestLinks(t *testing.T) {
	h := linkHasher(t)
	for _, n := range []int{1, 2, 3, 5, hash.MaxLinked} {
		p := newLinkProver(t, n)
		if n == 1 {
			p.RK = nil // a mint
		}
		l, w := p.prove(t, h)
		must(t, VerifyLink(&p.LinkStatement, l))
		if !(linkRules{}).accepts(h, &p.LinkStatement, l, w) {
			t.Fatal("the tests' own link differs from the package's")
		}
		b, err := EncodeLink(l)
		must(t, err)
		if len(b) != LinkBytes(n) || LinkBytes(n) != 32+96+32*n+32 {
			t.Fatalf("%d bytes", len(b))
		}
		again, err := DecodeLink(b, n)
		must(t, err)
		must(t, VerifyLink(&p.LinkStatement, again))
		for i := 0; i < len(b); i += 1 + n/6 { // every byte of a small link, some of a large one
			bad := bytes.Clone(b)
			bad[i] ^= 1
			if l, err := DecodeLink(bad, n); err == nil && VerifyLink(&p.LinkStatement, l) == nil {
				t.Fatalf("byte %d of %d may change", i, len(b))
			}
		}
	}
}

//spec:id L-04
func TestLinksOfOtherStatementsAreRefused(t *testing.T) {
	h := linkHasher(t)
	p := newLinkProver(t, 3)
	l, _ := p.prove(t, h)
	for name, change := range linkChanges(t) {
		s := p.LinkStatement
		s.H, s.M = slices.Clone(p.H), slices.Clone(p.M)
		change(&s)
		if err := VerifyLink(&s, l); fault.CodeOf(err) != fault.LinkInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(*Link){
		"a":          func(l *Link) { l.A = randomField(t) },
		"T":          func(l *Link) { l.T = randomG1(t) },
		"z_1":        func(l *Link) { l.Z[0] = randomField(t) },
		"z_3":        func(l *Link) { l.Z[2] = randomField(t) },
		"z' by one":  func(l *Link) { one := small(1); l.Blind.Add(&l.Blind, &one) },
		"z' is zero": func(l *Link) { l.Blind.SetZero() },
	} {
		changed := *l
		changed.Z = slices.Clone(l.Z)
		change(&changed)
		if err := VerifyLink(&p.LinkStatement, &changed); fault.CodeOf(err) != fault.LinkInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// linkChanges make another statement of one with three points.
func linkChanges(t *testing.T) map[string]func(*LinkStatement) {
	t.Helper()
	key := randomKey(t)
	return map[string]func(*LinkStatement){
		"core":           func(s *LinkStatement) { s.Core[31] ^= 1 },
		"D":              func(s *LinkStatement) { s.D = randomField(t) },
		"rk":             func(s *LinkStatement) { s.RK = &key },
		"no rk":          func(s *LinkStatement) { s.RK = nil },
		"H_1":            func(s *LinkStatement) { s.H[0] = randomG1(t) },
		"H_3":            func(s *LinkStatement) { s.H[2] = randomG1(t) },
		"M_1":            func(s *LinkStatement) { s.M[0] = randomG1(t) },
		"M_2":            func(s *LinkStatement) { s.M[1] = randomG1(t) },
		"points swapped": func(s *LinkStatement) { s.H[0], s.H[1], s.M[0], s.M[1] = s.H[1], s.H[0], s.M[1], s.M[0] },
		"H and M":        func(s *LinkStatement) { s.H[0], s.M[0] = s.M[0], s.H[0] },
	}
}

// The challenge is what the specification says, and every part changes it.
//
//spec:id L-02
func TestLinkChallenge(t *testing.T) {
	h := linkHasher(t)
	p := newLinkProver(t, 3)
	l, _ := p.prove(t, h)
	seen := map[Field]string{}
	check := func(name string, s *LinkStatement, l *Link) {
		t.Helper()
		c, err := s.Challenge(&l.T, &l.A)
		must(t, err)
		if want := (linkRules{}).challenge(s, l); !c.Equal(&want) {
			t.Fatalf("%s: another challenge than the specification's", name)
		}
		if first, ok := seen[c]; ok {
			t.Fatalf("%s and %s share a challenge", name, first)
		}
		seen[c] = name
	}
	check("the statement", &p.LinkStatement, l)
	for name, change := range linkChanges(t) {
		s := p.LinkStatement
		s.H, s.M = slices.Clone(p.H), slices.Clone(p.M)
		change(&s)
		check(name, &s, l)
	}
	otherT, otherA := *l, *l
	otherT.T, otherA.A = randomG1(t), randomField(t)
	check("another T", &p.LinkStatement, &otherT)
	check("another a", &p.LinkStatement, &otherA)
	shorter := p.LinkStatement
	shorter.H, shorter.M = p.H[:2], p.M[:2]
	check("a point less", &shorter, l)
}

func TestLinksOfNoStatement(t *testing.T) {
	h := linkHasher(t)
	p := newLinkProver(t, 3)
	l, _ := p.prove(t, h)
	for name, s := range map[string]LinkStatement{
		"no points":       {RK: p.RK},
		"too many points": {RK: p.RK, H: make([]G1, hash.MaxLinked+1), M: make([]G1, hash.MaxLinked+1)},
		"a base less":     {RK: p.RK, H: p.H[:2], M: p.M},
		"a point less":    {RK: p.RK, H: p.H, M: p.M[:2]},
	} {
		if _, err := s.Challenge(&l.T, &l.A); fault.CodeOf(err) != fault.BadLength {
			t.Errorf("%s: %v", name, err)
		}
		if err := VerifyLink(&s, l); fault.CodeOf(err) != fault.BadLength {
			t.Errorf("%s: %v", name, err)
		}
	}
	short := *l
	short.Z = l.Z[:2]
	refused(t, VerifyLink(&p.LinkStatement, &short), fault.BadLength)
	b, err := EncodeLink(l)
	must(t, err)
	for _, n := range []int{-1, 0, 2, 4, hash.MaxLinked + 1} {
		_, err = DecodeLink(b, n)
		refused(t, err, fault.BadLength)
	}
	_, err = DecodeLink(make([]byte, LinkBytes(0)), 0)
	refused(t, err, fault.BadLength)
	_, err = DecodeLink(b[1:], 3)
	refused(t, err, fault.BadLength)
}

// For every message vector there are nonces and openings that make the very same link: it reveals nothing beside a, which
// the salt hides.
func TestLinksFitEveryMessage(t *testing.T) {
	h := linkHasher(t)
	p := newLinkProver(t, 3)
	l, _ := p.prove(t, h)
	c, err := p.Challenge(&l.T, &l.A)
	must(t, err)
	other := &LinkSecrets{Kappa: make([]Field, 3), Blind: l.Blind}
	power := c
	for i := range p.H {
		m, o := randomField(t), Scalar{}
		o.Sub(&p.messages[i], &m).Mul(&o, &p.logs[i]).Add(&o, &p.openings[i])
		if again := opened(&p.H[i], &m, &o); !again.Equal(&p.M[i]) {
			t.Fatal("not an opening: the test's premise is wrong")
		}
		other.Kappa[i].Mul(&power, &m)
		other.Kappa[i].Sub(&l.Z[i], &other.Kappa[i])
		other.Blind.Sub(&other.Blind, o.Mul(&o, &power))
		power.Mul(&power, &c)
	}
	if again := other.Commitment(p.H); !again.Equal(&l.T) {
		t.Fatal("the link tells messages apart")
	}
}

// A link needs no message to be made: the responses are nonces. Only the circuit gives a link its meaning.
func TestLinksCanBeSimulated(t *testing.T) {
	p := newLinkProver(t, 4)
	none, hidden := make([]Field, 4), make([]Scalar, 4)
	for i := range hidden {
		hidden[i] = scalar(t)
		p.M[i] = mulBase(&hidden[i])
	}
	secrets, err := p.DrawLink(none, hidden)
	must(t, err)
	l := &Link{T: secrets.Commitment(p.H), A: randomField(t)}
	c, err := p.Challenge(&l.T, &l.A)
	must(t, err)
	l.Z, l.Blind = secrets.Respond(&c, none, hidden)
	must(t, VerifyLink(&p.LinkStatement, l))
}

func TestLinkSecretsAreWipedAndServeOnce(t *testing.T) {
	p := newLinkProver(t, 2)
	seen := map[Field]bool{{}: true}
	var s *LinkSecrets
	for range 8 {
		var err error
		s, err = p.DrawLink(p.messages, p.openings)
		must(t, err)
		for _, secret := range []Field{s.Kappa[0], s.Kappa[1], s.Blind, s.Salt} {
			if seen[secret] {
				t.Fatal("a secret is zero or repeats")
			}
			seen[secret] = true
		}
	}
	c := randomField(t)
	s.Respond(&c, p.messages, p.openings)
	func() {
		defer func() {
			if recover() == nil {
				t.Fatal("two answers with one nonce")
			}
		}()
		s.Respond(&c, p.messages, p.openings)
	}()
	s.Wipe()
	if !s.Kappa[0].IsZero() || !s.Kappa[1].IsZero() || !s.Blind.IsZero() || !s.Salt.IsZero() {
		t.Fatal("secrets are left")
	}
}

// A generator that repeats itself repeats the nonces of the same request only.
//
//spec:id L-01
func TestLinkSecretsOfABrokenGenerator(t *testing.T) {
	p := newLinkProver(t, 3)
	seen := map[Field]string{}
	check := func(name string, s *LinkStatement, messages []Field, openings []Scalar) {
		t.Helper()
		drawn, err := s.secretsFrom(make([]byte, 32), messages, openings)
		must(t, err)
		again, err := s.secretsFrom(make([]byte, 32), messages, openings)
		must(t, err)
		for i, secret := range append(drawn.Kappa, drawn.Blind, drawn.Salt) {
			if same := append(again.Kappa, again.Blind, again.Salt)[i]; !same.Equal(&secret) {
				t.Fatal("the test's generator does not repeat itself")
			}
			if first, ok := seen[secret]; ok {
				t.Fatalf("%s and %s share a nonce", name, first)
			}
			seen[secret] = name
		}
	}
	check("the request", &p.LinkStatement, p.messages, p.openings)
	for name, change := range linkChanges(t) {
		s := p.LinkStatement
		s.H, s.M = slices.Clone(p.H), slices.Clone(p.M)
		change(&s)
		check(name, &s, p.messages, p.openings)
	}
	other := []Field{p.messages[0], p.messages[1], randomField(t)}
	check("another message", &p.LinkStatement, other, p.openings)
	check("another opening", &p.LinkStatement, p.messages, other)
	check("messages and openings", &p.LinkStatement, p.openings, p.messages)
}

// linkClaims are n links of one to five points.
func linkClaims(t testing.TB, n int, points func(i int) int) []*LinkClaim {
	t.Helper()
	h := linkHasher(t)
	all := make([]*LinkClaim, n)
	for i := range all {
		p := newLinkProver(t, points(i))
		l, _ := p.prove(t, h)
		var err error
		all[i], err = NewLinkClaim(&p.LinkStatement, l)
		must(t, err)
	}
	return all
}

//spec:id L-04
func TestLinksTogether(t *testing.T) {
	all := linkClaims(t, 20, func(i int) int { return i%5 + 1 })
	for _, n := range []int{0, 1, 2, 20} {
		must(t, VerifyLinks(all[:n]))
		for i := range n {
			good, link, statement := *all[i], *all[i].Link, *all[i].Statement
			last := len(link.Z) - 1
			for name, breaks := range map[string]func(*LinkClaim){
				"c":         func(k *LinkClaim) { k.C = randomField(t) },
				"T":         func(k *LinkClaim) { k.Link.T = randomG1(t) },
				"z'":        func(k *LinkClaim) { k.Link.Blind = scalar(t) },
				"z_n":       func(k *LinkClaim) { k.Link.Z[last] = scalar(t) },
				"H_n":       func(k *LinkClaim) { k.Statement.H[last] = randomG1(t) },
				"M_n":       func(k *LinkClaim) { k.Statement.M[last] = randomG1(t) },
				"another's": func(k *LinkClaim) { k.Link = all[(i+5)%len(all)].Link },
			} {
				l, s := link, statement
				l.Z, s.H, s.M = slices.Clone(link.Z), slices.Clone(statement.H), slices.Clone(statement.M)
				*all[i] = LinkClaim{Statement: &s, Link: &l, C: good.C}
				breaks(all[i])
				if err := VerifyLinks(all[:n]); fault.CodeOf(err) != fault.LinkInvalid {
					t.Fatalf("%s of claim %d of %d: %v", name, i, n, err)
				}
				*all[i] = good
			}
		}
	}
}

// Two wrong links whose errors cancel when both weigh the same, which is why weights are drawn.
func TestLinkErrorsThatCancelUnderEqualWeights(t *testing.T) {
	all := linkClaims(t, 10, func(int) int { return 3 })
	e := randomG1(t)
	var minus G1
	minus.Neg(&e)
	all[2].Link.T, all[9].Link.T = add(all[2].Link.T, e), add(all[9].Link.T, minus)
	if !linksHold(all, equalWeights(len(all))) {
		t.Fatal("the errors do not cancel: the test shows nothing")
	}
	for range 8 {
		refused(t, VerifyLinks(all), fault.LinkInvalid)
	}
}

// A link that decodes has one encoding.
func FuzzDecodeLink(f *testing.F) {
	h := linkHasher(f)
	for n := 1; n <= hash.MaxLinked; n++ {
		l, _ := newLinkProver(f, n).prove(f, h)
		b, err := EncodeLink(l)
		must(f, err)
		f.Add(n, b)
	}
	f.Add(0, []byte{})
	f.Fuzz(func(t *testing.T, n int, b []byte) {
		l, err := DecodeLink(b, n)
		if err != nil {
			if fault.CodeOf(err) == fault.Internal {
				t.Fatal(err)
			}
			return
		}
		if again, err := EncodeLink(l); err != nil || !bytes.Equal(again, b) || len(l.Z) != n {
			t.Fatal("a link has two encodings")
		}
	})
}

func BenchmarkLinks(b *testing.B) {
	for _, n := range []int{1, 64} {
		all := linkClaims(b, n, func(int) int { return 5 })
		b.Run(fmt.Sprintf("%dx5", n), func(b *testing.B) {
			measure.Loop(b, n, func() { must(b, VerifyLinks(all)) })
		})
	}
}

func BenchmarkProveLink(b *testing.B) {
	h, p := linkHasher(b), newLinkProver(b, 5)
	measure.Loop(b, 1, func() { p.prove(b, h) })
}
