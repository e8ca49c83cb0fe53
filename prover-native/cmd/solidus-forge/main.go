// Command solidus-forge makes load-test keys and, under them, transfers without an owner and simulated proofs.
//
//	solidus-forge keys --out DIR --network ID --kind regulated --n 4
//	solidus-forge transfers --keys DIR --count N --seed S --out FILE ...
//	solidus-forge serve --keys DIR
//
// It opens keys of the load-test class only. keys prints the manifest's public key. transfers writes a series (layout:
// simulate.Forger.Write), to standard output where the file is "-". serve answers frames on standard input and output until
// the input ends (layout: serve). Progress goes to standard error.
package main

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/simulate"
	"solidus.io/prover/statement"
)

const usage = `usage:
  solidus-forge keys      --out DIR --network ID [--kind regulated|unregulated] [--n N]
  solidus-forge transfers --keys DIR --count N --seed TEXT --period YYYYMM --root HEX --out FILE|-
                          --policy-version V --checkpoint-version V
                          --max-per-transfer M --max-per-period M --max-held M --max-escrow M --max-transfers N
                          [--withdrawn M] [--payout FILE|zero] [--memo FILE|zero] [--first I] [--variant V] [--workers W]
  solidus-forge serve     --keys DIR
`

// errUsage means wrong arguments. The reason is already printed.
var errUsage = errors.New("usage")

// console is the input and output of a command.
type console struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	err := run(os.Args[1:], &console{os.Stdin, os.Stdout, os.Stderr})
	switch {
	case err == nil:
	case errors.Is(err, errUsage):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "solidus-forge:", err)
		os.Exit(1)
	}
}

func run(args []string, c *console) error {
	if len(args) > 0 {
		if command, ok := map[string]func([]string, *console) error{
			"keys": makeKeys, "transfers": transfers, "serve": serve,
		}[args[0]]; ok {
			return command(args[1:], c)
		}
	}
	fmt.Fprint(c.err, usage)
	return errUsage
}

// parse parses flags and requires the named ones.
func parse(f *flag.FlagSet, args []string, c *console, required ...string) error {
	f.SetOutput(c.err)
	if f.Parse(args) != nil {
		return errUsage
	}
	given := map[string]bool{}
	f.Visit(func(x *flag.Flag) { given[x.Name] = true })
	for _, name := range required {
		if !given[name] {
			fmt.Fprintf(c.err, "--%s is missing\n%s", name, usage)
			return errUsage
		}
	}
	if f.NArg() != 0 {
		fmt.Fprint(c.err, usage)
		return errUsage
	}
	return nil
}

func makeKeys(args []string, c *console) error {
	start := time.Now()
	p := keys.Plan{Progress: func(line string) {
		fmt.Fprintf(c.err, "solidus load-test keys [%6.1f s] %s\n", time.Since(start).Seconds(), line)
	}}
	f := flag.NewFlagSet("keys", flag.ContinueOnError)
	dir := f.String("out", "", "directory to make")
	f.StringVar(&p.Network, "network", "", "network id")
	kind := f.String("kind", "regulated", "regulated or unregulated")
	f.IntVar(&p.Validators, "n", 4, "number of authorities, 3f+1")
	if err := parse(f, args, c, "out", "network"); err != nil {
		return err
	}
	var err error
	if p.Kind, err = statement.ParseKind(*kind); err != nil {
		return err
	}
	key, err := simulate.MakeKeys(*dir, p)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, hex.EncodeToString(key))
	return err
}

// open opens load-test keys as their manifest describes them: the directory belongs to the load test.
func open(dir string) (*keys.Set, *simulate.Simulator, error) {
	m, _, err := keys.ReadManifest(dir)
	if err != nil {
		return nil, nil, err
	}
	kind, err := statement.ParseKind(m.Kind)
	if err != nil {
		return nil, nil, err
	}
	key, err := keys.ManifestKey(dir)
	if err != nil {
		return nil, nil, fault.New(fault.KeysSignature, "no manifest key")
	}
	set, err := keys.Open(dir, keys.Expectation{
		Network: m.Network, Kind: kind, Allowed: keys.Classes(keys.LoadTest), ManifestKey: key,
	})
	if err != nil {
		return nil, nil, err
	}
	s, err := simulate.Open(set)
	return set, s, err
}
