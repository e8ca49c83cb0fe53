package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/consensys/gnark-crypto/ecc"
	cs "github.com/consensys/gnark/constraint/bls12-381"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/hash"
	identify "solidus.io/prover/internal/r1cs"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// small is a circuit for rehearsals. No real circuit has its digest, so no network opens keys made for it.
type small struct {
	Network hash.NetworkTag `gnark:"-"`
	Steps   int             `gnark:"-"`

	Y frontend.Variable `gnark:",public"`
	X frontend.Variable
}

func (s *small) Define(api frontend.API) error {
	y := api.Add(s.X, int(s.Network[0]))
	for range s.Steps {
		y = api.Mul(y, y)
	}
	api.AssertIsEqual(y, s.Y)
	return nil
}

// smallCircuits replaces keys.Compile in a rehearsal.
func smallCircuits(network string, _ statement.Kind) ([]keys.Compiled, error) {
	return compileSmall(network, []string{"rehearsal-a", "rehearsal-b"})
}

// smallShapes replaces keys.CompileShapes in a rehearsal. The shape is larger than the circuits that there are, as the real ones.
func smallShapes(network string, names []string) ([]keys.Compiled, error) {
	if len(names) != 1 || names[0] != "rehearsal-shape" {
		return nil, ceremony.Refuse(ceremony.WrongCircuit, "a rehearsal has the shape rehearsal-shape")
	}
	return compileSmall(network, names)
}

func compileSmall(network string, names []string) ([]keys.Compiled, error) {
	n, err := statement.NewNetwork(network)
	if err != nil {
		return nil, err
	}
	var all []keys.Compiled
	for _, name := range names {
		steps := map[string]int{"rehearsal-a": 12, "rehearsal-b": 3, "rehearsal-shape": 20}[name]
		compiled, err := frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, &small{Network: n.Tag(), Steps: steps})
		if err != nil {
			return nil, err
		}
		s := compiled.(*cs.R1CS)
		all = append(all, keys.Compiled{Name: name, Version: 1, PublicInputs: 1, Digest: identify.Digest(s), System: s})
	}
	return all, nil
}

// rehearsal runs the commands of this program one after the other, as the participants would on their machines.
type rehearsal struct {
	c   *console
	dir string
	err error
}

func (r *rehearsal) path(name string) string { return filepath.Join(r.dir, name) }

// run executes a command. File names in it begin with @.
func (r *rehearsal) run(line string, more ...string) string {
	if r.err != nil {
		return ""
	}
	args := strings.Fields(line)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "@", r.dir+string(filepath.Separator))
	}
	fmt.Fprintf(r.c.err, "$ solidus ceremony %s %s\n", strings.ReplaceAll(line, "@", ""), strings.Join(more, " "))
	var out bytes.Buffer
	quiet := *r.c
	quiet.out = &out
	if err := run(append(args, more...), &quiet); err != nil {
		r.err = fmt.Errorf("%s: %w", line, err)
	}
	return strings.TrimSpace(out.String())
}

func rehearse(c *console, args []string) error {
	var dir string
	if err := options(c, "rehearse", args, func(f *flag.FlagSet) {
		f.StringVar(&dir, "dir", "", "an empty folder to rehearse in, which is left there; a temporary one if empty")
	}); err != nil {
		return err
	}
	if dir == "" {
		temporary, err := os.MkdirTemp("", "solidus-rehearsal")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
	} else if names, err := ceremony.List(dir); err != nil || len(names) > 0 {
		return ceremony.Refuse(ceremony.Exists, "the folder is not empty")
	}
	inner := *c
	inner.compile, inner.compileShapes = smallCircuits, smallShapes
	r := &rehearsal{c: &inner, dir: dir}
	r.all()
	if r.err != nil {
		return r.err
	}
	return r.check()
}

func (r *rehearsal) all() {
	coordinator := r.run("key --out @coordinator.key")
	for _, name := range contributors {
		r.run("key --out @" + name + ".key")
	}
	r.setup("setup", coordinator, "")
	for i := 1; i <= 4; i++ {
		r.run(fmt.Sprintf("committee card --network rehearsal --secrets @%d.secrets --out @card-%d.json --name", i, i), fmt.Sprintf("Bank %d", i))
	}
	r.run("committee init --dir @committee --network rehearsal --key @coordinator.key --cards", r.cards("card"))
	r.rounds("committee", "committee", "secrets", coordinator)
	manifest := r.run("key --out @manifest.key")
	r.run("setup seal --dir @setup --committee @committee --out @keys --key @manifest.key --coordinator " + coordinator + " --committee-coordinator " + coordinator)
	// a refresh may come between the beginning of a set-up for shapes and its end
	r.setup("shapes", coordinator, " --shapes rehearsal-shape --keys @keys --manifest-key "+manifest)
	for i := 1; i <= 4; i++ {
		r.run(fmt.Sprintf("refresh card --network rehearsal --share @share-%d.json --secrets @%d.refresh --out @refresh-%d.json --name", i, i, i), fmt.Sprintf("Bank %d", i))
	}
	r.run("refresh init --dir @refresh --network rehearsal --key @coordinator.key --keys @keys --manifest-key "+manifest+" --cards", r.cards("refresh"))
	r.rounds("refresh", "refresh", "refresh", coordinator)
	r.run("refresh seal --dir @refresh --keys @keys --manifest-key " + manifest + " --out @keys-1 --key @manifest.key --coordinator " + coordinator)
	r.run("setup seal-shapes --dir @shapes --keys @keys-1 --manifest-key " + manifest + " --out @keys-2 --key @manifest.key --coordinator " + coordinator)
	r.run("setup verify --dir @shapes --keys @keys-2 --manifest-key " + manifest + " --coordinator " + coordinator)
}

