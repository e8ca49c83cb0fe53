package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
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

func draw(t *testing.T, c *Chart) string {
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
	svg := draw(t, sample())
	for _, want := range []string{"A &amp; B", "&lt;one run&gt;", "4 ms", "limit", ">bars<", ">line<", "<polyline"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Count(svg, "<rect") != 1+2+2 { // surface, bars, legend
		t.Errorf("%d rectangles", strings.Count(svg, "<rect"))
	}
	for _, refuse := range []string{"href", "url(", "<script", "<image", "NaN", "Inf"} {
		if strings.Contains(svg, refuse) {
			t.Errorf("%q", refuse)
		}
	}
	if svg != draw(t, sample()) {
		t.Error("two drawings of one chart differ")
	}
}

func TestNumericAxes(t *testing.T) {
	for _, log := range []bool{false, true} {
		c := &Chart{Title: "t", LogX: log, LogY: log, Series: []Series{{Name: "p99", X: []float64{10, 100, 1000}, Y: []float64{5, 6, 500}}}}
		if svg := draw(t, c); !strings.Contains(svg, ">500<") {
			t.Error("a tick is missing")
		}
	}
	draw(t, &Chart{Series: []Series{{X: []float64{0}, Y: []float64{0}}}})
}

// Every value lies within the axis and every tick on it.
func TestAxis(t *testing.T) {
	for _, values := range [][]float64{{0.0013, 0.0011}, {7, 2000}, {-3, 5}, {1e9, 1e9 + 1}, {42}} {
		for _, log := range []bool{false, true} {
			if log && values[0] < 0 {
				continue
			}
			a := newAxis(values, log, 100, 0)
			if len(a.ticks) < 1 || len(a.ticks) > 40 {
				t.Errorf("%v: %d ticks", values, len(a.ticks))
			}
			for _, v := range append(values, a.ticks...) {
				if at := a.at(v); math.IsNaN(at) || at < -0.01 || at > 100.01 {
					t.Errorf("%v, log %v: %v at %v", values, log, v, at)
				}
			}
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
