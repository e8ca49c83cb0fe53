package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"

	"solidus.io/prover/cabi"
	"solidus.io/prover/groth"
	"solidus.io/prover/simulate"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// batchSizes are the measured sizes. The stages are measured at stagesAt.
var batchSizes = []int{1, 4, 16, 64, 256}

const (
	stagesAt = 64
	// perSample is the number of transfers in a sample of a small batch size, so that the sample is long enough to measure.
	perSample = 64
	oneByOne  = 24
)

type verifyOptions struct {
	rounds     int
	json, plot string
}

func parseVerify(args []string, stderr io.Writer) (verifyOptions, error) {
	var o verifyOptions
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rounds, "rounds", 9, "rounds over all batch sizes")
	flags.StringVar(&o.json, "json", "", "file for the result; without one it is printed")
	flags.StringVar(&o.plot, "plot", "", "file for a plot (SVG)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.rounds < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "--rounds must be at least 1, without further arguments")
		return o, errors.New("usage")
	}
	return o, nil
}

// pipeline is a validator without its storage: from a request's bytes to the encoded signatures on both outputs.
type pipeline struct {
	paper    *paperProof
	setting  *simulate.Setting
	verifier *statement.Verifier
	forger   *simulate.Forger
	terms    simulate.Terms
	next     uint64 // no transfer is used twice, so no cache helps
}

func newPipeline() (*pipeline, error) {
	s, err := simulate.NewSetting("solidus-bench", 1)
	if err != nil {
		return nil, err
	}
	p := &pipeline{setting: s, terms: simulate.Terms{
		Period: 202611, Payout: make([]byte, statement.PayoutBytes),
		Limits: statement.Limits{
			MaxPerTransfer: 100_000, MaxPerPeriod: 500_000, MaxHeld: 1_000_000, MaxEscrow: 50_000, MaxTransfersPerPeriod: 50,
		},
	}}
	if p.paper, err = newPaperProof(); err != nil {
		return nil, err
	}
	p.terms.Root.SetUint64(4711)
	p.forger = simulate.NewForger(s.Simulator, [32]byte{1}, p.terms)
	p.verifier, err = s.Verifier()
	return p, err
}

// items forges new transfers.
func (p *pipeline) items(n int) ([]statement.Item, error) {
	items := make([]statement.Item, n)
	for i := range items {
		x, err := p.forger.Transfer(p.next, 0)
		if err != nil {
			return nil, err
		}
		p.next++
		items[i] = statement.Item{Statement: x.Statement, Evidence: x.Evidence, Limits: &p.terms.Limits, Root: &p.terms.Root}
	}
	return items, nil
}

