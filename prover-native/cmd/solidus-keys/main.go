// Command solidus-keys makes, shows and verifies key directories.
//
//	solidus-keys setup --network ID --kind regulated --validators 4 --dir DIR --class development
//	solidus-keys show --dir DIR
//	solidus-keys verify --dir DIR [--key HEX] [--shares]
//
// setup reports its progress on standard error and prints the manifest's public key on standard output. Without --key, verify
// uses the key that the directory names itself. That shows that the directory is complete, not that it is the right one.
package main

import (
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"solidus.io/prover/fault"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
)

const usage = `usage:
  solidus-keys setup  --network ID --kind regulated|unregulated --validators N --dir DIR [--class development]
  solidus-keys show   --dir DIR
  solidus-keys verify --dir DIR [--key HEX] [--shares]
`

// errUsage means wrong arguments. The flag package already printed the reason.
var errUsage = errors.New("usage")

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, errUsage):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "solidus-keys:", err)
		os.Exit(1)
	}
}

func run(args []string, out, errOut io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(errOut, usage)
		return errUsage
	}
	command, ok := map[string]func([]string, io.Writer, io.Writer) error{
		"setup": setup, "show": show, "verify": verify,
	}[args[0]]
	if !ok {
		fmt.Fprint(errOut, usage)
		return errUsage
	}
	return command(args[1:], out, errOut)
}

func parse(f *flag.FlagSet, args []string, errOut io.Writer, dir *string) error {
	f.SetOutput(errOut)
	f.StringVar(dir, "dir", "", "key directory")
	if err := f.Parse(args); err != nil {
		return errUsage
	}
	if *dir == "" || f.NArg() != 0 {
		fmt.Fprint(errOut, usage)
		return errUsage
	}
	return nil
}

func setup(args []string, out, errOut io.Writer) error {
	var dir, kind, class string
	p := keys.Plan{}
	f := flag.NewFlagSet("setup", flag.ContinueOnError)
	f.StringVar(&p.Network, "network", "", "network id")
	f.StringVar(&kind, "kind", "regulated", "regulated or unregulated")
	f.IntVar(&p.Validators, "validators", 4, "number of authorities, 3f+1")
	f.StringVar(&class, "class", "development", "development; load-test keys are made by solidus-forge")
	if err := parse(f, args, errOut, &dir); err != nil {
		return err
	}
	var err error
	if p.Kind, err = statement.ParseKind(kind); err != nil {
		return err
	}
	if p.Class, err = keys.ParseClass(class); err != nil {
		return err
	}
	start := time.Now()
	p.Progress = func(line string) {
		fmt.Fprintf(errOut, "[%6.1f s] %s\n", time.Since(start).Seconds(), line)
	}
	key, err := keys.Make(dir, p)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, hex.EncodeToString(key))
	return nil
}

func show(args []string, out, errOut io.Writer) error {
	var dir string
	if err := parse(flag.NewFlagSet("show", flag.ContinueOnError), args, errOut, &dir); err != nil {
		return err
	}
	m, digest, err := keys.ReadManifest(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "network     %s (%s)\nclass       %s\nprovenance  %s\ncreated     %s\nmanifest    sha256 %x\n",
		m.Network, m.Kind, m.Class, m.Provenance, m.CreatedAt, digest)
	for _, t := range m.Transcripts {
		fmt.Fprintf(out, "transcript  %s: sha256 %s\n", t.Name, t.SHA256)
	}
	fmt.Fprintf(out, "committee   epoch %d, %d authorities, %d sign\n", m.Committee.Epoch, len(m.Committee.Members), 2*m.Committee.F+1)
	circuits := m.Circuits
	key, err := keys.ManifestKey(dir)
	if err != nil {
		return err
	}
	shapes, err := keys.PinnedShapes(dir, key)
	if err != nil {
		return err
	}
	if shapes != nil {
		fmt.Fprintf(out, "shapes      %s, created %s\n", shapes.Provenance, shapes.CreatedAt)
		for _, t := range shapes.Transcripts {
			fmt.Fprintf(out, "transcript  %s: sha256 %s\n", t.Name, t.SHA256)
		}
		circuits = slices.Concat(circuits, shapes.Circuits)
	}
	for _, c := range circuits {
		fmt.Fprintf(out, "circuit     %s v%d: %d constraints, %d public inputs, r1cs sha256 %s, proving key %.1f MB\n",
			c.Name, c.Version, c.Constraints, c.PublicInputs, c.Digest, float64(c.ProvingKey.Size)/1e6)
	}
	return nil
}

func verify(args []string, out, errOut io.Writer) error {
	var dir, key string
	var shares bool
	f := flag.NewFlagSet("verify", flag.ContinueOnError)
	f.StringVar(&key, "key", "", "manifest key in hexadecimal; the directory's own if empty")
	f.BoolVar(&shares, "shares", false, "verify the shares as well")
	if err := parse(f, args, errOut, &dir); err != nil {
		return err
	}
	pinned, err := keys.ManifestKey(dir)
	if key != "" {
		pinned, err = hex.DecodeString(key)
	}
	if err != nil {
		return fault.New(fault.KeysSignature, "no manifest key")
	}
	s, err := keys.OpenAsStated(dir, pinned)
	if err != nil {
		return err
	}
	for _, family := range s.Families() {
		if s.Class == keys.LoadTest {
			break // these have no proving keys
		}
		if err := s.Warm(family); err != nil {
			return err
		}
	}
	for i := 1; shares && i <= s.Committee.N(); i++ {
		share, err := s.ReadShare(i)
		if err != nil {
			return err
		}
		share.Close()
	}
	fmt.Fprintf(out, "ok: %s keys of %s, manifest sha256 %x\n", s.Class, s.Network.ID(), s.Digest)
	return nil
}
