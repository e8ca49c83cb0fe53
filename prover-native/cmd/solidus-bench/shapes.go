package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/hash"
	"solidus.io/prover/jubjub"
	"solidus.io/prover/sanction"
)

// shaped are the transfers that claim or pay many, by the names of their circuits.
var shaped = []struct {
	name  string
	shape transfer.Shape
}{{"claim-16", transfer.Claim16}, {"pay-8", transfer.Pay8}}

// shapeSubjects returns the transfer of two coins and one payee, and those of other shapes. Tests replace it.
var shapeSubjects = func() ([]subject, error) {
	single, err := transferSubject()
	if err != nil {
		return nil, err
	}
	all := []subject{single}
	for _, x := range shaped {
		network, err := hash.NetworkTagOf(benchmarkNetwork)
		if err != nil {
			return nil, err
		}
		all = append(all, subject{
			name: x.name, curve: ecc.BLS12_381,
			compile: func() (constraint.ConstraintSystem, error) { return transfer.CompileMany(network, x.shape) },
			draw:    func() (task, error) { return sampleMany(network, x.shape) },
		})
	}
	return all, nil
}

// sampleMany is a transfer of a shape in which every input is a coin and every payee another one is paid, beside a withdrawal.
func sampleMany(network hash.NetworkTag, shape transfer.Shape) (task, error) {
	d, h := &drawing{}, hash.New(network)
	spendKey := d.key()
	plan := &transfer.ManyPlan{
		Network: network, Nk: d.field(), PkAuth: jubjub.MulBase(&spendKey),
		Cc:        transfer.Compliance{Rho: d.field(), Period: 202606, Sent: 1000, Count: 3, Held: 20_000, Com: d.field()},
		Withdrawn: 20, Period: 202606, D: d.field(), Seed: d.field(), EntryR: d.field(),
	}
	for i := range shape.Inputs {
		plan.In = append(plan.In, transfer.Input{Value: 500, Origin: hash.Origin(i % 2), Rho: d.field()})
	}
	for range shape.Payees {
		plan.Payments = append(plan.Payments, transfer.Payment{Recipient: d.field(), Paid: 450})
	}
	for range shape.Outputs() {
		plan.Blindings = append(plan.Blindings, clause.Blinding{S: d.field(), B: d.field()})
	}
	out, err := transfer.PrepareMany(plan)
	if err != nil {
		return nil, err
	}
	w := &transfer.ManyWitness{
		Network: network, Owner: clause.Owner{Nk: plan.Nk, Alpha: d.key()}, Cc: plan.Cc, In: plan.In, Payments: plan.Payments,
		Seed: plan.Seed, EntryR: plan.EntryR, Blindings: plan.Blindings, ShowCcBlind: d.field(),
	}
	_, serialKey := h.Address(plan.Nk, &plan.PkAuth)
	w.Public = transfer.ManyPublic{
		SnCc: h.Serial(serialKey, w.Cc.Rho), Out: out.Out, D: plan.D, Withdrawn: plan.Withdrawn, Period: plan.Period,
		VSent: 3000, VTotal: 10_000, VHeld: 300_000, VEscrow: 2000, VCount: 50,
	}
	cc := h.Compliance(&hash.Compliance{
		Apk: out.Apk, Rho: w.Cc.Rho, Period: w.Cc.Period, Sent: w.Cc.Sent, Count: w.Cc.Count, Held: w.Cc.Held, Com: w.Cc.Com,
	})
	w.Public.ShowCc = d.shown(&cc, &w.ShowCcBlind)
	for _, in := range w.In {
		coin, o := h.Coin(in.Origin, in.Value, out.Apk, in.Rho), d.field()
		w.ShowBlind, w.Public.Show = append(w.ShowBlind, o), append(w.Public.Show, d.shown(&coin, &o))
		w.Public.Sn = append(w.Public.Sn, h.Serial(serialKey, in.Rho))
	}
	if w.Public.Rk, err = w.Owner.RandomisedKey(&plan.PkAuth); err != nil {
		return nil, err
	}
	if err := d.absences(w, out.Apk); err != nil {
		return nil, err
	}
	core := d.core()
	return func() (frontend.Circuit, error) {
		link, err := w.Bind(core)
		if err != nil {
			return nil, err
		}
		defer link.Wipe()
		return w.Assign(link)
	}, d.err
}

func (d *drawing) absences(w *transfer.ManyWitness, apk fr.Element) error {
	tree, err := d.list(w.Network)
	if err != nil {
		return err
	}
	w.Public.Root = tree.Root()
	path := func(apk *fr.Element) (p sanction.Path) {
		found, err := tree.Path(apk)
		if d.keep(err); err == nil {
			p = *found
		}
		return p
	}
	w.SenderPath = path(&apk)
	for j := range w.Payments {
		w.RecipientPaths = append(w.RecipientPaths, path(&w.Payments[j].Recipient))
	}
	return d.err
}

