package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"solidus.io/prover/cabi"
	"solidus.io/prover/circuits/clause"
	"solidus.io/prover/groth"
	"solidus.io/prover/keys"
	"solidus.io/prover/statement"
	"solidus.io/prover/suite"
)

// moduleKeys is the folder of the keys as the module sees it.
const moduleKeys = "/keys"

// wasmOptions say what runs in Node.
type wasmOptions struct {
	module, script, node string
}

// proved is what proofs took in one process.
type proved struct {
	OpenMillis  int   `json:"openMillis"`
	ProveMillis []int `json:"proveMillis"`
	MemoryBytes int64 `json:"memoryBytes"`
	// of the library's module, or of the program with it
	ModuleBytes int64 `json:"moduleBytes"`
}

// proveInNode lets the module prove the task in Node and verifies the proof here.
func proveInNode(o wasmOptions, task *deviceTask, dir string, runs int, progress io.Writer) (*proved, error) {
	command := exec.Command(o.node, "--no-warnings", o.script, o.module, filepath.Join(dir, "keys"),
		filepath.Join(dir, "open"), filepath.Join(dir, "witness"), strconv.Itoa(runs), filepath.Join(dir, "proof"))
	command.Stderr = progress
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the module in Node: %w", err)
	}
	var r proved
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, err
	}
	info, err := os.Stat(o.module)
	if err != nil {
		return nil, err
	}
	r.ModuleBytes = info.Size()
	return &r, task.verify(filepath.Join(dir, "proof"))
}

// deviceTask is a transfer that every device proves.
type deviceTask struct {
	set    *keys.Set
	sample *sampled
}

// newDeviceTask makes keys and writes the two requests.
func newDeviceTask(dir string, progress io.Writer) (*deviceTask, error) {
	folder := filepath.Join(dir, "keys")
	manifest, err := keys.Make(folder, keys.Plan{
		Network: benchmarkNetwork, Kind: statement.Regulated, Class: keys.Development, Validators: 4,
		Progress: func(line string) { fmt.Fprintln(progress, line) },
	})
	if err != nil {
		return nil, err
	}
	set, err := keys.Open(folder, keys.Expectation{
		Network: benchmarkNetwork, Kind: statement.Regulated, Allowed: keys.Classes(keys.Development), ManifestKey: manifest,
	})
	if err != nil {
		return nil, err
	}
	sample, err := newSample(set.Network.Tag())
	if err != nil {
		return nil, err
	}
	witness, err := cabi.EncodeTransferWitness(sample.core, &sample.pkAuth, sample.witness)
	if err != nil {
		return nil, err
	}
	open := appendSized(nil, []byte(benchmarkNetwork))
	// not in production, and no transcripts of ceremonies
	open = append(open, byte(statement.Regulated), byte(keys.Classes(keys.Development)), 0, 0, 0, 0, 0)
	open = appendSized(appendSized(open, manifest), []byte(moduleKeys))
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "open"), open, 0o600), os.WriteFile(filepath.Join(dir, "witness"), witness, 0o600),
	); err != nil {
		return nil, err
	}
	return &deviceTask{set, sample}, nil
}

// verify checks the link and the proof with the native library.
func (t *deviceTask) verify(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := t.accepts(raw); err != nil {
		return fmt.Errorf("the proof of the module: %w", err)
	}
	for _, at := range []int{0, groth.ProofBytes, len(raw) - 1} {
		altered := bytes.Clone(raw)
		altered[at] ^= 1
		if t.accepts(altered) == nil {
			return fmt.Errorf("the proof was accepted with byte %d altered", at)
		}
	}
	return nil
}

func (t *deviceTask) accepts(raw []byte) error {
	proof, err := statement.DecodeProof(statement.FamilyTransfer, raw)
	if err != nil {
		return err
	}
	p := &t.sample.witness.Public
	s := &suite.LinkStatement{
		Core: t.sample.core, D: p.D, RK: &p.Rk,
		H: []suite.G1{p.ShowCc.H, p.Show[0].H, p.Show[1].H, p.Out[0].H, p.Out[1].H},
		M: []suite.G1{p.ShowCc.M, p.Show[0].M, p.Show[1].M, p.Out[0].K, p.Out[1].K},
	}
	if err := suite.VerifyLink(s, proof.Link); err != nil {
		return err
	}
	claim, err := suite.NewLinkClaim(s, proof.Link)
	if err != nil {
		return err
	}
	return t.set.VerifierKeys().Transfer.Key.Verify(proof.Groth, p.Vector(&clause.Link{Shown: *proof.Link, C: claim.C}))
}

func appendSized(b, part []byte) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(part))), part...)
}
