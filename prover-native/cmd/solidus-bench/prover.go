package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/baseline"
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

// measureProver sets up both circuits and proves them in turn, so that other load on the machine affects both alike.
func measureProver(o proverOptions, progress io.Writer) (*report, error) {
	runtime.GOMAXPROCS(o.procs)
	transfer, err := transferSubject()
	if err != nil {
		return nil, err
	}
	subjects := [2]subject{baselineSubject(), transfer}
	var ready [2]*prepared
	for i, s := range subjects {
		if ready[i], err = s.prepare(o.cache, progress); err != nil {
			return nil, err
		}
	}
	var prove, verify, cpu [2][]time.Duration
	for n := 1; n <= o.runs; n++ {
		for i, p := range ready {
			x, err := p.measure()
			if err != nil {
				return nil, err
			}
			prove[i], verify[i], cpu[i] = append(prove[i], x.prove), append(verify[i], x.verify), append(cpu[i], x.cpu)
			fmt.Fprintf(progress, "%s: proof %d of %d took %d ms\n", p.name, n, o.runs, x.prove.Milliseconds())
		}
	}
	r := &report{
		BaselineMillis: median(prove[0]), BaselineVerifyMillis: median(verify[0]),
		TransferMillis: median(prove[1]), TransferVerifyMillis: median(verify[1]),
		BaselineMinMillis: millis(slices.Min(prove[0])), BaselineCPUMillis: median(cpu[0]),
		TransferMinMillis: millis(slices.Min(prove[1])), TransferCPUMillis: median(cpu[1]),
		BaselineConstraints: ready[0].system.GetNbConstraints(), BaselineSetupMillis: ready[0].keys.setupMillis,
		TransferConstraints: ready[1].system.GetNbConstraints(), TransferSetupMillis: ready[1].keys.setupMillis,
		BaselineKeysCached: ready[0].keys.fromCache, TransferKeysCached: ready[1].keys.fromCache,
		PeakRssBytes: machine.PeakMemory(), Machine: describeMachine(), GoVersion: runtime.Version(),
		Cores: o.procs, Runs: o.runs,
	}
	r.Ratio, r.CPURatio = r.BaselineMillis/r.TransferMillis, r.BaselineCPUMillis/r.TransferCPUMillis
	return r, nil
}

func baselineSubject() subject {
	key := baseline.NewSigningKey()
	return subject{
		name:  "baseline",
		empty: baseline.New(&key.Public),
		assign: func() (frontend.Circuit, error) {
			plan, err := baseline.SamplePlan()
			if err != nil {
				return nil, err
			}
			return baseline.Assign(key, plan)
		},
	}
}
