package simulate

import (
	"crypto/sha512"

	"solidus.io/prover/simulate/fixedbase"
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
	// Payout has its full length. Memo has too, or is nil where each transfer draws its own.
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
		Payout:   f.terms.Payout,
		Memo:     f.terms.Memo,
	}
	if out.Memo == nil {
		out.Memo = make([]byte, statement.MemoBytes)
		draw.Bytes(out.Memo)
	}
	var err error
	if out.Statement.Context, err = f.sim.Network.Context(out.Payout, out.Memo); err != nil {
		return nil, err
	}
	return out, f.complete(out, draw)
}

// complete draws the points, signs and proves. Every point of a transfer is a known multiple of g1, so all of them come from
// one table and share one inversion.
func (f *Forger) complete(out *Forged, draw *Stream) error {
	const outputs, shows = 2, 3
	exponents := make([]suite.Scalar, 0, outputs+3*shows+2)
	for range outputs {
		exponents = append(exponents, draw.Scalar()) // k hides its message perfectly, so any point is a valid one
	}
	for range shows {
		exponents = append(exponents, f.shown(draw)...)
	}
	key, nonce := draw.Scalar(), draw.Scalar()
	points := fixedbase.G1(append(exponents, key, nonce))
	for i := range outputs {
		out.Statement.Outputs = append(out.Statement.Outputs, statement.BlindedCoin{Cm: draw.Field(), K: points[i]})
	}
	for i := range shows {
		p := points[outputs+3*i:]
		out.Evidence.Shows = append(out.Evidence.Shows, suite.Shown{H: p[0], M: p[1], S: p[2]})
	}
	out.Evidence.RK = points[len(points)-2]
	var err error
	if out.Core, err = out.Statement.Core(f.sim.Network); err != nil {
		return err
	}
	if out.Evidence.KeySignature, err = sign(out.Core, &key, &nonce, &out.Evidence.RK, &points[len(points)-1]); err != nil {
		return err
	}
	item := statement.Item{Statement: out.Statement, Evidence: out.Evidence, Limits: &f.terms.Limits, Root: &f.terms.Root}
	out.Evidence.Proof, err = f.sim.ProveTransfer(&item, draw)
	return err
}

// shown draws a signature (h, h^(x + y m)) on a random message and shows it behind o. It returns the exponents of h' = g1^u,
// M' = h'^m g1^o and s” = h'^(x + y m) Y1^o.
func (f *Forger) shown(draw *Stream) []suite.Scalar {
	u, m, o := draw.Scalar(), draw.Scalar(), draw.Scalar()
	var hidden, s, t suite.Scalar
	hidden.Mul(&u, &m).Add(&hidden, &o)
	s.Mul(&f.sim.x, &u)
	t.Mul(&f.sim.y, &hidden)
	s.Add(&s, &t)
	return []suite.Scalar{u, hidden, s}
}

// sign is suite.SignCore with a given nonce and its point, so that a series is reproducible byte by byte.
func sign(core [32]byte, key, nonce *suite.Scalar, rk, commitment *suite.G1) ([]byte, error) {
	r, err := suite.EncodeG1(commitment)
	if err != nil {
		return nil, err
	}
	k, err := suite.EncodeG1(rk)
	if err != nil {
		return nil, err
	}
	h := sha512.New()
	h.Write([]byte("solidus/rk/v1"))
	h.Write(r)
	h.Write(k)
	h.Write(core[:])
	var c suite.Scalar
	c.SetBytes(h.Sum(nil))
	c.Mul(&c, key).Add(&c, nonce)
	return append(r, suite.EncodeScalar(&c)...), nil
}
