package vectors

import (
	"bytes"
	"math/big"
	"testing"

	"solidus.io/prover/fault"
	"solidus.io/prover/suite"
)

// linkSample is a link with everything that its prover knows.
type linkSample struct {
	core        []byte
	d           *big.Int
	rk          []byte // empty in a mint
	h, m        []*point
	messages, o []*big.Int
	kappa       []*big.Int
	blindKappa  *big.Int
	salt, c, a  *big.Int
	t           *point
	z           []*big.Int
	blind       *big.Int // z'
}

// newLinkSample links n points to messages. The bases are multiples of the generator, as those of shown signatures may be.
func newLinkSample(label string, n int, rk []byte) *linkSample {
	s := &linkSample{
		core: sum("the core of " + label), d: draw(label+" D", r), rk: rk,
		messages: draws(label+" message", n, r), o: draws(label+" o", n, r),
		kappa: draws(label+" kappa", n, r), blindKappa: draw(label+" kappa'", r), salt: draw(label+" salt", r),
	}
	for _, log := range draws(label+" base", n, r) {
		s.h = append(s.h, generatorG1.multiply(log))
	}
	for i := range n {
		s.m = append(s.m, s.h[i].multiply(s.messages[i]).add(generatorG1.multiply(s.o[i])))
	}
	return s.prove()
}

// prove is L-01 to L-03.
func (s *linkSample) prove() *linkSample {
	s.t = generatorG1.multiply(s.blindKappa)
	for i := range s.h {
		s.t = s.t.add(s.h[i].multiply(s.kappa[i]))
	}
	s.a = linkCommitment(s.salt, s.kappa, s.messages)
	s.c = s.challenge()
	s.z, s.blind = nil, s.blindKappa
	power := s.c
	for i := range s.h {
		s.z = append(s.z, plus(s.kappa[i], times(power, s.messages[i])))
		s.blind = plus(s.blind, times(power, s.o[i]))
		power = times(power, s.c)
	}
	return s
}

func (s *linkSample) challenge() *big.Int {
	rk := s.rk
	if len(rk) == 0 {
		rk = make([]byte, 64)
	}
	parts := [][]byte{[]byte("solidus/link/v2"), s.core, field(s.d), rk, {byte(len(s.h))}}
	for i := range s.h {
		parts = append(parts, s.h[i].g1(), s.m[i].g1())
	}
	return reduced(r, append(parts, s.t.g1(), field(s.a))...)
}

// statement is what a validator knows beside the link.
func (s *linkSample) statement() in {
	return in{
		"core": hexOf(s.core), "d": hexOf(field(s.d)), "rk": hexOf(s.rk), "h": hexes(encodedPoints(s.h)), "m": hexes(encodedPoints(s.m)),
	}
}

func encodedPoints(points []*point) (all [][]byte) {
	for _, s := range points {
		all = append(all, s.g1())
	}
	return all
}

// link is a || T || z_1 || ... || z_n || z'.
func (s *linkSample) link() []byte {
	b := append(field(s.a), s.t.g1()...)
	for _, z := range append(s.z[:len(s.z):len(s.z)], s.blind) {
		b = append(b, field(z)...)
	}
	return b
}

func (s *linkSample) verifyIn(link []byte) in {
	all := s.statement()
	all["link"] = hexOf(link)
	return all
}

func (s *linkSample) add(f *file, name string) {
	f.good("commitment", name, in{
		"h": hexes(encodedPoints(s.h)), "kappa": hexesOf(s.kappa), "blindKappa": hexOf(field(s.blindKappa)),
	}, s.t.g1())
	challenge := s.statement()
	challenge["t"], challenge["a"] = hexOf(s.t.g1()), hexOf(field(s.a))
	f.good("challenge", name, challenge, field(s.c))
	var answers []byte
	for _, z := range append(s.z[:len(s.z):len(s.z)], s.blind) {
		answers = append(answers, field(z)...)
	}
	f.good("respond", name, in{
		"c": hexOf(field(s.c)), "kappa": hexesOf(s.kappa), "blindKappa": hexOf(field(s.blindKappa)),
		"messages": hexesOf(s.messages), "openings": hexesOf(s.o),
	}, answers)
	prove := s.statement()
	prove["network"], prove["salt"], prove["kappa"] = vectorNetwork, hexOf(field(s.salt)), hexesOf(s.kappa)
	prove["blindKappa"], prove["messages"], prove["openings"] = hexOf(field(s.blindKappa)), hexesOf(s.messages), hexesOf(s.o)
	f.good("prove", name, prove, s.link())
	f.good("verify", name, s.verifyIn(s.link()), field(s.c))
}

//spec:id L-01 L-02 L-03 L-04
func TestLink(t *testing.T) {
	f := &file{Name: "link", About: "the link of points m_i = message_i h_i + opening_i g1: T from nonces (commitment), the challenge c, " +
		"the responses z_1 || ... || z_n || z' (respond), the whole link a || T || z_1 || ... || z_n || z' (prove), and its check, which " +
		"outputs c; rk is empty in a mint"}
	rk := generatorKey.multiply(draw("link rk", l)).bytes()
	mint := newLinkSample("mint", 1, nil)
	mint.add(f, "mint")
	newLinkSample("register", 1, rk).add(f, "register")
	newLinkSample("unregulated", 4, rk).add(f, "transfer-unregulated")
	newLinkSample("transfer", 5, rk).add(f, "transfer")

	edge := newLinkSample("edge", 2, rk)
	edge.h[1], edge.messages[0], edge.o[1] = edge.h[0], new(big.Int), new(big.Int)
	edge.m[0] = generatorG1.multiply(edge.o[0])
	edge.m[1] = edge.h[1].multiply(edge.messages[1])
	edge.prove().add(f, "one base twice, a message and an opening of zero")

	addBadLinks(f, newLinkSample("pair", 2, rk), mint)
	f.sort()
	check(t, f, linkOperations)
}

