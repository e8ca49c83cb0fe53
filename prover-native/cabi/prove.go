package cabi

import (
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/circuits/mint"
	"solidus.io/prover/circuits/register"
	"solidus.io/prover/circuits/transfer"
	"solidus.io/prover/circuits/unregulated"
	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/sanction"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// witnessVersion is the first byte of every witness, its family the second.
const witnessVersion = 2

// job is a checked witness: the assignment of the circuit, the public inputs that a validator assembles, and the link.
type job struct {
	assignment frontend.Circuit
	public     []suite.Field
	link       *clause.Link
}

// prove checks the witness on plain values before it spends seconds on a proof, so that an error names its reason.
func prove(r *reader, w *writer) error {
	set, family := lookup[*openSet](r), statement.Family(r.u8())
	body := &reader{in: r.sized()}
	if err := r.end(); err != nil {
		return err
	}
	if body.u8() != witnessVersion || statement.Family(body.u8()) != family || body.err != nil {
		return fault.New(fault.MalformedRequest, "not a witness of this family and version")
	}
	if _, err := set.Entry(family); err != nil {
		return err
	}
	j, err := readJob(set.Set, family, body)
	if err != nil {
		return invalid(err)
	}
	defer j.link.Wipe()
	proof, err := set.Prove(family, j.assignment, j.public)
	if err != nil {
		return err
	}
	w.bytes(proof)
	w.keep(suite.EncodeLink(&j.link.Shown))
	return nil
}

// readJob reads the core that the proof is for, and the witness.
//
//spec:id F-45
func readJob(set *keys.Set, family statement.Family, r *reader) (*job, error) {
	core := r.array32()
	switch family {
	case statement.FamilyTransfer:
		return transferJob(set, core, r)
	case statement.FamilyTransferUnregulated:
		return unregulatedJob(set, core, r)
	case statement.FamilyRegister:
		return registerJob(set, core, r)
	case statement.FamilyMint:
		return mintJob(set, core, r)
	case statement.FamilyRecover:
		return recoverJob(set, core, r)
	case statement.FamilyClaim16, statement.FamilyPay8:
		return shapeJob(set, family, core, r)
	default:
		return nil, fault.Newf(fault.WrongFamily, "%d", family)
	}
}

// presentation is a shown signature with its opening.
type presentation struct {
	shown   suite.Shown
	opening suite.Scalar
	message suite.Field
}

func (r *reader) presentation() presentation {
	return presentation{
		shown:   suite.Shown{H: r.point(), M: r.point(), S: r.point()},
		opening: r.scalar(),
		message: r.field(),
	}
}

func (r *reader) path() sanction.Path {
	var p sanction.Path
	copy(p.Low[:], r.take(sanction.KeyBytes))
	copy(p.High[:], r.take(sanction.KeyBytes))
	p.Index = r.u32()
	for level := range p.Siblings {
		p.Siblings[level][0], p.Siblings[level][1] = r.field(), r.field()
	}
	return p
}

func (r *reader) limits() *statement.Limits {
	return &statement.Limits{
		MaxPerTransfer: r.u64(), MaxPerPeriod: r.u64(), MaxHeld: r.u64(), MaxEscrow: r.u64(), MaxTransfersPerPeriod: r.u32(),
	}
}

func transferJob(set *keys.Set, core [32]byte, r *reader) (*job, error) {
	plan, alpha := r.transferPlan(set.Network), r.keyScalar()
	shows := make([]presentation, 3)
	for i := range shows {
		shows[i] = r.presentation()
	}
	limits, root := r.limits(), r.field()
	sender, recipient := r.path(), r.path()
	if err := r.end(); err != nil {
		return nil, err
	}
	defer func() { *plan = transfer.Plan{} }()
	out, err := transfer.Prepare(plan)
	if err != nil {
		return nil, err
	}
	rk, err := suite.RandomisedKey(&plan.PkAuth, &alpha)
	if err != nil {
		return nil, err
	}
	if err := checkShownMessages(set, out.Apk, &plan.Cc, plan.In[:], shows); err != nil {
		return nil, err
	}
	h := set.Network.Hasher()
	w := &transfer.Witness{
		Network: plan.Network, Owner: clause.Owner{Nk: plan.Nk, Alpha: alpha}, Cc: plan.Cc, In: plan.In, Paid: plan.Paid,
		Escrow: plan.Escrow, Recipient: plan.Recipient, Seed: plan.Seed, EntryR: plan.EntryR, Blindings: plan.Blindings,
		ShowCcBlind: shows[0].opening, ShowBlind: [2]suite.Scalar{shows[1].opening, shows[2].opening},
		SenderPath: sender, RecipientPath: recipient,
	}
	serialKey := h.SerialKey(plan.Nk, &plan.PkAuth)
	w.Public = transfer.Public{
		SnCc:   h.Serial(serialKey, plan.Cc.Rho),
		Sn:     [2]suite.Field{h.Serial(serialKey, plan.In[0].Rho), h.Serial(serialKey, plan.In[1].Rho)},
		Out:    out.Out,
		ShowCc: clause.Shown{H: shows[0].shown.H, M: shows[0].shown.M},
		Show: [2]clause.Shown{
			{H: shows[1].shown.H, M: shows[1].shown.M}, {H: shows[2].shown.H, M: shows[2].shown.M},
		},
		Rk: rk, D: plan.D, Withdrawn: plan.Withdrawn, Period: plan.Period, Root: root,
		VSent: limits.MaxPerTransfer, VTotal: limits.MaxPerPeriod, VHeld: limits.MaxHeld, VEscrow: limits.MaxEscrow,
		VCount: limits.MaxTransfersPerPeriod,
	}
	defer w.Wipe()
	if err := checkOpenings(shows); err != nil {
		return nil, err
	}
	link, err := w.Bind(core)
	if err != nil {
		return nil, err
	}
	assignment, err := w.Assign(link)
	if err == nil {
		err = transfer.Check(assignment)
	}
	if err != nil {
		link.Wipe()
		return nil, err
	}
	return &job{assignment, w.Public.Vector(link), link}, nil
}

// checkOpenings compares the shown signatures with their openings. A mistake would only appear as a link that does not hold.
func checkOpenings(shows []presentation) error {
	for i := range shows {
		s := clause.Shown{H: shows[i].shown.H, M: shows[i].shown.M}
		if !s.Hides(&shows[i].message, &shows[i].opening) {
			return fault.Newf(fault.WitnessInvalid, "shown signature %d does not open to its message", i)
		}
	}
	return nil
}

// checkShownMessages compares the messages that the caller claims to show with the hashes of its coins. Without this check a
// mistake would only appear as an unsatisfied circuit.
func checkShownMessages(set *keys.Set, apk suite.Field, spent *transfer.Compliance, in []transfer.Input, shows []presentation) error {
	cc := complianceHash(set.Network, &apk, spent)
	for i := range shows {
		want := cc // of the compliance coin, and of a dummy
		if i > 0 && !in[i-1].Dummy {
			want = messageOf(set.Network, statement.Regulated, in[i-1].Origin, in[i-1].Value, apk, in[i-1].Rho)
		}
		if !want.Equal(&shows[i].message) {
			return fault.Newf(fault.WitnessInvalid, "shown message %d is not of this coin", i)
		}
	}
	return nil
}

func registerJob(set *keys.Set, core [32]byte, r *reader) (*job, error) {
	p := r.registrationPlan()
	p.witness.Owner.Alpha = r.keyScalar()
	if err := r.end(); err != nil {
		return nil, err
	}
	defer p.witness.Wipe()
	h := set.Network.Hasher()
	public, err := register.Prepare(h, &p.pkAuth, &p.d, &p.witness)
	if err != nil {
		return nil, err
	}
	link, err := register.Bind(h, core, public, &p.witness)
	if err != nil {
		return nil, err
	}
	if err := register.Check(h, public, &p.witness, link); err != nil {
		link.Wipe()
		return nil, err
	}
	return &job{register.Assign(public, &p.witness, link), public.Vector(link), link}, nil
}

func mintJob(set *keys.Set, core [32]byte, r *reader) (*job, error) {
	p, kind := r.mintPlan(), mintKind(set.Kind)
	if err := r.end(); err != nil {
		return nil, err
	}
	defer p.witness.Wipe()
	h := set.Network.Hasher()
	public, err := mint.Prepare(h, kind, p.value, &p.d, &p.witness)
	if err != nil {
		return nil, err
	}
	link, err := mint.Bind(h, kind, core, public, &p.witness)
	if err != nil {
		return nil, err
	}
	if err := mint.Check(h, kind, public, &p.witness, link); err != nil {
		link.Wipe()
		return nil, err
	}
	return &job{mint.Assign(public, &p.witness, link), public.Vector(link), link}, nil
}

func unregulatedJob(set *keys.Set, core [32]byte, r *reader) (*job, error) {
	p := r.unregulatedPlan()
	p.witness.Owner.Alpha = r.keyScalar()
	var shows [2]presentation
	for i := range shows {
		shows[i] = r.presentation()
		p.witness.Inputs[i].Blind = shows[i].opening
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	defer p.witness.Wipe()
	if _, err := p.outputs(set.Network); err != nil {
		return nil, err
	}
	h := set.Network.Hasher()
	public, err := unregulated.Prepare(h, &unregulated.Spend{
		PkAuth: p.pkAuth, D: p.d, Period: p.period, Withdrawn: p.withdrawn, Bases: [2]suite.G1{shows[0].shown.H, shows[1].shown.H},
	}, &p.witness)
	if err != nil {
		return nil, err
	}
	for i := range shows {
		if !public.Shown[i].M.Equal(&shows[i].shown.M) {
			return nil, fault.Newf(fault.WitnessInvalid, "shown signature %d does not open to its coin", i)
		}
	}
	link, err := unregulated.Bind(h, core, public, &p.witness)
	if err != nil {
		return nil, err
	}
	if err := unregulated.Check(h, public, &p.witness, link); err != nil {
		link.Wipe()
		return nil, err
	}
	return &job{unregulated.Assign(h, public, &p.witness, link), public.Vector(link), link}, nil
}
