package main

import (
	"fmt"
	"io"
	"runtime"

	"solidus.io/prover/internal/machine"
)

// proverOptions are the flags of the subcommand.
type proverOptions struct {
	proofOptions
	plot string
}

func parseProver(args []string, stderr io.Writer) (proverOptions, error) {
	var o proverOptions
	flags := o.flags("prover", runtime.NumCPU(), stderr)
	flags.StringVar(&o.plot, "plot", "", "file for a plot (SVG)")
	return o, o.parse(flags, args, stderr)
}

// measureProver measures both circuits with keys from the cache. Without a cache it makes them anew, in a folder that it removes.
func measureProver(o proverOptions, progress io.Writer) (*report, error) {
	remove, err := o.withCache()
	if err != nil {
		return nil, err
	}
	defer remove()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.procs))
	all, err := subjects()
	if err != nil {
		return nil, err
	}
	ready, err := prepareAll(all[:], o.cache, progress)
	if err != nil {
		return nil, err
	}
	r, err := compare(ready, o, progress)
	if err != nil {
		return nil, err
	}
	return r, r.sizes(ready, o, progress)
}

func compare(ready []*prepared, o proverOptions, progress io.Writer) (*report, error) {
	samples, err := proveInTurn(ready, o.runs, progress)
	if err != nil {
		return nil, err
	}
	baseline, transfer := ready[0], ready[1]
	b, t := summary(samples[0]), summary(samples[1])
	return &report{
		BaselineMillis: b.wall, BaselineMinMillis: b.least, BaselineCPUMillis: b.cpu, BaselineVerifyMillis: b.verify,
		TransferMillis: t.wall, TransferMinMillis: t.least, TransferCPUMillis: t.cpu, TransferVerifyMillis: t.verify,
		Ratio: b.wall / t.wall, CPURatio: b.cpu / t.cpu,
		BaselineCurve: baseline.curve.String(), BaselineConstraints: baseline.system.GetNbConstraints(),
		TransferCurve: transfer.curve.String(), TransferConstraints: transfer.system.GetNbConstraints(),
		BaselinePublicInputs: baseline.publicInputs(), TransferPublicInputs: transfer.publicInputs(),
		BaselineSetupMillis: baseline.keys.setupMillis, BaselineKeysCached: baseline.keys.fromCache,
		TransferSetupMillis: transfer.keys.setupMillis, TransferKeysCached: transfer.keys.fromCache,
		PeakRssBytes: machine.PeakMemory(), Machine: describeMachine(), GoVersion: runtime.Version(),
		Cores: o.procs, Runs: o.runs,
	}, nil
}

// sizes adds the lengths of the proving keys as wallets store them, and the memory of each prover alone.
func (r *report) sizes(ready []*prepared, o proverOptions, progress io.Writer) error {
	for i, into := range []struct{ key, peak *int64 }{
		{&r.BaselineProvingKeyBytes, &r.BaselinePeakRssBytes}, {&r.TransferProvingKeyBytes, &r.TransferPeakRssBytes},
	} {
		p := ready[i]
		var err error
		if *into.key, err = p.keys.proving.WriteRawTo(io.Discard); err != nil {
			return err
		}
		if *into.peak, err = peakAlone(memoryOptions{p.name, o.cache, o.procs}, progress); err != nil {
			return err
		}
		fmt.Fprintf(progress, "%s: proving key of %.1f MB, a prover alone needs %.0f MB\n",
			p.name, float64(*into.key)/1e6, float64(*into.peak)/1e6)
	}
	return nil
}
