package suite

import (
	bls "github.com/consensys/gnark-crypto/ecc/bls12-381"

	"solidus.io/prover/fault"
	"solidus.io/prover/hash"
)

// Scheme is what the rest of the system needs of a threshold blind signature. Another suite replaces this one by implementing
// it. Every method checks its points. Errors carry a code of package fault.
type Scheme interface {
	// Deal makes a key for N = 3f+1 authorities. Only development committees are dealt by one party.
	Deal(f int) (*Dealt, error)
	// BlindBase is h_j, the base of output j of a statement. It depends on all outputs.
	BlindBase(o *Outputs, j int) (G1, error)
	// PrepareBases computes what BlindBase is about to be asked for, at a fraction of the cost.
	PrepareBases(all []*Outputs)
	// Blind returns k = h_j^m g1^b. The exponent m of a message is its hash hm.
	Blind(o *Outputs, j int, hm *Field, b *Scalar) (G1, error)
	// Sign is one authority's partial signature on the blinded coin k of output j.
	Sign(share *Share, o *Outputs, j int, k *G1) (G1, error)
	// SignAll is Sign for many coins at once, with a verdict for each order.
	SignAll(share *Share, orders []OutputsToSign) (signed [][]G1, refused []error, err error)
	// CheckPartial verifies a partial under its signer's keys, before anything is combined.
	CheckPartial(m *Member, o *Outputs, j int, k, partial *G1) error
	// Combine takes exactly 2f+1 checked partials of distinct authorities.
	Combine(c *Committee, partials []Partial) (G1, error)
	// CheckBlinded verifies a combined signature that is still blinded.
	CheckBlinded(c *Committee, o *Outputs, j int, k, combined *G1) error
	// Unblind removes the blinding exponent.
	Unblind(c *Committee, o *Outputs, j int, combined *G1, b *Scalar) (Signature, error)
	// Randomise raises both points to t, which must not be zero.
	Randomise(sig *Signature, t *Scalar) (Signature, error)
	// Verify checks a signature on the message hash hm.
	Verify(c *Committee, hm *Field, sig *Signature) error
	// Show re-randomises by t and hides the message behind o.
	Show(c *Committee, sig *Signature, hm *Field, t, o *Scalar) (Shown, error)
	// VerifyShown checks shown signatures. It fails unless all of them hold.
	VerifyShown(c *Committee, shown ...Shown) error
	// ShownHold is VerifyShown for presentations whose points are already checked, their subgroup included.
	ShownHold(c *Committee, shown []Shown) error
}

// Outputs is what the bases of a statement's outputs depend on.
type Outputs = hash.Outputs

// maxOutputs is what the encodings of the number of outputs and of j have room for.
const maxOutputs = 255

// Signature is (h^t, h^{t(x + y m)}).
type Signature struct{ S1, S2 G1 }

// Shown is a presentation (h', M', s”) that reveals neither the message nor the signature it was made from.
type Shown struct{ H, M, S G1 }

// Partial is one authority's partial signature.
type Partial struct {
	Index int
	Point G1
}

// PointchevalSanders implements Scheme for one network.
type PointchevalSanders struct{ hasher *hash.Hasher }

var _ Scheme = (*PointchevalSanders)(nil)

// New returns the scheme of the network that the hasher belongs to.
func New(hasher *hash.Hasher) *PointchevalSanders { return &PointchevalSanders{hasher: hasher} }

// BlindBase hashes the outputs and j to the group.
func (s *PointchevalSanders) BlindBase(o *Outputs, j int) (G1, error) {
	if j < 0 || j >= len(o.Cms) || len(o.Cms) > maxOutputs {
		return G1{}, fault.Newf(fault.MalformedRequest, "output %d of %d", j, len(o.Cms))
	}
	key := s.baseKey(o, j)
	if h, ok := bases.get(&key); ok {
		return h, nil
	}
	h, err := s.hasher.CoinBase(o, j)
	if err != nil {
		return G1{}, fault.New(fault.Internal, "hash to curve")
	}
	if h, err = finite(h, "h"); err == nil {
		bases.put(&key, h)
	}
	return h, err
}

// PrepareBases fills the cache that BlindBase looks into first. It leaves errors to BlindBase.
func (s *PointchevalSanders) PrepareBases(all []*Outputs) {
	var missing []*Outputs
	var js []int
	var keys []baseKey
	for _, o := range all {
		for j := 0; j < len(o.Cms) && len(o.Cms) <= maxOutputs; j++ {
			key := s.baseKey(o, j)
			if _, ok := bases.get(&key); !ok {
				missing, js, keys = append(missing, o), append(js, j), append(keys, key)
			}
		}
	}
	points, err := s.hasher.CoinBases(missing, js)
	if err != nil {
		return
	}
	for i := range points {
		if !points[i].IsInfinity() {
			bases.put(&keys[i], points[i])
		}
	}
}

// Blind computes k. The wallet proves in zero knowledge that k hides the message its statement describes.
func (s *PointchevalSanders) Blind(o *Outputs, j int, hm *Field, b *Scalar) (G1, error) {
	h, err := s.BlindBase(o, j)
	if err != nil {
		return G1{}, err
	}
	return finite(add(mul(&h, hm), mulBase(b)), "k")
}

