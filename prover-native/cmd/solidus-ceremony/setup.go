package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"flag"
	"fmt"
	"strings"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/ceremony/setup"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
)

func setupCommand(c *console, args []string) error {
	return choose(map[string]command{
		"init": setupInit, "contribute": setupContribute, "beacon": setupBeacon, "verify": setupVerify, "measure": setupMeasure, "seal": setupSeal,
		"seal-shapes": sealShapes,
	}, c, args)
}

func setupInit(c *console, args []string) error {
	var dir, network, kind, beacon, key string
	var of shapesOptions
	var minimum int
	if err := options(c, "setup init", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the transcript's folder")
		f.StringVar(&network, "network", "", "network id")
		f.StringVar(&kind, "kind", "regulated", "regulated or unregulated")
		f.IntVar(&minimum, "minimum", 3, "contributions that each phase needs")
		f.StringVar(&beacon, "beacon", "", "where the public random values will come from")
		f.StringVar(&key, "key", "", "the coordinator's signing key")
		of.define(f)
	}, "dir", "network", "beacon", "key"); err != nil {
		return err
	}
	circuits, manifest, err := of.compile(c, network, kind)
	if err != nil {
		return err
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	ceremonyAt := setup.Ceremony{Dir: dir, Circuits: circuits, Manifest: manifest, Say: c.say}
	if err := ceremonyAt.Init(network, kind, minimum, beacon, private); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%x\n", private.Public())
	return nil
}

func compileFor(c *console, network, kind string) ([]keys.Compiled, error) {
	k, err := statement.ParseKind(kind)
	if err != nil {
		return nil, err
	}
	return c.compile(network, k)
}

// at opens the ceremony of a folder with the circuits of its network.
func at(c *console, dir string, coordinator ed25519.PublicKey) (*setup.Ceremony, error) {
	in, _, err := setup.ReadInit(dir)
	if err != nil {
		return nil, err
	}
	compile := func() ([]keys.Compiled, error) { return compileFor(c, in.Network, in.Kind) }
	if in.Manifest != "" {
		compile = func() ([]keys.Compiled, error) { return c.compileShapes(in.Network, in.Names()) }
	}
	circuits, err := compile()
	if err != nil {
		return nil, err
	}
	return &setup.Ceremony{Dir: dir, Circuits: circuits, Coordinator: coordinator, Manifest: in.Manifest, Say: c.say}, nil
}

// publicKey parses an option.
func publicKey(s string) (ed25519.PublicKey, error) {
	if err := ceremony.CheckHex(s, ed25519.PublicKeySize); err != nil {
		return nil, err
	}
	return hex.DecodeString(s)
}

func setupContribute(c *console, args []string) error {
	var dir, name, note, key, coordinator string
	if err := options(c, "setup contribute", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the transcript's folder")
		f.StringVar(&name, "name", "", "the contributor's name")
		f.StringVar(&note, "note", "", "a line for the record")
		f.StringVar(&key, "key", "", "the contributor's signing key")
		f.StringVar(&coordinator, "coordinator", "", coordinatorOption)
	}, "dir", "name", "key", "coordinator"); err != nil {
		return err
	}
	pinned, err := publicKey(coordinator)
	if err != nil {
		return err
	}
	place, err := at(c, dir, pinned)
	if err != nil {
		return err
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	return place.Contribute(name, note, private)
}

func setupBeacon(c *console, args []string) error {
	var dir, value, source, key string
	if err := options(c, "setup beacon", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the transcript's folder")
		f.StringVar(&value, "value", "", "the public random value, in hexadecimal")
		f.StringVar(&source, "source", "", "where it is published, precisely enough to look it up")
		f.StringVar(&key, "key", "", "the coordinator's signing key")
	}, "dir", "value", "source", "key"); err != nil {
		return err
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	place, err := at(c, dir, private.Public().(ed25519.PublicKey))
	if err != nil {
		return err
	}
	return place.EndPhase(value, source, private)
}

// texts is an option that may stand several times.
type texts []string

func (t *texts) String() string { return strings.Join(*t, ",") }

func (t *texts) Set(s string) error {
	*t = append(*t, s)
	return nil
}

