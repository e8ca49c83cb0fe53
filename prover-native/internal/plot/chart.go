// Package plot draws small charts as SVG with gonum/plot: bars and lines over categories, or lines over numbers. A drawing has no
// references to other files and is the same for the same chart, byte by byte.
package plot

import (
	"errors"
	"math"
)

// Chart describes a drawing. Its JSON form is the interface for other tools.
type Chart struct {
	Title    string `json:"title"`
	Subtitle string `json:"subtitle,omitempty"`
	XLabel   string `json:"xLabel,omitempty"`
	YLabel   string `json:"yLabel,omitempty"`
	// Categories name the positions on the horizontal axis. Without them the axis is numeric and all series are lines.
	Categories []string `json:"categories,omitempty"`
	LogX       bool     `json:"logX,omitempty"`
	LogY       bool     `json:"logY,omitempty"` // lines only
	Series     []Series `json:"series"`
	// Marks are horizontal lines with a name, such as a limit.
	Marks []Mark `json:"marks,omitempty"`
}

// Series is a set of bars or a line.
type Series struct {
	Name string    `json:"name"`
	Bars bool      `json:"bars,omitempty"`
	X    []float64 `json:"x,omitempty"` // for a numeric axis, one for each Y
	Y    []float64 `json:"y"`           // with categories, one for each of them
	// Labels are drawn at the values. If given, there is one for each Y.
	Labels []string `json:"labels,omitempty"`
}

// Mark is a horizontal line.
type Mark struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

// maxPoints is the largest number of values in a chart.
const maxPoints = 100_000

var (
	errEmpty   = errors.New("plot: nothing to draw")
	errLengths = errors.New("plot: a series and its axis have different numbers of values")
	errValue   = errors.New("plot: a value cannot be drawn on its axis")
	errBars    = errors.New("plot: bars need categories and a linear axis")
	errTooMany = errors.New("plot: too many values")
)

func (c *Chart) check() error {
	total := 0
	for i := range c.Series {
		s := &c.Series[i]
		total += len(s.Y)
		places := len(s.X)
		if c.Categories != nil {
			places = len(c.Categories)
		}
		if len(s.Y) != places || s.Labels != nil && len(s.Labels) != len(s.Y) {
			return errLengths
		}
		if s.Bars && (c.Categories == nil || c.LogY) {
			return errBars
		}
		if !drawable(s.Y, c.LogY) || !drawable(s.X, c.LogX) {
			return errValue
		}
	}
	for _, m := range c.Marks {
		if !drawable([]float64{m.Y}, c.LogY) {
			return errValue
		}
	}
	switch {
	case total == 0:
		return errEmpty
	case total > maxPoints:
		return errTooMany
	}
	return nil
}

func drawable(values []float64, log bool) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e15 || log && v < 1e-9 {
			return false
		}
	}
	return true
}