// shapeReport is what the circuit of a shape costs. Times are as in report; those for each coin and each payment are processor time
// of a full transfer, divided by the coins that it claims and the payees that it pays.
type shapeReport struct {
	Circuit              string  `json:"circuit"`
	Coins                int     `json:"coins"`
	Payees               int     `json:"payees"`
	Constraints          int     `json:"constraints"`
	PublicInputs         int     `json:"publicInputs"`
	ProveMillis          float64 `json:"proveMillis"`
	ProveMinMillis       float64 `json:"proveMinMillis"`
	ProveCPUMillis       float64 `json:"proveCpuMillis"`
	CPUMillisEachCoin    float64 `json:"cpuMillisEachCoin"`
	CPUMillisEachPayment float64 `json:"cpuMillisEachPayment"`
	VerifyMillis         float64 `json:"verifyMillis"`
	SetupMillis          int64   `json:"setupMillis"`
	ProvingKeyBytes      int64   `json:"provingKeyBytes"`
	VerifyingKeyBytes    int64   `json:"verifyingKeyBytes"`
	PeakRssBytes         int64   `json:"peakRssBytes"`
}

type shapesReport struct {
	Shapes    []*shapeReport `json:"shapes"`
	Machine   string         `json:"machine"`
	GoVersion string         `json:"goVersion"`
	Cores     int            `json:"cores"`
	Runs      int            `json:"runs"`
}

func parseShapes(args []string, stderr io.Writer) (proofOptions, error) {
	var o proofOptions
	flags := o.flags("shapes", 1, stderr)
	return o, o.parse(flags, args, stderr)
}

// measureShapes measures the circuits of all shapes, with keys as measureProver has them.
func measureShapes(o proofOptions, progress io.Writer) (*shapesReport, error) {
	remove, err := o.withCache()
	if err != nil {
		return nil, err
	}
	defer remove()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.procs))
	all, err := shapeSubjects()
	if err != nil {
		return nil, err
	}
	ready, err := prepareAll(all, o.cache, progress)
	if err != nil {
		return nil, err
	}
	samples, err := proveInTurn(ready, o.runs, progress)
	if err != nil {
		return nil, err
	}
	r := &shapesReport{Machine: describeMachine(), GoVersion: runtime.Version(), Cores: o.procs, Runs: o.runs}
	for i, p := range ready {
		x, err := p.shapeReport(samples[i], o, progress)
		if err != nil {
			return nil, err
		}
		r.Shapes = append(r.Shapes, x)
	}
	return r, nil
}

func (p *prepared) shapeReport(samples []sample, o proofOptions, progress io.Writer) (*shapeReport, error) {
	shape := transfer.Single
	for _, x := range shaped {
		if x.name == p.name {
			shape = x.shape
		}
	}
	f := summary(samples)
	r := &shapeReport{
		Circuit: p.name, Coins: shape.Inputs, Payees: shape.Payees, Constraints: p.system.GetNbConstraints(), PublicInputs: p.publicInputs(),
		ProveMillis: f.wall, ProveMinMillis: f.least, ProveCPUMillis: f.cpu, VerifyMillis: f.verify, SetupMillis: p.keys.setupMillis,
		CPUMillisEachCoin: f.cpu / float64(shape.Inputs), CPUMillisEachPayment: f.cpu / float64(shape.Payees),
	}
	var err error
	if r.ProvingKeyBytes, err = p.keys.proving.WriteRawTo(io.Discard); err != nil {
		return nil, err
	}
	if r.VerifyingKeyBytes, err = p.keys.verifying.WriteRawTo(io.Discard); err != nil {
		return nil, err
	}
	r.PeakRssBytes, err = peakAlone(memoryOptions{p.name, o.cache, o.procs}, progress)
	return r, err
}

func shapesWork(args []string, stdout, stderr io.Writer) (func() error, error) {
	o, err := parseShapes(args, stderr)
	return func() error {
		r, err := measureShapes(o, stderr)
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		if err := deliver(append(text, '\n'), o.json, stdout); err != nil || o.json == "" {
			return err
		}
		for _, x := range r.Shapes {
			if _, err := fmt.Fprintf(stdout, "%s: %d constraints, %.0f ms on %d cores (%.0f ms for each of %d coins, %.0f ms for each of %d payees), "+
				"verified in %.1f ms; proving key %.1f MB, memory %.0f MB\n", x.Circuit, x.Constraints, x.ProveMillis, r.Cores,
				x.CPUMillisEachCoin, x.Coins, x.CPUMillisEachPayment, x.Payees, x.VerifyMillis,
				float64(x.ProvingKeyBytes)/1e6, float64(x.PeakRssBytes)/1e6); err != nil {
				return err
			}
		}
		return nil
	}, err
}
