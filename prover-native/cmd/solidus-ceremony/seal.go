package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"time"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/dkg"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
)

// setupSeal verifies both ceremonies from their first records and writes the keys of the network.
func setupSeal(c *console, args []string) error {
	var dir, coordinator, committee, committeeCoordinator, out, key string
	if err := options(c, "setup seal", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the set-up's transcript")
		f.StringVar(&coordinator, "coordinator", "", "the public key that the set-up's coordinator read out, in hexadecimal")
		f.StringVar(&committee, "committee", "", "the bulletin folder of the committee's key")
		f.StringVar(&committeeCoordinator, "committee-coordinator", "", "the public key that the committee's coordinator read out, in hexadecimal")
		f.StringVar(&out, "out", "", "folder for the sealed keys")
		f.StringVar(&key, "key", "", "the signing key of the manifest")
	}, "dir", "coordinator", "committee", "committee-coordinator", "out", "key"); err != nil {
		return err
	}
	b, o, err := over(committee, committeeCoordinator)
	if err != nil {
		return err
	}
	if b.Init().Purpose != dkg.MakeKey {
		return ceremony.Refuse(ceremony.WrongPhase, "the first keys of a network need the ceremony that made the committee's key")
	}
	r, err := finished(c, dir, coordinator)
	if err != nil {
		return err
	}
	if r.Init.Manifest != "" {
		return ceremony.Refuse(ceremony.OtherCeremony, "this set-up is for shapes of a network that has keys")
	}
	if r.Init.Network != b.Init().Network {
		return ceremony.Refuse(ceremony.OtherCeremony, "the set-up is for %s, the committee for %s", r.Init.Network, b.Init().Network)
	}
	kind, err := statement.ParseKind(r.Init.Kind)
	if err != nil {
		return err
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	if err := keys.Seal(out, &keys.Sealed{
		Network: r.Init.Network, Kind: kind, CreatedAt: max(r.EndedAt, b.EndedAt()),
		Provenance: fmt.Sprintf("set-up by %d and %d contributors and public random values; committee key dealt by %d of %d authorities",
			len(r.Contributors[0]), len(r.Contributors[1]), len(o.Qualified), o.Committee.N()),
		Transcripts: []keys.TranscriptEntry{{Name: "setup", SHA256: r.Digest}, {Name: "committee", SHA256: o.Digest}},
		Circuits:    r.Circuits, Committee: o.Committee,
	}, private); err != nil {
		return err
	}
	if err := describe(c, r); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "manifest key %x\n", private.Public())
	return nil
}

// committeeSeal writes the existing keys with the refreshed committee.
func committeeSeal(c *console, args []string) error {
	var dir, coordinator, previous, manifestKey, out, key string
	var overlap keys.Overlap
	if err := options(c, "seal", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "the bulletin folder")
		f.StringVar(&coordinator, "coordinator", "", coordinatorOption)
		f.StringVar(&previous, "keys", "", "the sealed keys that there are")
		f.StringVar(&manifestKey, "manifest-key", "", "the key of their manifest, in hexadecimal")
		f.StringVar(&out, "out", "", "folder for the sealed keys with the new committee")
		f.StringVar(&key, "key", "", "the signing key of the new manifest")
		f.DurationVar(&overlap.Shares, "overlap", 14*24*time.Hour,
			"how long authorities sign with the former shares too, from the end of the ceremony")
		f.DurationVar(&overlap.NoteKeys, "former-note-keys", 90*24*time.Hour,
			"how long a note key counts that its authority no longer has, from the end of the ceremony")
	}, "dir", "coordinator", "keys", "manifest-key", "out", "key"); err != nil {
		return err
	}
	b, o, err := over(dir, coordinator)
	if err != nil {
		return err
	}
	m, old, err := pinned(previous, manifestKey)
	if err != nil {
		return err
	}
	if b.Init().Previous == nil || !sameCommittee(b.Init().Previous, &m.Committee) || b.Init().Network != m.Network {
		return ceremony.Refuse(ceremony.WrongPrevious, "the ceremony follows another committee")
	}
	private, err := ceremony.ReadKey(key)
	if err != nil {
		return err
	}
	defer clear(private)
	transcript := keys.TranscriptEntry{Name: fmt.Sprintf("committee %s, epoch %d", b.Init().Purpose, b.Init().Epoch), SHA256: o.Digest}
	if err := keys.Reseal(out, previous, old, o.Committee, b.EndedAt(), transcript, overlap, private); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%x\n", private.Public())
	return nil
}

func sameCommittee(a, b *keys.CommitteeEntry) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && bytes.Equal(x, y)
}

// over replays a committee's ceremony and requires that it is finished.
func over(dir, coordinator string) (*dkg.Board, *dkg.Outcome, error) {
	b, err := board(dir, coordinator)
	if err != nil {
		return nil, nil, err
	}
	o, err := b.Outcome()
	if err != nil {
		return nil, nil, err
	}
	if o.Digest == "" {
		return nil, nil, ceremony.Refuse(ceremony.WrongPhase, "the committee's ceremony is not finished: the open round is %s", b.Round())
	}
	return b, o, nil
}