func setupVerify(c *console, args []string) error {
	var dirs, coordinators texts
	var sealed, manifestKey string
	if err := options(c, "setup verify", args, func(f *flag.FlagSet) {
		f.Var(&dirs, "dir", "the transcript's folder; with --keys once for each set-up whose transcript the file names")
		f.Var(&coordinators, "coordinator", coordinatorOption+"; once for all folders, or once for each in their order")
		f.StringVar(&sealed, "keys", "", "sealed keys to compare with what the transcripts make")
		f.StringVar(&manifestKey, "manifest-key", "", "the key of their manifest, in hexadecimal")
	}, "dir", "coordinator"); err != nil {
		return err
	}
	if len(coordinators) != 1 && len(coordinators) != len(dirs) {
		fmt.Fprintln(c.err, "setup verify: one --coordinator for all folders, or one for each")
		return errUsage
	}
	var results []*setup.Result
	for i, dir := range dirs {
		r, err := verify(c, dir, coordinators[min(i, len(coordinators)-1)])
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	if sealed == "" {
		return nil
	}
	return compare(c, results, sealed, manifestKey)
}

func verify(c *console, dir, coordinator string) (*setup.Result, error) {
	r, err := replay(c, dir, coordinator)
	if err != nil {
		return nil, err
	}
	return r, describe(c, r)
}

// replay verifies a set-up from its first record.
func replay(c *console, dir, coordinator string) (*setup.Result, error) {
	pinned, err := publicKey(coordinator)
	if err != nil {
		return nil, err
	}
	place, err := at(c, dir, pinned)
	if err != nil {
		return nil, err
	}
	return place.Verify()
}

// finished replays a set-up, and refuses one that has no end.
func finished(c *console, dir, coordinator string) (*setup.Result, error) {
	r, err := replay(c, dir, coordinator)
	if err != nil {
		return nil, err
	}
	return r, ended(r)
}

func ended(r *setup.Result) error {
	if r.Digest == "" {
		return ceremony.Refuse(ceremony.WrongPhase, "the set-up is not finished")
	}
	return nil
}

// compare tells whether sealed keys are the ones that transcripts make. Whoever signs a manifest or shapes could name a transcript
// beside other keys.
func compare(c *console, results []*setup.Result, sealed, manifestKey string) error {
	var replays []keys.Replayed
	for _, r := range results {
		if err := ended(r); err != nil {
			return err
		}
		replays = append(replays, keys.Replayed{Transcript: r.Digest, Circuits: r.Circuits})
	}
	key, err := publicKey(manifestKey)
	if err != nil {
		return err
	}
	names, err := keys.CheckSealed(sealed, key, replays)
	if err != nil {
		return ceremony.Refuse(ceremony.WrongResult, "%s: %v", sealed, err)
	}
	for _, name := range names {
		fmt.Fprintf(c.out, "sealed       every key in %s is one that these transcripts make\n", name)
	}
	return nil
}

func describe(c *console, r *setup.Result) error {
	fmt.Fprintf(c.out, "ceremony     %s of %s (%s), coordinator %s\n", r.Init.Ceremony, r.Init.Network, r.Init.Kind, r.Coordinator)
	if r.Init.Manifest != "" {
		fmt.Fprintf(c.out, "shapes       beside the manifest sha256 %s\n", r.Init.Manifest)
	}
	for i, names := range r.Contributors {
		for j, name := range names {
			fmt.Fprintf(c.out, "phase %d      %d. %s\n", i+1, j+1, name)
		}
		if b := r.Beacons[i]; b.Value != "" {
			fmt.Fprintf(c.out, "phase %d      ended with %s from %s\n", i+1, b.Value, b.Source)
		}
	}
	for i := range r.Circuits {
		digests, err := keys.Digests(&r.Circuits[i])
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "circuit      %s: proving key sha256 %x, verifying key sha256 %x\n", r.Circuits[i].Name, digests[0], digests[1])
	}
	if r.Digest == "" {
		fmt.Fprintln(c.out, "ok so far; the ceremony is not over")
		return nil
	}
	fmt.Fprintf(c.out, "ok           transcript sha256 %s\n", r.Digest)
	return nil
}
