package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/consensys/gnark-crypto/ecc"
	groth16 "github.com/consensys/gnark/backend/groth16/bls12-381"
	"github.com/consensys/gnark/backend/groth16/bls12-381/mpcsetup"
	"github.com/consensys/gnark/frontend"

	"solidus.io/prover/ceremony"
	"solidus.io/prover/groth"
	"solidus.io/prover/keys"
)

func raw(t *testing.T, c *keys.SealedCircuit) (pk, vk []byte) {
	t.Helper()
	var a, b bytes.Buffer
	_, err := c.ProvingKey.WriteRawTo(&a)
	must(t, err)
	_, err = c.VerifyingKey.WriteRawTo(&b)
	must(t, err)
	return a.Bytes(), b.Bytes()
}

func TestTheKeysProveAndEverybodyGetsTheSame(t *testing.T) {
	first, err := copyOf(t, ended2).Verify()
	must(t, err)
	second, err := copyOf(t, ended2).Verify()
	must(t, err)
	if first.Digest != second.Digest || len(first.Digest) != 64 || len(first.Contributors[0]) != 3 {
		t.Fatalf("%+v", first)
	}
	for i := range first.Circuits {
		pk1, vk1 := raw(t, &first.Circuits[i])
		pk2, vk2 := raw(t, &second.Circuits[i])
		if !bytes.Equal(pk1, pk2) || !bytes.Equal(vk1, vk2) {
			t.Error("two replays give different keys")
		}
		proves(t, &first.Circuits[i], []int{6, 2}[i])
	}
}

func proves(t *testing.T, c *keys.SealedCircuit, steps int) {
	t.Helper()
	x := 2
	y := ecc.BLS12_381.ScalarField()
	y.SetInt64(1).Lsh(y, 1<<steps)
	assignment := &chain{Steps: steps, X: x, Y: y, Idle: 7}
	witness, err := frontend.NewWitness(assignment, ecc.BLS12_381.ScalarField())
	must(t, err)
	proof, err := groth16.Prove(c.System, c.ProvingKey, witness)
	must(t, err)
	vk, err := groth.NewVerifyingKey(c.VerifyingKey, 1)
	must(t, err)
	encoded, err := groth.Encode(proof)
	must(t, err)
	decoded, err := groth.Decode(encoded)
	must(t, err)
	var public groth.Field
	public.SetBigInt(y)
	must(t, vk.Verify(decoded, []groth.Field{public}))
	public.SetInt64(3)
	if vk.Verify(decoded, []groth.Field{public}) == nil {
		t.Error("the key accepts another input")
	}
}

// gnark alone replays a transcript: it reads the files, accepts every contribution, and comes to the same keys.
func TestTheLibraryAgrees(t *testing.T) {
	c := copyOf(t, ended2)
	ours, err := c.Verify()
	must(t, err)
	n := uint64(ours.Init.Domain)
	last := mpcsetup.NewPhase1(n)
	for _, name := range []string{"001.bin", "002.bin", "003.bin"} {
		next := new(mpcsetup.Phase1)
		_, err := next.ReadFrom(bytes.NewReader(fileOf(t, c, filepath.Join("phase1", name))))
		must(t, err)
		must(t, last.Verify(next))
		last = next
	}
	first, err := ours.Beacons[0].value()
	must(t, err)
	second, err := ours.Beacons[1].value()
	must(t, err)
	commons := last.Seal(first)
	for i, circuit := range c.Circuits {
		trimmed, err := trim(&commons, ours.Init.Circuits[i].Domain)
		must(t, err)
		var all []*mpcsetup.Phase2
		for _, number := range []string{"001-", "002-", "003-"} {
			next := new(mpcsetup.Phase2)
			_, err := next.ReadFrom(bytes.NewReader(fileOf(t, c, filepath.Join("phase2", number+circuit.Name+".bin"))))
			must(t, err)
			all = append(all, next)
		}
		pk, vk, err := mpcsetup.VerifyPhase2(circuit.System, trimmed, second, all...)
		must(t, err)
		var gotPK, gotVK bytes.Buffer
		_, err = pk.WriteRawTo(&gotPK)
		must(t, err)
		_, err = vk.WriteRawTo(&gotVK)
		must(t, err)
		wantPK, wantVK := raw(t, &ours.Circuits[i])
		if !bytes.Equal(gotPK.Bytes(), wantPK) || !bytes.Equal(gotVK.Bytes(), wantVK) {
			t.Errorf("the library makes other keys for %s", circuit.Name)
		}
	}
}

// A contribution of the library itself is one of ours.
func TestTheLibraryContributes(t *testing.T) {
	c := copyOf(t, contributed1)
	p := new(mpcsetup.Phase1)
	_, err := p.ReadFrom(bytes.NewReader(fileOf(t, c, "phase1/002.bin")))
	must(t, err)
	p.Contribute()
	var out bytes.Buffer
	_, err = p.WriteTo(&out)
	must(t, err)
	swapIn(t, c, 1, out.Bytes())
	_, err = c.Verify()
	must(t, err)
}

func TestAnUnfinishedCeremonyIsVerifiedAsFarAsItGoes(t *testing.T) {
	for s := contributed1; s < ended2; s++ {
		r, err := copyOf(t, s).Verify()
		must(t, err)
		if r.Circuits != nil || r.Digest != "" {
			t.Error("keys of an unfinished ceremony")
		}
	}
}

// Every byte of a finished folder counts: with any byte of any file changed, the transcript is refused or is another one.
//
//spec:id K-02
func TestEveryFileCounts(t *testing.T) {
	whole := copyOf(t, ended2)
	want, err := whole.Verify()
	must(t, err)
	must(t, filepath.WalkDir(whole.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(whole.Dir, path)
		b := fileOf(t, whole, name)
		for _, at := range []int{0, len(b) / 2, len(b) - 1} {
			changed := bytes.Clone(b)
			changed[at] ^= 1
			must(t, os.WriteFile(path, changed, 0o644))
			// where phase 2 begins is computed, so a copy of it may be wrong without harm to anything but contributors
			r, err := whole.Verify()
			if err == nil && (filepath.Base(name)[:3] != "000" || !reflect.DeepEqual(r.Digest, want.Digest)) {
				t.Errorf("byte %d of %s may change", at, name)
			}
		}
		must(t, os.Remove(path))
		if _, err := whole.Verify(); err == nil && filepath.Base(name)[:3] != "000" && filepath.Base(name) != beaconFile {
			t.Errorf("%s may be missing", name)
		}
		return os.WriteFile(path, b, 0o644)
	}))
	must(t, os.WriteFile(filepath.Join(whole.Dir, "phase1", "note.txt"), nil, 0o644))
	_, err = whole.Verify()
	refused(t, err, ceremony.Surplus)
}