// Sign computes h_j from the values of the statement, so a caller cannot choose the base.
//
//spec:id S-03
func (s *PointchevalSanders) Sign(share *Share, o *Outputs, j int, k *G1) (G1, error) {
	if err := CheckOnCurve(k); err != nil {
		return G1{}, err
	}
	if !KnownInSubgroup([]*G1{k}) {
		return G1{}, fault.New(fault.PointNotInSubgroup, "")
	}
	h, err := s.BlindBase(o, j)
	if err != nil {
		return G1{}, err
	}
	return share.sign(&h, k)
}

// CheckPartial returns an error that names the signer of a wrong partial signature by its index.
//
//spec:id S-04
func (s *PointchevalSanders) CheckPartial(m *Member, o *Outputs, j int, k, partial *G1) error {
	ok, err := s.blindedHolds(&m.X, &m.Y, o, j, k, partial)
	if err != nil {
		return err
	}
	if !ok {
		return fault.Newf(fault.PartialInvalid, "authority %d", m.Index)
	}
	return nil
}

// Combine interpolates in the exponent.
//
//spec:id S-05
func (s *PointchevalSanders) Combine(c *Committee, partials []Partial) (G1, error) {
	if len(partials) != c.Quorum() {
		return G1{}, fault.Newf(fault.QuorumSize, "%d partials, %d needed", len(partials), c.Quorum())
	}
	indices, points := make([]int, len(partials)), make([]G1, len(partials))
	for i, p := range partials {
		if p.Index < 1 || p.Index > c.N() {
			return G1{}, fault.Newf(fault.IndexOutOfRange, "authority %d of %d", p.Index, c.N())
		}
		indices[i], points[i] = p.Index, p.Point
	}
	weights, err := lagrange(indices, 0)
	if err != nil {
		return G1{}, err
	}
	for i := range points {
		if err := CheckG1(&points[i]); err != nil {
			return G1{}, err
		}
	}
	return finite(combineG1(points, weights), "combined signature")
}

// CheckBlinded verifies the result of Combine under the committee key.
func (s *PointchevalSanders) CheckBlinded(c *Committee, o *Outputs, j int, k, combined *G1) error {
	ok, err := s.blindedHolds(&c.X, &c.Y, o, j, k, combined)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.SignatureInvalid, "combined signature")
	}
	return nil
}

// blindedHolds checks e(sig, g2) = e(h, X) e(k, Y).
func (s *PointchevalSanders) blindedHolds(x, y *G2, o *Outputs, j int, k, sig *G1) (bool, error) {
	for _, p := range []*G1{k, sig} {
		if err := CheckG1(p); err != nil {
			return false, err
		}
	}
	h, err := s.BlindBase(o, j)
	if err != nil {
		return false, err
	}
	return pairingHolds(&h, x, k, y, sig), nil
}

// Unblind returns a signature on the message that k hides. Callers must verify it before they rely on it.
//
//spec:id S-06
func (s *PointchevalSanders) Unblind(c *Committee, o *Outputs, j int, combined *G1, b *Scalar) (Signature, error) {
	if err := CheckG1(combined); err != nil {
		return Signature{}, err
	}
	h, err := s.BlindBase(o, j)
	if err != nil {
		return Signature{}, err
	}
	mask := mul(&c.Y1, b)
	mask.Neg(&mask)
	s2, err := finite(add(*combined, mask), "unblinded signature")
	if err != nil {
		return Signature{}, err
	}
	return Signature{S1: h, S2: s2}, nil
}

// Randomise makes a signature unlinkable to the one it came from.
//
//spec:id S-08
func (s *PointchevalSanders) Randomise(sig *Signature, t *Scalar) (Signature, error) {
	if t.IsZero() {
		return Signature{}, fault.New(fault.ScalarZero, "t")
	}
	if err := checkSignature(sig); err != nil {
		return Signature{}, err
	}
	return Signature{S1: mul(&sig.S1, t), S2: mul(&sig.S2, t)}, nil
}

// Verify checks e(s2, g2) = e(s1, X) e(s1^m, Y).
//
//spec:id S-07
func (s *PointchevalSanders) Verify(c *Committee, hm *Field, sig *Signature) error {
	if err := checkSignature(sig); err != nil {
		return err
	}
	opened := mul(&sig.S1, hm)
	if !pairingHolds(&sig.S1, &c.X, &opened, &c.Y, &sig.S2) {
		return fault.New(fault.SignatureInvalid, "")
	}
	return nil
}

func checkSignature(sig *Signature) error {
	if err := CheckG1(&sig.S1); err != nil {
		return err
	}
	return CheckG1(&sig.S2)
}

// pairingHolds checks e(s, g2) = e(h, x) e(m, y) for points that are already checked.
func pairingHolds(h *G1, x *G2, m *G1, y *G2, s *G1) bool {
	_, _, _, g2 := bls.Generators()
	var minus G1
	minus.Neg(s)
	ok, err := bls.PairingCheck([]G1{*h, *m, minus}, []G2{*x, *y, g2})
	return err == nil && ok
}

func finite(p G1, what string) (G1, error) {
	if p.IsInfinity() {
		return G1{}, fault.New(fault.IdentityPoint, what)
	}
	return p, nil
}
