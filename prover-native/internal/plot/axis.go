package plot

import (
	"math"
	"strconv"
)

// axis maps values to positions between from and to.
type axis struct {
	low, high float64 // of the values, after the logarithm where there is one
	from, to  float64
	log       bool
	ticks     []float64
}

// newAxis makes an axis for all values. A linear axis starts at zero where that costs little space.
func newAxis(values []float64, log bool, from, to float64) *axis {
	a := &axis{low: math.Inf(1), high: math.Inf(-1), from: from, to: to, log: log}
	for _, v := range values {
		a.low, a.high = math.Min(a.low, a.scale(v)), math.Max(a.high, a.scale(v))
	}
	if log {
		a.decades()
		return a
	}
	if a.low > 0 && a.low < 0.7*a.high {
		a.low = 0
	}
	if a.high == a.low {
		a.high += math.Max(1, math.Abs(a.high))
	}
	step := niceStep(a.high - a.low)
	a.low, a.high = step*math.Floor(a.low/step+1e-9), step*math.Ceil(a.high/step-1e-9)
	for i := range int(math.Round((a.high-a.low)/step)) + 1 {
		a.ticks = append(a.ticks, a.low+float64(i)*step)
	}
	return a
}

// decades places ticks at 1, 2 and 5 times every power of ten in the range.
func (a *axis) decades() {
	if a.high-a.low < 0.3 {
		a.low, a.high = a.low-0.15, a.high+0.15
	}
	for d := math.Floor(a.low); d <= a.high; d++ {
		for _, m := range []float64{1, 2, 5} {
			if at := d + math.Log10(m); at >= a.low-1e-9 && at <= a.high+1e-9 {
				a.ticks = append(a.ticks, math.Pow(10, d)*m)
			}
		}
	}
}

func (a *axis) scale(v float64) float64 {
	if a.log {
		return math.Log10(v)
	}
	return v
}

// at returns the position of a value.
func (a *axis) at(v float64) float64 {
	return a.from + (a.scale(v)-a.low)/(a.high-a.low)*(a.to-a.from)
}

// niceStep returns 1, 2 or 5 times a power of ten, for five to ten ticks.
func niceStep(span float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, m := range []float64{1, 2, 5, 10} {
		if span/(m*power) <= 8 {
			return m * power
		}
	}
	return 10 * power
}

// number formats a value for a tick.
func number(v float64) string {
	if v != 0 && math.Abs(v) < 1e-12 {
		v = 0
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
