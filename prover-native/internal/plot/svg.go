package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
)

const (
	width, height             = 800, 460
	left, right, top, bottom  = 76, 24, 76, 64
	legendStep, legendLine    = 18, 22
	ink, faint, grid, surface = "#222222", "#666666", "#e4e4e4", "#ffffff"
)

// palette can also be distinguished by colour-blind readers (Okabe and Ito).
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// drawing collects the elements of the SVG.
type drawing struct {
	bytes.Buffer
	chart *Chart
	x, y  *axis
}

// SVG draws the chart.
func (c *Chart) SVG() ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	d := &drawing{chart: c}
	foot := height - bottom
	d.y = newAxis(c.heights(), c.LogY, float64(foot), float64(top+legendStep*len(c.names())))
	if c.Categories == nil {
		var all []float64
		for i := range c.Series {
			all = append(all, c.Series[i].X...)
		}
		d.x = newAxis(all, c.LogX, left, width-right)
	}
	d.open()
	d.axes(foot)
	d.series()
	d.marks()
	d.legend()
	d.WriteString("</svg>\n")
	return d.Bytes(), nil
}

// heights returns all values of the vertical axis. Bars start at zero.
func (c *Chart) heights() (all []float64) {
	for i := range c.Series {
		all = append(all, c.Series[i].Y...)
		if c.Series[i].Bars {
			all = append(all, 0)
		}
	}
	for _, m := range c.Marks {
		all = append(all, m.Y)
	}
	return all
}

func (c *Chart) names() (names []string) {
	for i := range c.Series {
		names = append(names, c.Series[i].Name)
	}
	return names
}

func (d *drawing) open() {
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" `+
		`font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(d, "<title>%s</title>\n", escape(d.chart.Title))
	fmt.Fprintf(d, `<rect width="%d" height="%d" fill="%s"/>`+"\n", width, height, surface)
	fmt.Fprintf(d, `<text x="%d" y="30" font-size="18" font-weight="600" fill="%s">%s</text>`+"\n", left, ink, escape(d.chart.Title))
	fmt.Fprintf(d, `<text x="%d" y="50" fill="%s">%s</text>`+"\n", left, faint, escape(d.chart.Subtitle))
}

func (d *drawing) text(x, y float64, anchor, colour, s string) {
	fmt.Fprintf(d, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, colour, escape(s))
}

func (d *drawing) line(x1, y1, x2, y2 float64, colour, more string) {
	fmt.Fprintf(d, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"%s/>`+"\n", x1, y1, x2, y2, colour, more)
}

func (d *drawing) axes(foot int) {
	for _, tick := range d.y.ticks {
		y := d.y.at(tick)
		d.line(left, y, width-right, y, grid, "")
		d.text(left-8, y+4, "end", faint, number(tick))
	}
	base := float64(foot)
	d.line(left, base, width-right, base, ink, "")
	if d.x == nil {
		for i, name := range d.chart.Categories {
			d.text(d.middle(i), base+20, "middle", ink, name)
		}
	} else {
		for _, tick := range d.x.ticks {
			d.line(d.x.at(tick), base, d.x.at(tick), base+5, ink, "")
			d.text(d.x.at(tick), base+20, "middle", faint, number(tick))
		}
	}
	d.text(left+(width-left-right)/2, base+46, "middle", ink, d.chart.XLabel)
	middle := float64(top+foot) / 2
	fmt.Fprintf(d, `<text transform="translate(22 %.1f) rotate(-90)" text-anchor="middle" fill="%s">%s</text>`+"\n",
		middle, ink, escape(d.chart.YLabel))
}

// slot is the width of a category.
func (d *drawing) slot() float64 { return float64(width-left-right) / float64(len(d.chart.Categories)) }

func (d *drawing) middle(category int) float64 { return left + d.slot()*(float64(category)+0.5) }

func (d *drawing) series() {
	groups, group := 0, 0
	for i := range d.chart.Series {
		if d.chart.Series[i].Bars {
			groups++
		}
	}
	for i := range d.chart.Series {
		s, colour := &d.chart.Series[i], palette[i%len(palette)]
		if s.Bars {
			d.bars(s, colour, group, groups)
			group++
		}
	}
	for i := range d.chart.Series { // lines are drawn over bars
		if s := &d.chart.Series[i]; !s.Bars {
			d.curve(s, palette[i%len(palette)])
		}
	}
}

func (d *drawing) bars(s *Series, colour string, group, groups int) {
	wide := math.Min(0.72*d.slot()/float64(groups), 90)
	for i, v := range s.Y {
		x := d.middle(i) + wide*(float64(group)-float64(groups)/2)
		y, zero := d.y.at(v), d.y.at(0)
		fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n",
			x+1, math.Min(y, zero), wide-2, math.Abs(zero-y), colour)
		d.label(s, i, x+wide/2, math.Min(y, zero)-6)
	}
}

func (d *drawing) curve(s *Series, colour string) {
	fmt.Fprintf(d, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
	place := func(i int) float64 {
		if d.x == nil {
			return d.middle(i)
		}
		return d.x.at(s.X[i])
	}
	for i, v := range s.Y {
		fmt.Fprintf(d, "%.1f,%.1f ", place(i), d.y.at(v))
	}
	d.WriteString("\"/>\n")
	for i, v := range s.Y {
		fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`+"\n", place(i), d.y.at(v), colour)
		d.label(s, i, place(i), d.y.at(v)-9)
	}
}

func (d *drawing) label(s *Series, i int, x, y float64) {
	if len(s.Labels) > i && s.Labels[i] != "" {
		d.text(x, y, "middle", ink, s.Labels[i])
	}
}

func (d *drawing) marks() {
	for _, m := range d.chart.Marks {
		y := d.y.at(m.Y)
		d.line(left, y, width-right, y, ink, ` stroke-dasharray="6 4"`)
		d.text(width-right, y-6, "end", ink, m.Name)
	}
}

// legend draws the names of the series above the plot, one below the other.
func (d *drawing) legend() {
	for i, name := range d.chart.names() {
		y := float64(top - 6 + legendStep*i)
		fmt.Fprintf(d, `<rect x="%d" y="%.1f" width="14" height="10" fill="%s"/>`+"\n", left, y-9, palette[i%len(palette)])
		d.text(left+legendLine, y, "start", ink, name)
	}
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // writing to a buffer cannot fail
	return b.String()
}
