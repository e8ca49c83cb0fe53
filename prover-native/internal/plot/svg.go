package plot

import (
	"bytes"
	"image/color"
	"math"
	"strconv"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const width, height, textSize, legendStep = 800, 460, 13, 18

// palette can also be distinguished by colour-blind readers (Okabe and Ito).
var palette = []color.Color{
	color.RGBA{G: 0x72, B: 0xb2, A: 0xff}, color.RGBA{R: 0xd5, G: 0x5e, A: 0xff}, color.RGBA{G: 0x9e, B: 0x73, A: 0xff},
	color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, color.RGBA{R: 0xe6, G: 0x9f, A: 0xff}, color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff},
	color.Black,
}

// SVG draws the chart.
func (c *Chart) SVG() ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p := gonum.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title+"\n"+c.Subtitle, c.XLabel, c.YLabel
	for _, s := range []*text.Style{
		&p.Title.TextStyle, &p.Legend.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label,
	} {
		s.Font.Variant, s.Font.Size = "Sans", textSize
	}
	// the legend stands between the title and the drawing
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, 4
	p.Legend.YOffs = vg.Length(legendStep * len(c.Series))
	p.Title.Padding = p.Legend.YOffs + legendStep
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	p.Add(grid)
	c.series(p)
	fit(&p.X, c.LogX)
	if c.Categories != nil {
		p.NominalX(c.Categories...)
		p.Y.Padding = 0 // NominalX makes room for half a label
		p.X.Min, p.X.Max = -0.5, float64(len(c.Categories))-0.5
	}
	for _, m := range c.Marks {
		ends := plotter.XYs{{X: p.X.Min, Y: m.Y}, {X: p.X.Max, Y: m.Y}}
		p.Add(&plotter.Line{XYs: ends, LineStyle: draw.LineStyle{Color: color.Black, Width: 1, Dashes: []vg.Length{6, 4}}},
			labels(p, ends[1:], []string{m.Name}, draw.XRight, 0))
	}
	fit(&p.Y, c.LogY)
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var svg bytes.Buffer
	_, err := canvas.WriteTo(&svg)
	return svg.Bytes(), err
}

// series adds the bars, then the lines over them, then the labels.
func (c *Chart) series(p *gonum.Plot) {
	bars := 0
	for i := range c.Series {
		if c.Series[i].Bars {
			bars++
		}
	}
	wide := min(0.65*width/vg.Length(max(1, bars*len(c.Categories))), 90)
	left := -wide * vg.Length(bars-1) / 2
	var lines, texts []gonum.Plotter
	for i := range c.Series {
		s, colour, middle := &c.Series[i], palette[i%len(palette)], vg.Length(0)
		if s.Bars {
			b := &plotter.BarChart{Values: s.Y, Width: wide - 2, Color: colour, Offset: left}
			middle, left = left, left+wide
			p.Add(b)
			p.Legend.Add(s.Name, b)
		} else {
			l := &plotter.Line{XYs: s.points(), LineStyle: draw.LineStyle{Color: colour, Width: 2}}
			dots := &plotter.Scatter{XYs: l.XYs, GlyphStyle: draw.GlyphStyle{Color: colour, Radius: 3.5, Shape: draw.CircleGlyph{}}}
			lines = append(lines, l, dots)
			p.Legend.Add(s.Name, l)
		}
		if s.Labels != nil {
			texts = append(texts, labels(p, s.points(), s.Labels, draw.XCenter, middle))
		}
	}
	p.Add(append(lines, texts...)...)
}

// points pairs the values with their positions on the horizontal axis.
func (s *Series) points() plotter.XYs {
	points := make(plotter.XYs, len(s.Y))
	for i, y := range s.Y {
		points[i] = plotter.XY{X: float64(i), Y: y}
		if s.X != nil {
			points[i].X = s.X[i]
		}
	}
	return points
}

// labels draws texts above points.
func labels(p *gonum.Plot, at plotter.XYs, texts []string, align text.XAlignment, x vg.Length) *plotter.Labels {
	l := &plotter.Labels{XYs: at, Labels: texts, Offset: vg.Point{X: x, Y: 6}}
	for range texts {
		style := p.Legend.TextStyle
		style.XAlign = align
		l.TextStyle = append(l.TextStyle, style)
	}
	return l
}

// fit starts a linear axis at zero where that costs little space. A logarithmic axis gets a factor of two at least.
func fit(a *gonum.Axis, log bool) {
	if log {
		if a.Max < 2*a.Min {
			a.Min, a.Max = a.Min/1.42, a.Max*1.42
		}
		a.Scale, a.Tick.Marker = gonum.LogScale{}, gonum.TickerFunc(decades)
		return
	}
	a.Tick.Marker = gonum.TickerFunc(steps)
	if a.Min > 0 && a.Min < 0.7*a.Max {
		a.Min = 0
	}
	if a.Min == a.Max {
		a.Max += math.Max(1, math.Abs(a.Max))
	}
}

// steps are the ticks of the library, all with a label.
func steps(low, high float64) []gonum.Tick {
	ticks := gonum.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		ticks[i] = tick(ticks[i].Value)
	}
	return ticks
}

// decades are ticks at 1, 2 and 5 times every power of ten. The library labels powers of ten only.
func decades(low, high float64) (ticks []gonum.Tick) {
	for d := math.Floor(math.Log10(low)); d <= math.Log10(high); d++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, d); v >= low && v <= high {
				ticks = append(ticks, tick(v))
			}
		}
	}
	return ticks
}

func tick(v float64) gonum.Tick {
	return gonum.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 6, 64)}
}
