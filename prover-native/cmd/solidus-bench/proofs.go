package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// proofOptions are the flags of a subcommand that makes keys and proofs of several circuits.
type proofOptions struct {
	runs, procs int
	cache, json string
}

// flags returns the set of these flags.
func (o *proofOptions) flags(name string, procs int, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.runs, "runs", 3, "proofs of each circuit")
	flags.IntVar(&o.procs, "procs", procs, "processor cores to use (GOMAXPROCS)")
	flags.StringVar(&o.cache, "cache", "", "directory for the keys; without one they are made anew")
	flags.StringVar(&o.json, "json", "", "file for the result; without one it is printed")
	return flags
}

// parse reads the arguments and refuses values out of range.
func (o *proofOptions) parse(flags *flag.FlagSet, args []string, stderr io.Writer) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.runs < 1 || o.procs < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "--runs and --procs must be at least 1, without further arguments")
		return errors.New("usage")
	}
	return nil
}

// withCache makes a folder for the keys where the flags name none; remove deletes such a folder.
func (o *proofOptions) withCache() (remove func(), err error) {
	if o.cache != "" {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "solidus-bench")
	if err != nil {
		return nil, err
	}
	o.cache = dir
	return func() { os.RemoveAll(dir) }, nil
}

// prepareAll returns the subjects with their keys.
func prepareAll(all []subject, cache string, progress io.Writer) ([]*prepared, error) {
	ready := make([]*prepared, len(all))
	for i, s := range all {
		var err error
		if ready[i], err = s.prepare(cache, progress); err != nil {
			return nil, err
		}
	}
	return ready, nil
}

// proveInTurn proves the circuits in turn, so that other load on the machine affects all alike.
func proveInTurn(ready []*prepared, runs int, progress io.Writer) ([][]sample, error) {
	samples := make([][]sample, len(ready))
	for n := 1; n <= runs; n++ {
		for i, p := range ready {
			x, err := p.measure()
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], x)
			fmt.Fprintf(progress, "%s: proof %d of %d took %d ms\n", p.name, n, runs, x.prove.wall.Milliseconds())
		}
	}
	return samples, nil
}
