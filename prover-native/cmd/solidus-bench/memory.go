package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"solidus.io/prover/internal/machine"
)

// memoryOptions are the flags of the subcommand.
type memoryOptions struct {
	circuit, cache string
	procs          int
}

func parseMemory(args []string, stderr io.Writer) (memoryOptions, error) {
	var o memoryOptions
	flags := flag.NewFlagSet("memory", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.circuit, "circuit", "", "baseline, transfer, claim-16 or pay-8")
	flags.StringVar(&o.cache, "cache", "", "directory with the circuit's keys")
	flags.IntVar(&o.procs, "procs", runtime.NumCPU(), "processor cores to use (GOMAXPROCS)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.circuit == "" || o.cache == "" || o.procs < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "--circuit and --cache are needed, and --procs must be at least 1, without further arguments")
		return o, errors.New("usage")
	}
	return o, nil
}

// proveAlone compiles one circuit, reads its keys and makes one proof, as a prover that has just started does. Nothing else
// happens in this process, so the largest resident set so far is the prover's.
func proveAlone(o memoryOptions, stdout io.Writer) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.procs))
	both, err := subjects()
	if err != nil {
		return err
	}
	all, err := shapeSubjects()
	if err != nil {
		return err
	}
	for _, s := range append(both[:], all...) {
		if s.name != o.circuit {
			continue
		}
		if err := s.proveFrom(o.cache); err != nil {
			return err
		}
		_, err := fmt.Fprintln(stdout, machine.PeakMemory())
		return err
	}
	return fmt.Errorf("there is no circuit %q", o.circuit)
}

// proveFrom makes a proof with keys from the cache. It makes no keys, because a setup takes more memory than a proof.
func (s subject) proveFrom(cache string) error {
	system, err := s.build()
	if err != nil {
		return err
	}
	keys, err := s.readKeys(s.place(system, cache))
	if err != nil {
		return fmt.Errorf("keys of %s: %w", s.name, err)
	}
	_, err = (&prepared{s, system, keys}).measure()
	return err
}

// peakAlone runs the subcommand in a process of its own and returns the peak of its memory in bytes.
func peakAlone(o memoryOptions, progress io.Writer) (int64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	child := exec.Command(self, "memory", "--circuit", o.circuit, "--cache", o.cache, "--procs", strconv.Itoa(o.procs))
	child.Stderr = progress
	said, err := child.Output()
	if err != nil {
		return 0, fmt.Errorf("memory of %s: %w", o.circuit, err)
	}
	return strconv.ParseInt(strings.TrimSpace(string(said)), 10, 64)
}
