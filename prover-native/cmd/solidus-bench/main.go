// Command solidus-bench measures the cryptography of this module on the machine it runs on.
//
//	solidus-bench prover [--runs N] [--procs P] [--cache DIR] [--json FILE] [--plot FILE]
//	solidus-bench memory --circuit NAME --cache DIR [--procs P]
//	solidus-bench shapes [--runs N] [--procs P] [--cache DIR] [--json FILE]
//	solidus-bench verify [--rounds N] [--json FILE] [--plot FILE]
//	solidus-bench device [--module FILE --script FILE] [--arm64 FILE --runner EMULATOR] [--runs N] [--json FILE]
//	solidus-bench prove --dir DIR --proof FILE [--runs N]
//	solidus-bench plot --chart FILE|--prover FILE --out FILE
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/consensys/gnark/logger"
)

const usage = `usage: solidus-bench prover [--runs N] [--procs P] [--cache DIR] [--json FILE] [--plot FILE]
       solidus-bench memory --circuit NAME --cache DIR [--procs P]
       solidus-bench shapes [--runs N] [--procs P] [--cache DIR] [--json FILE]
       solidus-bench verify [--rounds N] [--json FILE] [--plot FILE]
       solidus-bench device [--module FILE --script FILE] [--arm64 FILE --runner EMULATOR] [--runs N] [--json FILE]
       solidus-bench prove --dir DIR --proof FILE [--runs N]
       solidus-bench plot --chart FILE|--prover FILE --out FILE

prover   proving time of the regulated transfer against the construction of the paper,
         both set up, proved and verified in this run
memory   the largest resident set of a process that reads cached keys and makes one proof,
         in bytes; prover and shapes run it for their circuits
shapes   what a transfer of two coins to one payee costs, one of 16 coins, and one to eight payees:
         on one core, all set up, proved and verified in this run
verify   what a validator computes per transfer, by batch size on one core, against the
         library's verification of one proof after the other, in this run: of the paper's
         construction, and of our proofs
device   what a proof takes on a wallet's device: here on one, two and four cores, on arm64 in an
         emulator, and in WebAssembly
prove    the process of device that proves
plot     draws a chart, or an earlier result of prover, as SVG
`

func main() {
	logger.Disable()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status: 0 for success or help, 1 for a failure, 2 for wrong usage.
func run(args []string, stdout, stderr io.Writer) int {
	var work func() error
	err := errors.New("usage")
	switch {
	case len(args) > 0 && args[0] == "prover":
		work, err = proverWork(args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "memory":
		var o memoryOptions
		o, err = parseMemory(args[1:], stderr)
		work = func() error { return proveAlone(o, stdout) }
	case len(args) > 0 && args[0] == "shapes":
		work, err = shapesWork(args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "verify":
		work, err = verifyWork(args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "device":
		work, err = deviceWork(args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "prove":
		var o proveOptions
		o, err = parseProve(args[1:], stderr)
		work = func() error { return proveOnDevice(o, stdout) }
	case len(args) > 0 && args[0] == "plot":
		var o plotOptions
		o, err = parsePlot(args[1:], stderr)
		work = func() error { return drawPlot(o) }
	default:
		fmt.Fprint(stderr, usage)
	}
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	if err := work(); err != nil {
		fmt.Fprintln(stderr, "solidus-bench:", err)
		return 1
	}
	return 0
}

func proverWork(args []string, stdout, stderr io.Writer) (func() error, error) {
	o, err := parseProver(args, stderr)
	return func() error {
		r, err := measureProver(o, stderr)
		if err != nil {
			return err
		}
		if err := drawn(r.chart(), o.plot); err != nil {
			return err
		}
		return r.write(o.json, stdout)
	}, err
}

func verifyWork(args []string, stdout, stderr io.Writer) (func() error, error) {
	o, err := parseVerify(args, stderr)
	return func() error {
		r, err := measureVerify(o, stderr)
		if err != nil {
			return err
		}
		return r.write(o, stdout)
	}, err
}
