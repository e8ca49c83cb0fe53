// Command solidus-bench measures the cryptography of this module on the machine it runs on.
//
//	solidus-bench prover [--runs N] [--procs P] [--cache DIR] [--json FILE]
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/consensys/gnark/logger"
)

const usage = `usage: solidus-bench prover [--runs N] [--procs P] [--cache DIR] [--json FILE]

prover   proving time of the regulated transfer against the construction of the paper,
         both set up, proved and verified in this run
`

func main() {
	logger.Disable()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit status: 0 done, 1 failed, 2 wrong usage.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] != "prover" {
		fmt.Fprint(stderr, usage)
		return 2
	}
	options, err := parseProver(args[1:], stderr)
	if err != nil {
		return 2
	}
	report, err := measureProver(options, stderr)
	if err == nil {
		err = report.write(options.json, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "solidus-bench:", err)
		return 1
	}
	return 0
}
