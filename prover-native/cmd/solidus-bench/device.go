package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"solidus.io/prover/cabi"
	"solidus.io/prover/internal/machine"
	"solidus.io/prover/statement"
)

// deviceOptions are the options of the measurement of what a wallet's device needs for a proof.
type deviceOptions struct {
	wasm          wasmOptions
	arm64, runner string
	json          string
	runs          int
}

func parseDevice(args []string, stderr io.Writer) (deviceOptions, error) {
	var o deviceOptions
	flags := flag.NewFlagSet("device", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.wasm.module, "module", "", "the library as a WebAssembly module; without one WebAssembly is left out")
	flags.StringVar(&o.wasm.script, "script", "", "cabi/wasm/prove.mjs")
	flags.StringVar(&o.wasm.node, "node", "node", "Node.js")
	flags.StringVar(&o.arm64, "arm64", "", "this program for arm64; without one arm64 is left out")
	flags.StringVar(&o.runner, "runner", "", "emulator that runs --arm64")
	flags.StringVar(&o.json, "json", "", "file for the result; without one it is printed")
	flags.IntVar(&o.runs, "runs", 3, "proofs on each device")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.runs < 1 || (o.wasm.module == "") != (o.wasm.script == "") || (o.arm64 == "") != (o.runner == "") || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "device takes --runs of at least 1, --module with --script, and --arm64 with --runner")
		return o, errors.New("usage")
	}
	return o, nil
}

// deviceResult is what a proof of a regulated transfer takes on each device, and what has to be fetched before.
type deviceResult struct {
	Machine string `json:"machine"`
	// by name, of the development keys of one network
	KeyBytes map[string]int64 `json:"keyBytes"`
	Devices  []deviceRow      `json:"devices"`
}

type deviceRow struct {
	Device   string `json:"device"`
	Threads  int    `json:"threads"`
	Emulated bool   `json:"emulated"`
	proved
}

func deviceWork(args []string, stdout, stderr io.Writer) (func() error, error) {
	o, err := parseDevice(args, stderr)
	return func() error {
		r, err := measureDevices(o, stderr)
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		return deliver(append(text, '\n'), o.json, stdout)
	}, err
}

// measureDevices lets each device prove one transfer with the same keys, each in a process of its own, and verifies all proofs.
func measureDevices(o deviceOptions, progress io.Writer) (*deviceResult, error) {
	dir, err := os.MkdirTemp("", "solidus-device")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	task, err := newDeviceTask(dir, progress)
	if err != nil {
		return nil, err
	}
	r := &deviceResult{Machine: describeMachine()}
	if r.KeyBytes, err = keyBytes(filepath.Join(dir, "keys")); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for threads := 1; threads <= min(4, runtime.NumCPU()); threads *= 2 {
		row := deviceRow{Device: runtime.GOOS + "-" + runtime.GOARCH, Threads: threads}
		if err := row.measure(task, dir, o.runs, progress, self); err != nil {
			return nil, err
		}
		r.Devices = append(r.Devices, row)
	}
	if o.arm64 != "" {
		row := deviceRow{Device: "linux-arm64", Threads: 1, Emulated: true}
		if err := row.measure(task, dir, o.runs, progress, o.runner, o.arm64); err != nil {
			return nil, err
		}
		r.Devices = append(r.Devices, row)
	}
	if o.wasm.module != "" {
		row := deviceRow{Device: "wasm in Node.js", Threads: 1}
		made, err := proveInNode(o.wasm, task, dir, o.runs, progress)
		if err != nil {
			return nil, err
		}
		row.proved = *made
		r.Devices = append(r.Devices, row)
	}
	return r, nil
}

// keyBytes are the sizes of a folder's proving keys.
func keyBytes(folder string) (map[string]int64, error) {
	sizes := make(map[string]int64)
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".pk") {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			return nil, err
		}
		sizes[entry.Name()] = info.Size()
	}
	return sizes, err
}

// measure proves in a process of its own: command is this program, after an emulator where there is one.
func (row *deviceRow) measure(task *deviceTask, dir string, runs int, progress io.Writer, command ...string) error {
	fmt.Fprintf(progress, "%s, %d threads\n", row.Device, row.Threads)
	proof := filepath.Join(dir, "proof")
	args := slices.Concat(command[1:], []string{"prove", "--dir", dir, "--runs", strconv.Itoa(runs), "--proof", proof})
	child := exec.Command(command[0], args...)
	child.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(row.Threads))
	child.Stderr = progress
	out, err := child.Output()
	if err != nil {
		return fmt.Errorf("the prover on %s: %w", row.Device, err)
	}
	if err := json.Unmarshal(out, &row.proved); err != nil {
		return err
	}
	info, err := os.Stat(command[len(command)-1])
	if err != nil {
		return err
	}
	row.ModuleBytes = info.Size()
	return task.verify(proof)
}

// proveOptions are the options of the process that proves.
type proveOptions struct {
	dir, proof string
	runs       int
}

func parseProve(args []string, stderr io.Writer) (proveOptions, error) {
	var o proveOptions
	flags := flag.NewFlagSet("prove", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.dir, "dir", "", "directory with keys, open and witness, as device makes it")
	flags.StringVar(&o.proof, "proof", "", "file for the last proof")
	flags.IntVar(&o.runs, "runs", 1, "proofs")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.dir == "" || o.proof == "" || o.runs < 1 || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "prove takes --dir, --proof and --runs of at least 1")
		return o, errors.New("usage")
	}
	return o, nil
}

// proveOnDevice reads keys and makes proofs as a wallet's library does, and prints what that took.
func proveOnDevice(o proveOptions, stdout io.Writer) error {
	begin := time.Now()
	request, err := os.ReadFile(filepath.Join(o.dir, "open"))
	if err != nil {
		return err
	}
	// the request names the folder of the module in Node.js
	request = append(request[:len(request)-len(moduleKeys)-4], appendSized(nil, []byte(filepath.Join(o.dir, "keys")))...)
	handle, err := answer(cabi.Invoke(opKeysOpen, request))
	if err != nil {
		return err
	}
	r := proved{OpenMillis: int(time.Since(begin).Milliseconds())}
	witness, err := os.ReadFile(filepath.Join(o.dir, "witness"))
	if err != nil {
		return err
	}
	var proof []byte
	for range o.runs {
		begin := time.Now()
		prove := append(append([]byte{}, handle...), byte(statement.FamilyTransfer))
		if proof, err = answer(cabi.Invoke(opProve, appendSized(prove, witness))); err != nil {
			return err
		}
		r.ProveMillis = append(r.ProveMillis, int(time.Since(begin).Milliseconds()))
	}
	r.MemoryBytes = machine.PeakMemory()
	if err := os.WriteFile(o.proof, proof, 0o600); err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(r)
}

// operations of the library, as its callers number them
const (
	opKeysOpen = 60
	opProve    = 70
)

// answer is the content of a reply of the library.
func answer(reply []byte) ([]byte, error) {
	if len(reply) < 2 || binary.BigEndian.Uint16(reply) != 0 {
		return nil, fmt.Errorf("the library refused: %q", reply)
	}
	return reply[2:], nil
}
