package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	gonum "gonum.org/v1/plot"
)

func sample() *Chart {
	return &Chart{
		Title: "A & B", Subtitle: "<one run>", XLabel: "x", YLabel: "y", Categories: []string{"1", "4"},
		Series: []Series{
			{Name: "bars", Bars: true, Y: []float64{4, 2}, Labels: []string{"4 ms", ""}},
			{Name: "line", Y: []float64{1, 3}},
		},
		Marks: []Mark{{"limit", 3.5}},
	}
}

func drawn(t *testing.T, c *Chart) string {
	t.Helper()
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
	return string(svg)
}

func TestDrawsEverythingAndRefersToNothing(t *testing.T) {
	svg := drawn(t, sample())
	for _, want := range []string{"A &amp; B", "&lt;one run&gt;", "4 ms", "limit", ">bars<", ">line<", "stroke-dasharray"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if bars := strings.Count(svg, "fill:#0072B2"); bars != 2+1 { // legend
		t.Errorf("%d bars", bars)
	}
	if lines := strings.Count(svg, "stroke:#D55E00"); lines != 1+1 { // legend
		t.Errorf("%d lines", lines)
	}
	for _, refuse := range []string{"href", "url(", "<script", "<image", "NaN", "Inf"} {
		if strings.Contains(svg, refuse) {
			t.Errorf("%q", refuse)
		}
	}
	if svg != drawn(t, sample()) {
		t.Error("two drawings of one chart differ")
	}
}

func TestNumericAxes(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := &Chart{Title: "t", LogX: log, LogY: log, Series: []Series{{Name: "p99", X: []float64{10, 100, 1000}, Y: []float64{5, 6, 500}}}}
		if svg := drawn(t, c); !strings.Contains(svg, ">500<") {
			t.Error("a tick is missing")
		}
	}
	drawn(t, &Chart{Series: []Series{{X: []float64{0}, Y: []float64{0}}}})
}

// Every value is on the axis, and so is every tick.
func TestAxis(t *testing.T) {
	for _, values := range [][]float64{{0.0013, 0.0011}, {7, 2000}, {-3, 5}, {1e9, 1e9 + 1}, {42}} {
		for _, log := range []bool{false, true} {
			if log && values[0] < 0 {
				continue
			}
			a := gonum.Axis{Min: slices.Min(values), Max: slices.Max(values)}
			fit(&a, log)
			if a.Min > slices.Min(values) || a.Max < slices.Max(values) {
				t.Errorf("%v, log %v: the axis is from %v to %v", values, log, a.Min, a.Max)
			}
			ticks := steps(a.Min, a.Max)
			if log {
				ticks = decades(a.Min, a.Max)
			}
			if len(ticks) < 1 || len(ticks) > 40 {
				t.Errorf("%v, log %v: %d ticks", values, log, len(ticks))
			}
			for _, tick := range ticks {
				if tick.Value < a.Min || tick.Value > a.Max {
					t.Errorf("%v, log %v: a tick at %v", values, log, tick.Value)
				}
			}
			drawn(t, &Chart{LogX: log, LogY: log, Series: []Series{{X: values, Y: values}}})
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Chart)
		want   error
	}{
		"empty":          {func(c *Chart) { c.Series = nil }, errEmpty},
		"not a number":   {func(c *Chart) { c.Series[0].Y[0] = math.NaN() }, errValue},
		"infinite mark":  {func(c *Chart) { c.Marks[0].Y = math.Inf(1) }, errValue},
		"a value less":   {func(c *Chart) { c.Series[1].Y = c.Series[1].Y[:1] }, errLengths},
		"a label more":   {func(c *Chart) { c.Series[0].Labels = []string{"", "", ""} }, errLengths},
		"logarithmic":    {func(c *Chart) { c.LogY = true }, errBars},
		"bars by number": {func(c *Chart) { c.Categories = nil; c.Series[0].X = []float64{1, 2} }, errBars},
		"too many": {func(c *Chart) {
			c.Series = []Series{{Y: make([]float64, maxPoints+1)}}
			c.Categories = make([]string, maxPoints+1)
		}, errTooMany},
	} {
		x := sample()
		c.change(x)
		if _, err := x.SVG(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
