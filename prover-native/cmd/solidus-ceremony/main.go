// Command solidus-ceremony runs key ceremonies: the set-up of the circuits' keys, and the generation, refresh and recovery of
// the committee's key shares. ./solidus ceremony is the same. docs/how-to/run-a-ceremony.md describes the roles.
//
// Results go to standard output, progress to standard error. A refusal begins with its code, and the exit status is 1. Status
// 2 means wrong arguments.
package main

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/dkg"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
)

const usage = `usage:
  key       --out FILE                      draws a signing key and prints its public half
  setup     init | contribute | beacon | verify | seal | seal-shapes | measure
  committee card | init | deal | complain | justify | reveal | open | finish | close | status | verify
  refresh   the steps of a committee, and seal
  recover   the steps of a committee, and help | seal
  services  --text FILE --key KEY --out FILE  signs the addresses of the network's services
  rehearse  [--dir DIR]                     a whole ceremony with small circuits, three contributors and four authorities

Each step with --help lists its options.
`

// errUsage means wrong arguments. The reason is already printed.
var errUsage = errors.New("usage")

// errHelp means that help was requested and printed.
var errHelp = errors.New("help")

// console is the output of a command and its source of circuits.
type console struct {
	out, err io.Writer
	started  time.Time
	// compile returns the circuits of a network. A rehearsal has others.
	compile func(network string, kind statement.Kind) ([]keys.Compiled, error)
	// compileShapes returns the named circuits of shapes.
	compileShapes func(network string, names []string) ([]keys.Compiled, error)
}

func (c *console) say(format string, args ...any) {
	fmt.Fprintf(c.err, "[%7.1f s] %s\n", time.Since(c.started).Seconds(), fmt.Sprintf(format, args...))
}

type command func(c *console, args []string) error

func main() {
	keepSecretsInMemory()
	err := run(os.Args[1:], &console{out: os.Stdout, err: os.Stderr, started: time.Now(), compile: keys.Compile, compileShapes: keys.CompileShapes})
	switch {
	case err == nil, errors.Is(err, errHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "solidus-ceremony:", err)
		os.Exit(1)
	}
}

func run(args []string, c *console) error {
	return choose(map[string]command{
		"key": makeKey, "setup": setupCommand, "services": signServices, "rehearse": rehearse,
		"committee": committeeCommand(dkg.MakeKey), "refresh": committeeCommand(dkg.Refresh), "recover": committeeCommand(dkg.Recover),
	}, c, args)
}

func choose(commands map[string]command, c *console, args []string) error {
	if len(args) > 0 {
		if chosen, ok := commands[args[0]]; ok {
			return chosen(c, args[1:])
		}
	}
	fmt.Fprint(c.err, usage)
	return errUsage
}

// options parses flags and requires the named ones.
func options(c *console, name string, args []string, define func(*flag.FlagSet), required ...string) error {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(c.err)
	define(f)
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return errHelp
	} else if err != nil {
		return errUsage
	}
	given := map[string]bool{}
	f.Visit(func(o *flag.Flag) { given[o.Name] = true })
	for _, r := range required {
		if !given[r] {
			fmt.Fprintf(c.err, "%s: --%s is needed\n", name, r)
			return errUsage
		}
	}
	if f.NArg() != 0 {
		fmt.Fprintf(c.err, "%s: surplus arguments\n", name)
		return errUsage
	}
	return nil
}

func makeKey(c *console, args []string) error {
	var out string
	if err := options(c, "key", args, func(f *flag.FlagSet) {
		f.StringVar(&out, "out", "", "file for the private key")
	}, "out"); err != nil {
		return err
	}
	public, err := ceremony.MakeKey(out)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, hex.EncodeToString(public))
	return nil
}
