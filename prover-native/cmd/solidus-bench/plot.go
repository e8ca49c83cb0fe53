package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"solidus.io/prover/internal/plot"
)

const maxChart = 16 << 20

// plotOptions are the flags of the subcommand: a chart in the JSON form of package plot, or a report of the prover benchmark.
type plotOptions struct{ chart, prover, out string }

func parsePlot(args []string, stderr io.Writer) (plotOptions, error) {
	var o plotOptions
	flags := flag.NewFlagSet("plot", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.chart, "chart", "", "file with a chart (JSON)")
	flags.StringVar(&o.prover, "prover", "", "file with a result of the prover benchmark (JSON)")
	flags.StringVar(&o.out, "out", "", "file for the plot (SVG)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if (o.chart == "") == (o.prover == "") || o.out == "" || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "--out and either --chart or --prover are needed, without further arguments")
		return o, errors.New("usage")
	}
	return o, nil
}

func drawPlot(o plotOptions) error {
	var c plot.Chart
	if o.chart != "" {
		if err := readJSON(o.chart, &c); err != nil {
			return err
		}
		return drawn(&c, o.out)
	}
	var r report
	if err := readJSON(o.prover, &r); err != nil {
		return err
	}
	return drawn(r.chart(), o.out)
}

func readJSON(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, maxChart))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (r *report) chart() *plot.Chart {
	seconds := func(millis ...float64) (y []float64, labels []string) {
		for _, m := range millis {
			y, labels = append(y, m/1e3), append(labels, fmt.Sprintf("%.2f s", m/1e3))
		}
		return y, labels
	}
	wall, wallLabels := seconds(r.BaselineMillis, r.TransferMillis)
	cpu, cpuLabels := seconds(r.BaselineCPUMillis, r.TransferCPUMillis)
	return &plot.Chart{
		Title:    fmt.Sprintf("Proving a regulated transfer: %.1f times faster", r.Ratio),
		Subtitle: fmt.Sprintf("%d cores of %s; medians of %d proofs each, in turn, in one run", r.Cores, r.Machine, r.Runs),
		YLabel:   "seconds per proof",
		Categories: []string{
			fmt.Sprintf("the paper's construction (%d constraints)", r.BaselineConstraints),
			fmt.Sprintf("our transfer (%d constraints)", r.TransferConstraints),
		},
		Series: []plot.Series{
			{Name: "wall clock", Bars: true, Y: wall, Labels: wallLabels},
			{Name: "processor time", Bars: true, Y: cpu, Labels: cpuLabels},
		},
	}
}
