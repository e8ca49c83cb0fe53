// Package plot draws small charts as SVG: bars and lines over categories, or lines over numbers. A drawing refers to nothing
// outside itself and is the same for the same chart, byte by byte.
package plot

import (
	"errors"
	"math"
)

// Chart is what to draw. Its JSON form is what other tools hand over.
type Chart struct {
	Title    string `json:"title"`
	Subtitle string `json:"subtitle,omitempty"`
	XLabel   string `json:"xLabel,omitempty"`
	YLabel   string `json:"yLabel,omitempty"`
	// Categories name the places on the horizontal axis. Without them it is numeric, and there are lines only.
	Categories []string `json:"categories,omitempty"`
	LogX       bool     `json:"logX,omitempty"`
	LogY       bool     `json:"logY,omitempty"` // lines only
	Series     []Series `json:"series"`
	// Marks are horizontal lines with a name, such as a limit.
	Marks []Mark `json:"marks,omitempty"`
}

// Series is one set of bars or one line.
type Series struct {
	Name string    `json:"name"`
	Bars bool      `json:"bars,omitempty"`
	X    []float64 `json:"x,omitempty"` // for a numeric axis, as many as Y
	Y    []float64 `json:"y"`           // over categories as many as these
	// Labels stand at the values where they are given, as many as Y.
	Labels []string `json:"labels,omitempty"`
}

// Mark is a horizontal line.
type Mark struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

// maxPoints bounds what one chart draws.
const maxPoints = 100_000

var (
	errEmpty   = errors.New("plot: nothing to draw")
	errLengths = errors.New("plot: a series has another number of values than its axis has places")
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
