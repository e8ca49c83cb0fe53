package suite

import (
	"crypto/rand"
	"crypto/sha512"

	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
	"solidus.io/prover/internal/g1"
	"solidus.io/prover/internal/multiexp"
	"solidus.io/prover/jubjub"
)

const (
	linkDomain      = "solidus/link/v2"
	linkNonceDomain = "solidus/link-nonces/v2"
)

// Link ties the linked points of a statement to the messages that its circuit computes, see page 3 of the specification. A, the
// challenge and Z are public inputs of the circuit, which asserts that A commits to nonces kappa_i and messages m_i with z_i =
// kappa_i + c^i m_i.
type Link struct {
	A     Field   // the commitment to nonces and messages
	T     G1      // the nonces' point
	Z     []Field // a response for each linked point
	Blind Scalar  // z', the response of all openings together
}

// LinkBytes is the length of a link of n points: a || T || z_1 || ... || z_n || z'.
func LinkBytes(n int) int { return FieldBytes + G1Bytes + (n+1)*ScalarBytes }

// DecodeLink reads a link of n points. It refuses scalars that are not below r, and T when it is the identity or off the curve.
// The caller must check the subgroup of T, see InSubgroup.
func DecodeLink(b []byte, n int) (*Link, error) {
	if n < 1 || n > hash.MaxLinked || len(b) != LinkBytes(n) {
		return nil, fault.Newf(fault.BadLength, "link of %d points in %d bytes", n, len(b))
	}
	l := &Link{Z: make([]Field, n)}
	var err error
	if l.A, err = DecodeField(b[:FieldBytes]); err != nil {
		return nil, err
	}
	if l.T, err = DecodeG1OnCurve(b[FieldBytes : FieldBytes+G1Bytes]); err != nil {
		return nil, err
	}
	b = b[FieldBytes+G1Bytes:]
	for i := range l.Z {
		if l.Z[i], err = DecodeScalar(b[i*ScalarBytes : (i+1)*ScalarBytes]); err != nil {
			return nil, err
		}
	}
	l.Blind, err = DecodeScalar(b[n*ScalarBytes:])
	return l, err
}

// EncodeLink is the inverse of DecodeLink.
func EncodeLink(l *Link) ([]byte, error) {
	t, err := EncodeG1(&l.T)
	if err != nil {
		return nil, err
	}
	b := append(make([]byte, 0, LinkBytes(len(l.Z))), EncodeField(&l.A)...)
	b = append(b, t...)
	for i := range l.Z {
		b = append(b, EncodeScalar(&l.Z[i])...)
	}
	return append(b, EncodeScalar(&l.Blind)...), nil
}

// LinkStatement is what a link belongs to: the core, the input digest and the randomised key of a request, and its linked points
// M with their bases H, shown signatures first, then outputs.
type LinkStatement struct {
	Core [32]byte
	D    Field
	RK   *jubjub.Point // nil in a mint
	H, M []G1
}

// check refuses a number of points that no statement has.
func (s *LinkStatement) check() error {
	if n := len(s.H); n < 1 || n > hash.MaxLinked || len(s.M) != n {
		return fault.Newf(fault.BadLength, "%d bases, %d linked points", n, len(s.M))
	}
	return nil
}

// Challenge hashes everything that a prover could otherwise adapt to the challenge.
//
//spec:id L-02
func (s *LinkStatement) Challenge(t *G1, a *Field) (Field, error) {
	statement, err := s.encoded()
	if err != nil {
		return Field{}, err
	}
	point, err := EncodeG1(t)
	if err != nil {
		return Field{}, err
	}
	h := sha512.New()
	for _, part := range [][]byte{[]byte(linkDomain), statement, point, EncodeField(a)} {
		h.Write(part)
	}
	return reduce(h.Sum(nil)), nil
}

