package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
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

// wasmOptions are the options of the measurement in WebAssembly.
type wasmOptions struct {
	module, script, node, json string
	runs                       int
}

func parseWasm(args []string, stderr io.Writer) (wasmOptions, error) {
	var o wasmOptions
	flags := flag.NewFlagSet("wasm", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.module, "module", "", "the library as a WebAssembly module")
	flags.StringVar(&o.script, "script", "", "cabi/wasm/prove.mjs")
	flags.StringVar(&o.node, "node", "node", "Node.js")
	flags.StringVar(&o.json, "json", "", "file for the result; without one it is printed")
	flags.IntVar(&o.runs, "runs", 3, "proofs")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.module == "" || o.script == "" || o.runs < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "wasm takes --module, --script and --runs of at least 1")
		return o, errors.New("usage")
	}
	return o, nil
}

// wasmResult is the time of a proof in WebAssembly, on one thread.
type wasmResult struct {
	OpenMillis  int   `json:"openMillis"`
	ProveMillis []int `json:"proveMillis"`
	MemoryBytes int64 `json:"memoryBytes"`
	ModuleBytes int64 `json:"moduleBytes"`
}

func (r *wasmResult) write(path string, stdout io.Writer) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return deliver(append(text, '\n'), path, stdout)
}

// measureWasm lets the module prove a transfer in Node and verifies the proof here.
func measureWasm(o wasmOptions, progress io.Writer) (*wasmResult, error) {
	dir, err := os.MkdirTemp("", "solidus-wasm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	task, err := newWasmTask(dir, progress)
	if err != nil {
		return nil, err
	}
	command := exec.Command(o.node, "--no-warnings", o.script, o.module, filepath.Join(dir, "keys"),
		filepath.Join(dir, "open"), filepath.Join(dir, "witness"), strconv.Itoa(o.runs), filepath.Join(dir, "proof"))
	command.Stderr = progress
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("the module in Node: %w", err)
	}
	var r wasmResult
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

// wasmTask is a transfer that the module proves.
type wasmTask struct {
	set    *keys.Set
	sample *sampled
}

func wasmWork(args []string, stdout, stderr io.Writer) (func() error, error) {
	o, err := parseWasm(args, stderr)
	return func() error {
		r, err := measureWasm(o, stderr)
		if err != nil {
			return err
		}
		return r.write(o.json, stdout)
	}, err
}

// newWasmTask makes keys and writes the two requests.
func newWasmTask(dir string, progress io.Writer) (*wasmTask, error) {
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
	open = append(open, byte(statement.Regulated), byte(keys.Classes(keys.Development)))
	open = appendSized(appendSized(open, manifest), []byte("/keys"))
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "open"), open, 0o600), os.WriteFile(filepath.Join(dir, "witness"), witness, 0o600),
	); err != nil {
		return nil, err
	}
	return &wasmTask{set, sample}, nil
}

// verify checks the link and the proof with the native library.
func (t *wasmTask) verify(file string) error {
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

func (t *wasmTask) accepts(raw []byte) error {
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