// addBadLinks changes a link of two points and its statement.
func addBadLinks(f *file, s, mint *linkSample) {
	bad := func(name string, code fault.Code, link []byte) { f.bad("verify", name, s.verifyIn(link), code) }
	changed := func(at int, b []byte) []byte {
		link := s.link()
		copy(link[at:], b)
		return link
	}
	next := func(x *big.Int) []byte { return field(plus(x, big.NewInt(1))) }
	const tAt, zAt, blindAt = 32, 32 + 96, 32 + 96 + 2*32
	bad("a plus one", fault.LinkInvalid, changed(0, next(s.a)))
	bad("T negated", fault.LinkInvalid, changed(tAt, s.t.negate().g1()))
	bad("T plus the generator", fault.LinkInvalid, changed(tAt, s.t.add(generatorG1).g1()))
	for i := range s.z {
		bad("z_"+decimal(uint64(i+1))+" plus one", fault.LinkInvalid, changed(zAt+32*i, next(s.z[i])))
	}
	bad("z' plus one", fault.LinkInvalid, changed(blindAt, next(s.blind)))
	bad("z_1 and z_2 exchanged", fault.LinkInvalid, changed(zAt, append(field(s.z[1]), field(s.z[0])...)))
	bad("a is r", fault.FieldNotCanonical, changed(0, field(r)))
	bad("z_2 plus r", fault.ScalarNotCanonical, changed(blindAt-32, field(new(big.Int).Add(s.z[1], r))))
	bad("z' is r", fault.ScalarNotCanonical, changed(blindAt, field(r)))
	bad("T is the identity", fault.IdentityPoint, changed(tAt, make([]byte, 96)))
	bad("T off the curve", fault.PointNotOnCurve, changed(tAt, append(s.t.g1()[48:], s.t.g1()[:48]...)))
	bad("T outside the subgroup", fault.PointNotInSubgroup, changed(tAt, s.t.add(&point{number(0), number(2)}).g1()))
	bad("one byte short", fault.BadLength, s.link()[:len(s.link())-1])
	bad("one response short", fault.BadLength, append(s.link()[:blindAt-32:blindAt-32], field(s.blind)...))
	bad("empty", fault.BadLength, nil)

	of := func(name string, change func(*linkSample)) {
		other := *s
		other.h, other.m = append([]*point(nil), s.h...), append([]*point(nil), s.m...)
		change(&other)
		f.bad("verify", name, other.verifyIn(s.link()), fault.LinkInvalid)
	}
	of("another core", func(o *linkSample) { o.core = mint.core })
	of("another D", func(o *linkSample) { o.d = mint.d })
	of("another rk", func(o *linkSample) { o.rk = generatorKey.bytes() })
	of("no rk", func(o *linkSample) { o.rk = nil })
	of("another base", func(o *linkSample) { o.h[1] = generatorG1 })
	of("another point", func(o *linkSample) { o.m[1] = o.m[1].add(generatorG1) })
	of("points exchanged", func(o *linkSample) { o.h[0], o.h[1], o.m[0], o.m[1] = o.h[1], o.h[0], o.m[1], o.m[0] })
	of("two points shifted against each other", func(o *linkSample) {
		o.m[0], o.m[1] = o.m[0].add(generatorG1), o.m[1].add(generatorG1.negate())
	})
}

func (a args) linkStatement() *suite.LinkStatement {
	a.t.Helper()
	s := &suite.LinkStatement{Core: [32]byte(a.bytes("core")), D: a.field("d"), H: a.points("h"), M: a.points("m")}
	if len(a.bytes("rk")) != 0 {
		rk := a.key("rk")
		s.RK = &rk
	}
	return s
}

func (a args) linkSecrets() *suite.LinkSecrets {
	a.t.Helper()
	return &suite.LinkSecrets{Kappa: a.fields("kappa"), Blind: a.field("blindKappa")}
}

var linkOperations = map[string]operation{
	"commitment": func(a args) ([]byte, error) {
		t := a.linkSecrets().Commitment(a.points("h"))
		return suite.EncodeG1(&t)
	},
	"challenge": func(a args) ([]byte, error) {
		t, commitment := a.g1("t"), a.field("a")
		c, err := a.linkStatement().Challenge(&t, &commitment)
		return suite.EncodeField(&c), err
	},
	"respond": func(a args) ([]byte, error) {
		c := a.field("c")
		z, blind := a.linkSecrets().Respond(&c, a.fields("messages"), a.fields("openings"))
		var out [][]byte
		for i := range z {
			out = append(out, suite.EncodeField(&z[i]))
		}
		return bytes.Join(append(out, suite.EncodeScalar(&blind)), nil), nil
	},
	"prove": func(a args) ([]byte, error) {
		s, secrets, messages := a.linkStatement(), a.linkSecrets(), a.fields("messages")
		link := &suite.Link{A: a.network().Hasher().Link(a.field("salt"), secrets.Kappa, messages), T: secrets.Commitment(s.H)}
		c, err := s.Challenge(&link.T, &link.A)
		if err != nil {
			return nil, err
		}
		link.Z, link.Blind = secrets.Respond(&c, messages, a.fields("openings"))
		return suite.EncodeLink(link)
	},
	"verify": func(a args) ([]byte, error) {
		s := a.linkStatement()
		link, err := suite.DecodeLink(a.bytes("link"), len(s.H))
		if err != nil {
			return nil, err
		}
		if err := suite.VerifyLink(s, link); err != nil {
			return nil, err
		}
		c, err := s.Challenge(&link.T, &link.A)
		return suite.EncodeField(&c), err
	},
}