// encoded is what a challenge and the nonces take in of the statement.
func (s *LinkStatement) encoded() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	b := append(s.Core[:len(s.Core):len(s.Core)], EncodeField(&s.D)...)
	if s.RK == nil {
		b = append(b, make([]byte, jubjub.PointBytes)...) // not the encoding of any point of the curve
	} else {
		b = append(b, jubjub.EncodePoint(s.RK)...)
	}
	b = append(b, byte(len(s.H)))
	for i := range s.H {
		for _, p := range []*G1{&s.H[i], &s.M[i]} {
			point, err := EncodeG1(p)
			if err != nil {
				return nil, err
			}
			b = append(b, point...)
		}
	}
	return b, nil
}

// LinkSecrets are a prover's nonces. They serve one challenge: the difference of two answers reveals the messages. So evidence
// that is made again for the same request needs fresh ones.
type LinkSecrets struct {
	Kappa       []Field // a nonce for each linked point
	Blind, Salt Field   // kappa' and the salt of the commitment a
	answered    bool
}

// DrawLink draws the secrets of a link for the messages and the openings of the statement's points. They are hashes of fresh
// randomness with all of these, so a generator that repeats itself does not repeat a nonce under another challenge.
//
//spec:id L-01
func (s *LinkStatement) DrawLink(messages []Field, openings []Scalar) (*LinkSecrets, error) {
	var fresh [32]byte
	defer Wipe(fresh[:])
	if _, err := rand.Read(fresh[:]); err != nil {
		return nil, err
	}
	return s.secretsFrom(fresh[:], messages, openings)
}

func (s *LinkStatement) secretsFrom(fresh []byte, messages []Field, openings []Scalar) (*LinkSecrets, error) {
	statement, err := s.encoded()
	if err != nil {
		return nil, err
	}
	h := sha512.New()
	h.Write([]byte(linkNonceDomain))
	h.Write(fresh)
	h.Write(statement)
	for i := range s.H {
		for _, secret := range []*Field{&messages[i], &openings[i]} {
			b := EncodeField(secret)
			h.Write(b)
			Wipe(b)
		}
	}
	seed := h.Sum(nil)
	defer Wipe(seed)
	secrets := &LinkSecrets{Kappa: make([]Field, len(s.H))}
	for i := range secrets.Kappa {
		secrets.Kappa[i] = expand(seed, i)
	}
	secrets.Blind, secrets.Salt = expand(seed, len(s.H)), expand(seed, len(s.H)+1)
	return secrets, nil
}

// expand returns the i-th scalar of a seed.
func expand(seed []byte, i int) Scalar {
	h := sha512.New()
	h.Write(seed)
	h.Write([]byte{byte(i)})
	b := h.Sum(nil)
	defer Wipe(b)
	return reduce(b)
}

// Commitment is T, the product of the bases' powers by the nonces. There is a base for each nonce.
func (s *LinkSecrets) Commitment(h []G1) G1 {
	sum := mulBase(&s.Blind)
	for i := range s.Kappa {
		sum = add(sum, mul(&h[i], &s.Kappa[i]))
	}
	return sum
}

// Respond answers the challenge for points M_i = H_i^{m_i} g1^{o_i} with messages m_i and openings o_i. It panics when it is
// called again.
//
//spec:id L-03
func (s *LinkSecrets) Respond(c *Field, messages []Field, openings []Scalar) (z []Field, blind Scalar) {
	if s.answered {
		panic("suite: the nonces of a link serve one challenge")
	}
	s.answered = true
	z, blind = make([]Field, len(s.Kappa)), s.Blind
	power := *c
	for i := range z {
		var hidden Scalar
		z[i].Mul(&power, &messages[i]).Add(&z[i], &s.Kappa[i])
		blind.Add(&blind, hidden.Mul(&power, &openings[i]))
		power.Mul(&power, c)
	}
	return z, blind
}

// Wipe clears the secrets.
func (s *LinkSecrets) Wipe() {
	clear(s.Kappa)
	s.Blind.SetZero()
	s.Salt.SetZero()
}

