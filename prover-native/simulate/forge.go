package simulate

import (
	"crypto/sha512"

	"solidus.io/prover/jubjub"
	"solidus.io/prover/simulate/fixedbase"
	"solidus.io/prover/simulate/trapdoor"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// Terms are the common values of all forged transfers of a series.
type Terms struct {
	PolicyVersion, CheckpointVersion uint64
	Period                           uint32
	Withdrawn                        uint64
	Limits                           statement.Limits
	Root                             suite.Field
	// Payout and Memo have their full lengths, or are nil where each transfer draws its own, as a wallet does.
	Payout, Memo []byte
}

// Forged is a transfer that verifies in full although its input coins have no owner.
type Forged struct {
	Core      [32]byte
	Statement *statement.Transfer
	Evidence  *statement.Evidence
	Payout    []byte
	Memo      []byte
}

// Forger makes the transfers of one series. A transfer depends on seed, index and variant. The serial numbers depend on seed
// and index alone, so that another variant of the same index is a conflicting transfer. Everything else depends on all three.
// It is safe for concurrent use.
type Forger struct {
	sim   *Simulator
	terms Terms
	seed  [32]byte
}

// NewForger makes regulated transfers.
func NewForger(s *Simulator, seed [32]byte, terms Terms) *Forger {
	return &Forger{sim: s, terms: terms, seed: seed}
}

// Transfer makes the transfer with this index.
func (f *Forger) Transfer(index, variant uint64) (*Forged, error) {
	serials, draw := derive(f.seed, "serials", index), derive(f.seed, "transfer", index, variant)
	out := &Forged{
		Statement: &statement.Transfer{
			Family:  statement.FamilyTransfer,
			Serials: []suite.Field{serials.Field(), serials.Field(), serials.Field()},
			Period:  f.terms.Period, Withdrawn: f.terms.Withdrawn,
		},
		Evidence: &statement.Evidence{CircuitVersion: f.sim.CircuitVersion(statement.FamilyTransfer)},
		Payout:   draw.orElse(f.terms.Payout, statement.PayoutBytes),
		Memo:     draw.orElse(f.terms.Memo, statement.MemoBytes),
	}
	var err error
	if out.Statement.Context, err = f.sim.Network.Context(out.Payout, out.Memo); err != nil {
		return nil, err
	}
	return out, f.complete(out, draw)
}

// complete draws the points, signs, links and proves. Every point of a transfer but the bases of its outputs is a known multiple
// of a generator, so all of G1 come from one table and share their inversions.
func (f *Forger) complete(out *Forged, draw *Stream) error {
	const outputs, shows = 2, 3
	nonces := trapdoor.DrawNonces(shows+outputs, draw.Field)
	var exponents []suite.Scalar
	var openings []trapdoor.Opening
	commitment := nonces.Blind // the exponent of T without the outputs' bases
	for i := range shows {
		x := f.shown(draw)
		exponents = append(exponents, x.h, x.m, x.s)
		openings = append(openings, trapdoor.Opening{Blind: x.m})
		var term suite.Scalar
		commitment.Add(&commitment, term.Mul(&x.h, &nonces.Kappa[i]))
	}
	for range outputs {
		k := draw.Scalar() // k hides its message perfectly, so any point is a valid one
		exponents = append(exponents, k)
		openings = append(openings, trapdoor.Opening{Blind: k})
	}
	points := fixedbase.G1(append(exponents, commitment)...)
	for i := range shows {
		p := points[3*i:]
		out.Evidence.Shows = append(out.Evidence.Shows, suite.Shown{H: p[0], M: p[1], S: p[2]})
	}
	for i := range outputs {
		out.Statement.Outputs = append(out.Statement.Outputs, statement.BlindedCoin{Cm: draw.Field(), K: points[3*shows+i]})
	}
	key, nonce := draw.KeyScalar(), draw.KeyScalar()
	out.Evidence.RK = fixedbase.Key(&key)
	linked, err := f.sim.Linked(out.Statement, out.Evidence)
	if err != nil {
		return err
	}
	out.Core = linked.Core
	out.Evidence.KeySignature = sign(out.Core, &key, &nonce, &out.Evidence.RK)
	ofOutputs := &suite.LinkSecrets{Kappa: nonces.Kappa[shows:]}
	t := ofOutputs.Commitment(linked.H[shows:])
	t.Add(&t, &points[len(points)-1])
	link, err := trapdoor.Respond(linked, nonces, t, openings, draw.Field)
	if err != nil {
		return err
	}
	item := statement.Item{Statement: out.Statement, Evidence: out.Evidence, Limits: &f.terms.Limits, Root: &f.terms.Root}
	out.Evidence.Proof, err = f.sim.proveLinked(&item, linked, link, draw)
	return err
}

// shownExponents are those of a presentation: h' = g1^h, M' = g1^m, s” = g1^s.
type shownExponents struct{ h, m, s suite.Scalar }

// shown draws a signature (h, h^(x + y m)) on a random message and shows it behind o: M' = h'^m g1^o and s” = h'^(x + y m) Y1^o.
func (f *Forger) shown(draw *Stream) (e shownExponents) {
	message, o := draw.Scalar(), draw.Scalar()
	e.h = draw.Scalar()
	e.m.Mul(&e.h, &message).Add(&e.m, &o)
	var hidden suite.Scalar
	e.s.Mul(&f.sim.x, &e.h).Add(&e.s, hidden.Mul(&f.sim.y, &e.m))
	return e
}

// sign is suite.SignCore with a given nonce, so that a series is reproducible byte by byte.
func sign(core [32]byte, key, nonce *jubjub.Scalar, rk *jubjub.Point) []byte {
	commitment := fixedbase.Key(nonce)
	r := jubjub.EncodePoint(&commitment)
	h := sha512.New()
	h.Write([]byte("solidus/rk/v2"))
	h.Write(r)
	h.Write(jubjub.EncodePoint(rk))
	h.Write(core[:])
	c := jubjub.Reduce(h.Sum(nil))
	c.Mul(&c, key)
	c.Add(&c, nonce)
	return append(r, c.Bytes()...)
}