func (r *rehearsal) cards(prefix string) string {
	var all []string
	for i := 1; i <= 4; i++ {
		all = append(all, r.path(fmt.Sprintf("%s-%d.json", prefix, i)))
	}
	return strings.Join(all, ",")
}

var contributors = []string{"Ada", "Ben", "Cleo"}

// setup runs a set-up, with more options at its beginning where it is for shapes.
func (r *rehearsal) setup(dir, coordinator, more string) {
	r.run("setup init --dir @"+dir+" --network rehearsal --minimum 3 --key @coordinator.key"+more+" --beacon", "drawn here, for a rehearsal")
	for phase := 1; phase <= 2; phase++ {
		for _, name := range contributors {
			r.run("setup contribute --dir @" + dir + " --name " + name + " --key @" + name + ".key --coordinator " + coordinator)
		}
		var value [32]byte
		_, _ = rand.Read(value[:])
		r.run("setup beacon --dir @"+dir+" --key @coordinator.key --value "+hex.EncodeToString(value[:])+" --source", fmt.Sprintf("drawn for phase %d", phase))
	}
	r.run("setup verify --dir @" + dir + " --coordinator " + coordinator)
}

// rounds runs a committee's ceremony. Authority 4 stays silent in the refresh, as one of four may.
func (r *rehearsal) rounds(command, dir, secrets, coordinator string) {
	status := r.run(fmt.Sprintf("%s status --dir @%s --coordinator %s", command, dir, coordinator))
	_, first, _ := strings.Cut(status, "first record sha256 ")
	first, _, _ = strings.Cut(first, "\n")
	for _, round := range []string{"deal", "complain", "justify", "reveal", "open", "finish"} {
		for i := 1; i <= 4; i++ {
			if command == "refresh" && i == 4 && round != "finish" {
				continue
			}
			line := fmt.Sprintf("%s %s --dir @%s --secrets @%d.%s --coordinator %s", command, round, dir, i, secrets, coordinator)
			switch {
			case round == "deal":
				line += " --first-record " + first
			case round == "finish" && command == "committee":
				line += fmt.Sprintf(" --out @share-%d.json", i)
			case round == "finish":
				line += fmt.Sprintf(" --share @share-%d.json --out @share-%d-refreshed.json", i, i)
			}
			r.run(line)
		}
		r.run(fmt.Sprintf("%s close --dir @%s --key @coordinator.key", command, dir))
	}
	r.run(fmt.Sprintf("%s verify --dir @%s --coordinator %s --out @%s.json", command, dir, coordinator, dir+"-committee"))
}

// check checks the results: both manifests have the same key, the shares belong to them, old shares do not belong to the new
// one, and no real network accepts the keys.
func (r *rehearsal) check() error {
	for epoch, files := range []struct{ keys, share string }{{"keys", "share-%d.json"}, {"keys-1", "share-%d-refreshed.json"}} {
		m, digest, err := keys.ReadManifest(r.path(files.keys))
		if err != nil {
			return err
		}
		c, err := m.Committee.Decode()
		if err != nil {
			return err
		}
		if int(c.Epoch) != epoch || m.Class != keys.Ceremony.String() {
			return ceremony.Refuse(ceremony.WrongResult, "%s: epoch %d, class %s", files.keys, c.Epoch, m.Class)
		}
		for i := 1; i <= 4; i++ {
			if err := r.belongs(fmt.Sprintf(files.share, i), &c.Members[i-1], true); err != nil {
				return err
			}
			if epoch == 1 {
				if err := r.belongs(fmt.Sprintf("share-%d.json", i), &c.Members[i-1], false); err != nil {
					return err
				}
			}
		}
		key, err := keys.ManifestKey(r.path(files.keys))
		if err != nil {
			return err
		}
		if _, err := keys.OpenAsStated(r.path(files.keys), key); err == nil {
			return ceremony.Refuse(ceremony.WrongResult, "a network opens the keys of a rehearsal")
		}
		fmt.Fprintf(r.c.out, "%s: epoch %d, manifest sha256 %x, x %s...\n", files.keys, c.Epoch, digest, m.Committee.X[:16])
	}
	if err := r.checkShapes(); err != nil {
		return err
	}
	fmt.Fprintln(r.c.out, "the rehearsal is over; what it made is for no network")
	return nil
}

func (r *rehearsal) belongs(name string, m *suite.Member, want bool) error {
	share, seed, err := readShare(r.path(name))
	if err != nil {
		return err
	}
	suite.Wipe(seed)
	defer share.Close()
	if got := share.Matches(m) == nil; got != want {
		return ceremony.Refuse(ceremony.WrongShare, "%s: %v", name, got)
	}
	return nil
}

// checkShapes checks that the last folder has the shape beside the manifest of the refresh, bytes unchanged.
func (r *rehearsal) checkShapes() error {
	before, err := os.ReadFile(r.path("keys-1/manifest.json"))
	if err != nil {
		return err
	}
	after, err := os.ReadFile(r.path("keys-2/manifest.json"))
	if err != nil {
		return err
	}
	key, err := keys.ManifestKey(r.path("keys-2"))
	if err != nil {
		return err
	}
	shapes, err := keys.PinnedShapes(r.path("keys-2"), key)
	if err != nil {
		return err
	}
	if !bytes.Equal(before, after) || shapes == nil || len(shapes.Circuits) != 1 || len(shapes.Transcripts) != 1 {
		return ceremony.Refuse(ceremony.WrongResult, "keys-2 has no shape beside the manifest of keys-1")
	}
	fmt.Fprintf(r.c.out, "keys-2: shape %s, transcript sha256 %s\n", shapes.Circuits[0].Name, shapes.Transcripts[0].SHA256)
	return nil
}
