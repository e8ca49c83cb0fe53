package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"

	"solidus.io/prover/internal/machine"
)

// proverOptions are the flags of the subcommand.
type proverOptions struct {
	runs, procs       int
	cache, json, plot string
}

func parseProver(args []string, stderr io.Writer) (proverOptions, error) {
	var o proverOptions
	flags := flag.NewFlagSet("prover", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.runs, "runs", 3, "proofs of each circuit")
	flags.IntVar(&o.procs, "procs", runtime.NumCPU(), "processor cores to use (GOMAXPROCS)")
	flags.StringVar(&o.cache, "cache", "", "directory for the keys; without one they are made anew")
	flags.StringVar(&o.json, "json", "", "file for the result; without one it is printed")
	flags.StringVar(&o.plot, "plot", "", "file for a plot (SVG)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.runs < 1 || o.procs < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "--runs and --procs must be at least 1, without further arguments")
		return o, errors.New("usage")
	}
	return o, nil
}

// measureProver measures both circuits with keys from the cache. Without a cache it makes them anew, in a folder that it removes.
func measureProver(o proverOptions, progress io.Writer) (*report, error) {
	if o.cache == "" {
		dir, err := os.MkdirTemp("", "solidus-bench")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		o.cache = dir
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.procs))
	all, err := subjects()
	if err != nil {
		return nil, err
	}
	var ready [2]*prepared
	for i, s := range all {
		if ready[i], err = s.prepare(o.cache, progress); err != nil {
			return nil, err
		}
	}
	r, err := compare(ready, o, progress)
	if err != nil {
		return nil, err
	}
	return r, r.sizes(ready, o, progress)
}

// compare proves the circuits in turn, so that other load on the machine affects both alike.
func compare(ready [2]*prepared, o proverOptions, progress io.Writer) (*report, error) {
	var samples [2][]sample
	for n := 1; n <= o.runs; n++ {
		for i, p := range ready {
			x, err := p.measure()
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], x)
			fmt.Fprintf(progress, "%s: proof %d of %d took %d ms\n", p.name, n, o.runs, x.prove.wall.Milliseconds())
		}
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
func (r *report) sizes(ready [2]*prepared, o proverOptions, progress io.Writer) error {
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
