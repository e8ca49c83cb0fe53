package main

import (
	"encoding/hex"
	"flag"
	"fmt"
	"strings"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
)

// shapesOptions are those of a set-up for shapes: circuits that a network adds to those of its manifest.
type shapesOptions struct{ names, keys, manifestKey string }

func (o *shapesOptions) define(f *flag.FlagSet) {
	f.StringVar(&o.names, "shapes", "", "for shapes alone, of a network that has keys: their names with commas, claim-16 or pay-8")
	f.StringVar(&o.keys, "keys", "", "with --shapes: the sealed keys of the network")
	f.StringVar(&o.manifestKey, "manifest-key", "", "with --shapes: the key of their manifest, in hexadecimal")
}

// compile returns the circuits of a set-up, and the digest of the manifest that shapes come beside.
func (o *shapesOptions) compile(c *console, network, kind string) ([]keys.Compiled, string, error) {
	if o.names == "" {
		circuits, err := compileFor(c, network, kind)
		return circuits, "", err
	}
	key, err := publicKey(o.manifestKey)
	if err != nil {
		return nil, "", err
	}
	m, digest, err := keys.PinnedDigest(o.keys, key)
	if err != nil {
		return nil, "", err
	}
	if m.Network != network {
		return nil, "", ceremony.Refuse(ceremony.OtherCeremony, "the keys are of %s", m.Network)
	}
	if m.Kind != statement.Regulated.String() || kind != m.Kind {
		return nil, "", ceremony.Refuse(ceremony.OtherCeremony, "only regulated networks have shapes")
	}
	circuits, err := c.compileShapes(network, strings.Split(o.names, ","))
	return circuits, hex.EncodeToString(digest[:]), err
}

// sealShapes verifies a set-up for shapes from its first record and writes the keys of the network with them.
func sealShapes(c *console, args []string) error {
	var dir, coordinator, previous, manifestKey, out, key string
	if err := options(c, "setup seal-shapes", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the set-up's transcript")
		f.StringVar(&coordinator, "coordinator", "", "the public key that the set-up's coordinator read out, in hexadecimal")
		f.StringVar(&previous, "keys", "", "the sealed keys of the network")
		f.StringVar(&manifestKey, "manifest-key", "", "the key of their manifest, in hexadecimal")
		f.StringVar(&out, "out", "", "folder for the sealed keys with the shapes")
		f.StringVar(&key, "key", "", "the signing key of the manifest, the one that --manifest-key names")
	}, "dir", "coordinator", "keys", "manifest-key", "out", "key"); err != nil {
		return err
	}
	m, old, err := pinned(previous, manifestKey)
	if err != nil {
		return err
	}
	r, err := finished(c, dir, coordinator)
	if err != nil {
		return err
	}
	switch {
	case r.Init.Manifest == "":
		return ceremony.Refuse(ceremony.OtherCeremony, "this set-up is for the circuits of a manifest")
	case r.Init.Network != m.Network || r.Init.Kind != m.Kind:
		return ceremony.Refuse(ceremony.OtherCeremony, "the set-up is for %s, the keys are of %s", r.Init.Network, m.Network)
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	names := strings.Join(r.Init.Names(), " and ")
	if err := keys.SealShapes(out, previous, old, &keys.SealedShapes{
		Manifest: r.Init.Manifest, CreatedAt: r.EndedAt,
		Provenance: fmt.Sprintf("%s: set-up by %d and %d contributors and public random values",
			names, len(r.Contributors[0]), len(r.Contributors[1])),
		Transcript: keys.TranscriptEntry{Name: "setup of " + names, SHA256: r.Digest}, Circuits: r.Circuits,
	}, private); err != nil {
		return err
	}
	return describe(c, r)
}
