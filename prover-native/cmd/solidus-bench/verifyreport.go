package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"solidus.io/prover/internal/plot"
)

// verifyReport is the result of one run: medians over the rounds, in milliseconds per transfer. Paper is the library's
// verification of a proof of the paper's construction, one by one, and OneByOne that of our proofs. Processor times are given
// beside elapsed times because they hardly depend on other load. The stages are processor times, at a batch of 64.
type verifyReport struct {
	Machine           verifyMachine          `json:"machine"`
	PaperMillis       float64                `json:"paperOneByOneMillis"`
	PaperCPUMillis    float64                `json:"paperOneByOneCpuMillis"`
	OneByOneMillis    float64                `json:"oneByOneMillis"`
	OneByOneCPUMillis float64                `json:"oneByOneCpuMillis"`
	Batches           map[string]batchReport `json:"batches"`
	Stages            map[string]float64     `json:"stages"`
}

type verifyMachine struct {
	Processor   string `json:"processor"`
	Cores       int    `json:"cores"`
	CoresUsed   int    `json:"coresUsed"`
	GoVersion   string `json:"goVersion"`
	LoadAverage string `json:"loadAverage"`
	Rounds      int    `json:"rounds"`
}

// batchReport is everything that a validator computes for a transfer, in batches of one size. The ratios are the paper's time
// divided by ours, and the library's time for our proofs divided by ours.
type batchReport struct {
	MillisPerTransfer    float64 `json:"millisPerTransfer"`
	PaperRatio           float64 `json:"paperRatio"`
	Ratio                float64 `json:"ratio"`
	CPUMillisPerTransfer float64 `json:"cpuMillisPerTransfer"`
	PaperCPURatio        float64 `json:"paperCpuRatio"`
	CPURatio             float64 `json:"cpuRatio"`
}

// measurements are samples by name, in milliseconds per transfer.
type measurements struct{ wall, cpu map[string][]float64 }

func newMeasurements() *measurements {
	return &measurements{map[string][]float64{}, map[string][]float64{}}
}

func (m *measurements) note(what string, r reading, transfers int) {
	each := float64(transfers)
	m.wall[what] = append(m.wall[what], r.wall.Seconds()*1e3/each)
	m.cpu[what] = append(m.cpu[what], r.cpu.Seconds()*1e3/each)
}

func middle(samples []float64) float64 {
	sorted := slices.Sorted(slices.Values(samples))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func (m *measurements) report(rounds int) *verifyReport {
	r := &verifyReport{
		Machine: verifyMachine{
			Processor: describeMachine(), Cores: runtime.NumCPU(), CoresUsed: 1, GoVersion: runtime.Version(),
			LoadAverage: loadAverage(), Rounds: rounds,
		},
		PaperMillis: middle(m.wall["paper"]), PaperCPUMillis: middle(m.cpu["paper"]),
		OneByOneMillis: middle(m.wall["library"]), OneByOneCPUMillis: middle(m.cpu["library"]),
		Batches: map[string]batchReport{}, Stages: map[string]float64{},
	}
	for _, size := range batchSizes {
		name := strconv.Itoa(size)
		wall, cpu := middle(m.wall["batch "+name]), middle(m.cpu["batch "+name])
		r.Batches[name] = batchReport{
			MillisPerTransfer: wall, PaperRatio: r.PaperMillis / wall, Ratio: r.OneByOneMillis / wall,
			CPUMillisPerTransfer: cpu, PaperCPURatio: r.PaperCPUMillis / cpu, CPURatio: r.OneByOneCPUMillis / cpu,
		}
	}
	for _, stage := range []string{"decode", "verify", "sign"} {
		r.Stages[stage] = middle(m.cpu[stage])
	}
	rest := r.Stages["verify"]
	for _, name := range []string{
		"verifySubgroups", "verifyKeySignatures", "verifyShownSignatures", "verifyOutputBases", "verifyLinks", "verifyProofs",
	} {
		r.Stages[name] = middle(m.cpu[name])
		rest -= r.Stages[name]
	}
	r.Stages["verifyRest"] = rest // decoding proofs and signatures, digests, challenges, public inputs
	return r
}

// loadAverage returns the load average of the system.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return "unknown"
	}
	return strings.Join(fields[:3], " ")
}

// write writes the report to a file, or to standard output without one, and draws it if a plot is requested.
func (r *verifyReport) write(o verifyOptions, stdout io.Writer) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := deliver(append(text, '\n'), o.json, stdout); err != nil {
		return err
	}
	if err := drawn(r.chart(), o.plot); err != nil {
		return err
	}
	if o.json == "" {
		return nil
	}
	b := r.Batches["64"]
	_, err = fmt.Fprintf(stdout, "a proof of the paper's construction, one by one %.2f ms; "+
		"at 64: %.2f ms per transfer with everything a validator computes, %.2f times less "+
		"(%.2f by processor time; medians of %d rounds, one core); our proofs alone, one by one %.2f ms: %.2f times less (%.2f)\n",
		r.PaperMillis, b.MillisPerTransfer, b.PaperRatio, b.PaperCPURatio, r.Machine.Rounds, r.OneByOneMillis, b.Ratio, b.CPURatio)
	return err
}

func (r *verifyReport) chart() *plot.Chart {
	pipeline := plot.Series{Name: "the whole pipeline: decode, verify proof, link and shown signatures, sign both outputs", Bars: true}
	c := &plot.Chart{
		Title: "A validator's computation per regulated transfer",
		Subtitle: fmt.Sprintf("one core of %s; medians of %d rounds of one run; our proof alone, one by one, gnark: %.2f ms",
			r.Machine.Processor, r.Machine.Rounds, r.OneByOneMillis),
		XLabel: "transfers per batch", YLabel: "milliseconds per transfer",
		Marks: []plot.Mark{{
			Name: fmt.Sprintf("a proof of the paper's construction alone, one by one, gnark: %.2f ms", r.PaperMillis), Y: r.PaperMillis,
		}},
	}
	for _, size := range batchSizes {
		name := strconv.Itoa(size)
		b := r.Batches[name]
		c.Categories = append(c.Categories, name)
		pipeline.Y = append(pipeline.Y, b.MillisPerTransfer)
		pipeline.Labels = append(pipeline.Labels, fmt.Sprintf("%.2f ms (%.1fx)", b.MillisPerTransfer, b.PaperRatio))
	}
	c.Series = []plot.Series{pipeline}
	return c
}

// deliver writes text to a file, or to standard output without one.
func deliver(text []byte, path string, stdout io.Writer) error {
	if path == "" {
		_, err := stdout.Write(text)
		return err
	}
	return replaceFile(path, text)
}

// drawn draws a chart into a file. Without one it does nothing.
func drawn(c *plot.Chart, path string) error {
	if path == "" {
		return nil
	}
	svg, err := c.SVG()
	if err != nil {
		return err
	}
	return replaceFile(path, svg)
}