// frames returns items as the bridge receives them from Java.
func (p *pipeline) frames(n int) ([][]byte, error) {
	items, err := p.items(n)
	if err != nil {
		return nil, err
	}
	frames := make([][]byte, n)
	for i := range items {
		if frames[i], err = cabi.EncodeTransfer(&items[i]); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// split is the time of a batch by stage.
type split struct{ decode, verify, sign reading }

func (s *split) total() reading {
	return reading{s.decode.wall + s.verify.wall + s.sign.wall, s.decode.cpu + s.verify.cpu + s.sign.cpu}
}

func (s *split) add(o split) {
	s.decode.add(o.decode)
	s.verify.add(o.verify)
	s.sign.add(o.sign)
}

// run processes one batch. It fails unless every transfer is accepted.
func (p *pipeline) run(frames [][]byte) (s split, err error) {
	items := make([]statement.Item, len(frames))
	watch := start()
	for i := range frames {
		if items[i], err = cabi.DecodeTransfer(frames[i]); err != nil {
			return s, err
		}
	}
	s.decode = watch.lap()
	for _, verdict := range p.verifier.VerifyTransfers(items) {
		if verdict != nil {
			return s, verdict
		}
	}
	s.verify = watch.lap()
	err = p.sign(items)
	s.sign = watch.lap()
	return s, err
}

// sign makes one authority's partial signatures on all outputs, encoded.
func (p *pipeline) sign(items []statement.Item) error {
	orders := make([]suite.OutputsToSign, len(items))
	for i := range items {
		orders[i].D, orders[i].Period = items[i].Statement.InputDigest(p.setting.Network), items[i].Statement.Period
		for _, coin := range items[i].Statement.Outputs {
			orders[i].Coins = append(orders[i].Coins, suite.Blinded{Cm: coin.Cm, K: coin.K})
		}
	}
	signed, refused, err := p.setting.Network.Scheme().SignAll(p.setting.Shares[0], orders)
	if err != nil {
		return err
	}
	for i := range signed {
		if refused[i] != nil {
			return refused[i]
		}
		for j := range signed[i] {
			if _, err := suite.EncodeG1(&signed[i][j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// library verifies proofs of transfers with gnark's own Verify, one after the other. The links are not verified.
func (p *pipeline) library(n int) (reading, error) {
	items, err := p.items(n)
	if err != nil {
		return reading{}, err
	}
	_, claims, err := p.claims(items)
	if err != nil {
		return reading{}, err
	}
	proofs := make([]*groth16.Proof, n)
	for i, c := range claims {
		proofs[i] = &groth16.Proof{Ar: c.Proof.A, Bs: c.Proof.B, Krs: c.Proof.C}
	}
	watch := start()
	for i := range proofs {
		if err := groth16.Verify(proofs[i], p.setting.Transfer, fr.Vector(claims[i].Public)); err != nil {
			return reading{}, err
		}
	}
	return watch.lap(), nil
}

// claims returns the links and the proofs of transfers, with the public inputs that a validator assembles.
func (p *pipeline) claims(items []statement.Item) ([]*suite.LinkClaim, []groth.Claim, error) {
	links, proofs := make([]*suite.LinkClaim, len(items)), make([]groth.Claim, len(items))
	for i := range items {
		s, e := items[i].Statement, items[i].Evidence
		proof, err := statement.DecodeProof(s.Family, e.Proof)
		if err != nil {
			return nil, nil, err
		}
		linked, err := p.linked(s, e)
		if err != nil {
			return nil, nil, err
		}
		if links[i], err = suite.NewLinkClaim(linked, proof.Link); err != nil {
			return nil, nil, err
		}
		proofs[i] = groth.Claim{
			Proof: proof.Groth, Public: statement.TransferPublic(s, e, &linked.D, links[i], items[i].Limits, items[i].Root),
		}
	}
	return links, proofs, nil
}

// linked lists the linked points of a transfer: those of the shown signatures, then the outputs.
func (p *pipeline) linked(s *statement.Transfer, e *statement.Evidence) (*suite.LinkStatement, error) {
	core, err := s.Core(p.setting.Network)
	if err != nil {
		return nil, err
	}
	bases, err := p.bases(s)
	if err != nil {
		return nil, err
	}
	l := &suite.LinkStatement{Core: core, D: s.InputDigest(p.setting.Network), RK: &e.RK}
	for i := range e.Shows {
		l.H, l.M = append(l.H, e.Shows[i].H), append(l.M, e.Shows[i].M)
	}
	for j := range s.Outputs {
		l.H, l.M = append(l.H, bases[j]), append(l.M, s.Outputs[j].K)
	}
	return l, nil
}

// bases does not use the scheme, which has a cache of recent values.
func (p *pipeline) bases(s *statement.Transfer) ([]suite.G1, error) {
	bases, outputs := make([]suite.G1, len(s.Outputs)), s.Bases(p.setting.Network)
	for j := range bases {
		var err error
		if bases[j], err = p.setting.Network.Hasher().CoinBase(outputs, j); err != nil {
			return nil, err
		}
	}
	return bases, nil
}

// part is a stage of verification that is measured alone.
type part struct {
	name string
	work func() error
}

// parts returns the stages of the verification of a batch, on transfers of their own.
func (p *pipeline) parts() ([]part, error) {
	items, err := p.items(stagesAt)
	if err != nil {
		return nil, err
	}
	links, proofs, err := p.claims(items)
	if err != nil {
		return nil, err
	}
	var points []*suite.G1
	var shown []suite.Shown
	for i := range items {
		points, shown = append(points, &links[i].Link.T), append(shown, items[i].Evidence.Shows...)
		for j := range items[i].Statement.Outputs {
			points = append(points, &items[i].Statement.Outputs[j].K)
		}
	}
	for i := range shown {
		points = append(points, shown[i].Points()...)
	}
	scheme := p.setting.Network.Scheme()
	return []part{
		{"verifySubgroups", func() error {
			if !suite.InSubgroup(points) {
				return errors.New("a forged point is not in the subgroup")
			}
			return nil
		}},
		{"verifyKeySignatures", func() error { return keysSign(items, links) }},
		{"verifyShownSignatures", func() error { return scheme.ShownHold(p.setting.Committee, shown) }},
		{"verifyOutputBases", func() error { return p.hash(items) }},
		{"verifyLinks", func() error { return suite.VerifyLinks(links) }},
		{"verifyProofs", func() error { return errors.Join(p.setting.Keys.Transfer.Key.VerifyEach(proofs)...) }},
	}, nil
}

// keysSign checks the payers' keys and their signatures of the cores.
func keysSign(items []statement.Item, links []*suite.LinkClaim) error {
	keys := make([]*suite.KeyClaim, len(items))
	for i := range items {
		e := items[i].Evidence
		var err error
		if keys[i], err = suite.NewKeyClaim(&e.RK, links[i].Statement.Core, e.KeySignature); err != nil {
			return err
		}
	}
	return suite.VerifyKeyClaims(keys)
}

func (p *pipeline) hash(items []statement.Item) error {
	for i := range items {
		if _, err := p.bases(items[i].Statement); err != nil {
			return err
		}
	}
	return nil
}

// refusesAltered checks that the measured verification can fail.
func (p *pipeline) refusesAltered() error {
	items, err := p.items(2)
	if err != nil {
		return err
	}
	items[1].Evidence.Proof = items[0].Evidence.Proof
	if verdicts := p.verifier.VerifyTransfers(items); verdicts[0] != nil || verdicts[1] == nil {
		return errors.New("a proof was accepted for another transfer")
	}
	return nil
}

// measureVerify measures everything in turn, round by round, so that other load on the machine affects all alike. It uses one
// processor throughout: a validator runs one batch on each.
func measureVerify(o verifyOptions, progress io.Writer) (*verifyReport, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p, err := newPipeline()
	if err != nil {
		return nil, err
	}
	if err := p.refusesAltered(); err != nil {
		return nil, err
	}
	m := newMeasurements()
	for round := range o.rounds + 1 {
		begin := time.Now()
		if err := p.round(m); err != nil {
			return nil, err
		}
		if round == 0 {
			m = newMeasurements() // the first round filled tables and caches
			continue
		}
		fmt.Fprintf(progress, "round %d of %d took %.1f s\n", round, o.rounds, time.Since(begin).Seconds())
	}
	return m.report(o.rounds), nil
}

func (p *pipeline) round(m *measurements) error {
	r, err := p.paper.verify(oneByOne)
	if err != nil {
		return err
	}
	m.note("paper", r, oneByOne)
	if r, err = p.library(oneByOne); err != nil {
		return err
	}
	m.note("library", r, oneByOne)
	for _, size := range batchSizes {
		batches := max(1, perSample/size)
		var sum split
		for range batches {
			frames, err := p.frames(size)
			if err != nil {
				return err
			}
			s, err := p.run(frames)
			if err != nil {
				return err
			}
			sum.add(s)
		}
		n := batches * size
		m.note("batch "+strconv.Itoa(size), sum.total(), n)
		if size == stagesAt {
			m.note("decode", sum.decode, n)
			m.note("verify", sum.verify, n)
			m.note("sign", sum.sign, n)
		}
	}
	parts, err := p.parts()
	if err != nil {
		return err
	}
	for _, part := range parts {
		watch := start()
		if err := part.work(); err != nil {
			return err
		}
		m.note(part.name, watch.lap(), stagesAt)
	}
	return nil
}
