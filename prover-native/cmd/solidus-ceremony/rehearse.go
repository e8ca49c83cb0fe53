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
	n, err := statement.NewNetwork(network)
	if err != nil {
		return nil, err
	}
	var all []keys.Compiled
	for name, steps := range map[string]int{"rehearsal-a": 12, "rehearsal-b": 3} {
		compiled, err := frontend.Compile(ecc.BLS12_381.ScalarField(), r1cs.NewBuilder, &small{Network: n.Tag(), Steps: steps})
		if err != nil {
			return nil, err
		}
		s := compiled.(*cs.R1CS)
		all = append(all, keys.Compiled{Name: name, Version: 1, PublicInputs: 1, Digest: identify.Digest(s), System: s})
	}
	if all[0].Name > all[1].Name {
		all[0], all[1] = all[1], all[0]
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
	inner.compile = smallCircuits
	r := &rehearsal{c: &inner, dir: dir}
	r.all()
	if r.err != nil {
		return r.err
	}
	return r.check()
}

func (r *rehearsal) all() {
	coordinator := r.run("key --out @coordinator.key")
	r.setup(coordinator)
	for i := 1; i <= 4; i++ {
		r.run(fmt.Sprintf("committee card --network rehearsal --secrets @%d.secrets --out @card-%d.json --name", i, i), fmt.Sprintf("Bank %d", i))
	}
	r.run("committee init --dir @committee --network rehearsal --key @coordinator.key --cards", r.cards("card"))
	r.rounds("committee", "committee", "secrets", coordinator)
	manifest := r.run("key --out @manifest.key")
	r.run("setup seal --dir @setup --committee @committee --out @keys --key @manifest.key --coordinator " + coordinator + " --committee-coordinator " + coordinator)
	for i := 1; i <= 4; i++ {
		r.run(fmt.Sprintf("refresh card --network rehearsal --share @share-%d.json --secrets @%d.refresh --out @refresh-%d.json --name", i, i, i), fmt.Sprintf("Bank %d", i))
	}
	r.run("refresh init --dir @refresh --network rehearsal --key @coordinator.key --keys @keys --manifest-key "+manifest+" --cards", r.cards("refresh"))
	r.rounds("refresh", "refresh", "refresh", coordinator)
	r.run("refresh seal --dir @refresh --keys @keys --manifest-key " + manifest + " --out @keys-1 --key @manifest.key --coordinator " + coordinator)
}

func (r *rehearsal) cards(prefix string) string {
	var all []string
	for i := 1; i <= 4; i++ {
		all = append(all, r.path(fmt.Sprintf("%s-%d.json", prefix, i)))
	}
	return strings.Join(all, ",")
}

func (r *rehearsal) setup(coordinator string) {
	r.run("setup init --dir @setup --network rehearsal --minimum 3 --key @coordinator.key --beacon", "drawn here, for a rehearsal")
	for phase := 1; phase <= 2; phase++ {
		for _, name := range []string{"Ada", "Ben", "Cleo"} {
			if phase == 1 {
				r.run("key --out @" + name + ".key")
			}
			r.run("setup contribute --dir @setup --name " + name + " --key @" + name + ".key --coordinator " + coordinator)
		}
		var value [32]byte
		_, _ = rand.Read(value[:])
		r.run("setup beacon --dir @setup --key @coordinator.key --value "+hex.EncodeToString(value[:])+" --source", fmt.Sprintf("drawn for phase %d", phase))
	}
	r.run("setup verify --dir @setup --coordinator " + coordinator)
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