// VerifyLink checks a link with all its points. It is exact.
func VerifyLink(s *LinkStatement, l *Link) error {
	claim, err := NewLinkClaim(s, l)
	if err != nil {
		return err
	}
	if err := CheckG1(&l.T); err != nil {
		return err
	}
	for i := range s.H {
		for _, p := range []*G1{&s.H[i], &s.M[i]} {
			if err := CheckG1(p); err != nil {
				return err
			}
		}
	}
	return VerifyLinks([]*LinkClaim{claim})
}

// LinkClaim is the claim that a link holds under the challenge C.
type LinkClaim struct {
	Statement *LinkStatement
	Link      *Link
	C         Field
}

// NewLinkClaim computes the challenge, which is also a public input of the proof.
func NewLinkClaim(s *LinkStatement, l *Link) (*LinkClaim, error) {
	if len(l.Z) != len(s.H) {
		return nil, fault.Newf(fault.BadLength, "%d responses for %d points", len(l.Z), len(s.H))
	}
	c, err := s.Challenge(&l.T, &l.A)
	if err != nil {
		return nil, err
	}
	return &LinkClaim{Statement: s, Link: l, C: c}, nil
}

// VerifyLinks returns nil when every claim holds and an error otherwise, except with probability 2^-128. All points, T included,
// must be in the subgroup. It checks
//
//	sum over the claims of w (z' g1 + sum_i z_i H_i - T - sum_i c^i M_i) = O
//
// with fresh weights w of 128 bits. With fixed weights two wrong links could cancel each other out. A claim alone needs no
// weight: its check is exact.
//
//spec:id L-04
func VerifyLinks(claims []*LinkClaim) error {
	if len(claims) == 0 {
		return nil
	}
	weights := []weight{multiexp.NewWeight(1, 0, &lambda)}
	if len(claims) > 1 {
		var err error
		if weights, err = multiexp.DrawWeights(len(claims), &lambda); err != nil {
			return err
		}
	}
	if !linksHold(claims, weights) {
		return fault.New(fault.LinkInvalid, "")
	}
	return nil
}

func linksHold(claims []*LinkClaim, weights []weight) bool {
	terms := newG1Sum(len(claims) * (2*hash.MaxLinked + 1))
	var blind Scalar
	for i, k := range claims {
		w := &weights[i].Value
		var e Scalar
		blind.Add(&blind, e.Mul(w, &k.Link.Blind))
		terms.addWeighted(&k.Link.T, &weights[i])
		power := *w
		for j := range k.Statement.H {
			e.Mul(w, &k.Link.Z[j])
			terms.add(&k.Statement.H[j], e.Neg(&e))
			terms.add(&k.Statement.M[j], power.Mul(&power, &k.C))
		}
	}
	left, right := mulBase(&blind), terms.total()
	return left.Equal(&right)
}

// g1Sum adds up multiples of points of the subgroup. Points and scalars are public.
type g1Sum struct {
	points  []G1
	scalars []multiexp.Half
}

// newG1Sum has room for n terms.
func newG1Sum(n int) *g1Sum {
	return &g1Sum{points: make([]G1, 0, 2*n), scalars: make([]multiexp.Half, 0, 2*n)}
}

// add adds s p.
func (t *g1Sum) add(p *G1, s *Scalar) {
	u, v := split(s)
	t.points = append(t.points, *p, g1.Image(p))
	t.scalars = append(t.scalars, u, v)
}

// addWeighted adds p times a weight, which costs half of any other scalar.
func (t *g1Sum) addWeighted(p *G1, w *weight) {
	t.points = append(t.points, *p, g1.Image(p))
	t.scalars = w.AppendHalves(t.scalars)
}

func (t *g1Sum) total() G1 {
	var sum G1
	sum.FromJacobian(&multiexp.Sums[bls.G1Jac](new(g1.Adder), [][]G1{t.points}, t.scalars)[0])
	return sum
}
