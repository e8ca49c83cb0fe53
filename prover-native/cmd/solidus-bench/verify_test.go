package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
)

// A round measures every batch size and stage, and what it measures refuses what it should.
func TestVerifyMeasuresEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	old := batchSizes
	defer func() { batchSizes = old }()
	batchSizes = []int{1, stagesAt}
	p, err := newPipeline()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.refusesAltered(); err != nil {
		t.Fatal(err)
	}
	m := newMeasurements()
	if err := p.round(m); err != nil {
		t.Fatal(err)
	}
	r := m.report(1)
	if len(r.Batches) != 2 || r.Batches["1"].MillisPerTransfer <= 0 || len(r.Stages) != 10 {
		t.Errorf("%+v", r)
	}
	if r.OneByOneMillis <= 0 || r.PaperMillis <= 0 {
		t.Errorf("one by one %v and %v ms", r.OneByOneMillis, r.PaperMillis)
	}
	frames, err := p.frames(2)
	if err != nil {
		t.Fatal(err)
	}
	frames[1][60] ^= 1 // in a serial number
	if _, err := p.run(frames); err == nil {
		t.Error("an altered transfer was served")
	}
}

// The proof that stands for the paper's has the public inputs of its construction, and its verification can fail.
func TestThePapersProof(t *testing.T) {
	p, err := newPaperProof()
	if err != nil {
		t.Fatal(err)
	}
	system, err := baselineSubject().build()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.key.NbPublicWitness(), system.GetNbPublicVariables()-1; got != want || p.key.CurveID() != ecc.BW6_761 {
		t.Errorf("%d public inputs over %v, want %d", got, p.key.CurveID(), want)
	}
	if _, err := p.verify(1); err != nil {
		t.Fatal(err)
	}
	other, err := newPaperProof()
	if err != nil {
		t.Fatal(err)
	}
	p.public = other.public
	if _, err := p.verify(1); err == nil {
		t.Error("a proof was accepted for another payment")
	}
}

func TestVerifyReportHasItsFields(t *testing.T) {
	m := newMeasurements()
	for _, what := range []string{
		"library", "paper", "batch 1", "batch 4", "batch 16", "batch 64", "batch 256", "decode", "verify", "sign",
		"verifySubgroups", "verifyKeySignatures", "verifyShownSignatures", "verifyOutputBases", "verifyLinks",
		"verifyProofs",
	} {
		if what == "paper" {
			m.note(what, reading{12 * time.Millisecond, 12 * time.Millisecond}, 1)
			continue
		}
		m.note(what, reading{8 * time.Millisecond, 4 * time.Millisecond}, 4)
		m.note(what, reading{24 * time.Millisecond, 4 * time.Millisecond}, 4)
	}
	o := verifyOptions{json: filepath.Join(t.TempDir(), "r.json"), plot: filepath.Join(t.TempDir(), "r.svg")}
	var stdout bytes.Buffer
	if err := m.report(2).write(o, &stdout); err != nil {
		t.Fatal(err)
	}
	var got verifyReport
	if err := readJSON(o.json, &got); err != nil {
		t.Fatal(err)
	}
	want := batchReport{
		MillisPerTransfer: 4, PaperRatio: 3, Ratio: 1, CPUMillisPerTransfer: 1, PaperCPURatio: 12, CPURatio: 1,
	}
	for _, size := range []string{"1", "4", "16", "64", "256"} {
		if got.Batches[size] != want {
			t.Errorf("batch %s: %+v", size, got.Batches[size])
		}
	}
	if got.OneByOneMillis != 4 || got.PaperMillis != 12 || got.Stages["verifyRest"] != -5 || got.Machine.CoresUsed != 1 {
		t.Errorf("%+v", got)
	}
	if svg, err := os.ReadFile(o.plot); err != nil || !bytes.Contains(svg, []byte("4.00 ms (3.0x)")) {
		t.Error("the plot lacks a figure", err)
	}
}

func TestPlotDrawsChartsAndEarlierResults(t *testing.T) {
	dir := t.TempDir()
	chart, out := filepath.Join(dir, "chart.json"), filepath.Join(dir, "out.svg")
	put := func(content string) {
		if err := os.WriteFile(chart, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		return run(append([]string{"plot", "--out", out}, args...), &stdout, &stderr), stderr.String()
	}
	put(`{"title":"latency","series":[{"name":"p99","x":[1,2],"y":[3,4]}]}`)
	if code, said := call("--chart", chart); code != 0 {
		t.Fatal(said)
	}
	put(`{"title":"latency","colour":"red"}`)
	if code, _ := call("--chart", chart); code != 1 {
		t.Error("an unknown field was drawn")
	}
	text, err := json.Marshal(&report{BaselineMillis: 10, TransferMillis: 5, Ratio: 2, BaselineCPUMillis: 20, TransferCPUMillis: 10})
	if err != nil {
		t.Fatal(err)
	}
	put(string(text))
	if code, said := call("--prover", chart); code != 0 {
		t.Fatal(said)
	}
}
