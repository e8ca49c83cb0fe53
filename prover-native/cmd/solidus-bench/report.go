package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"solidus.io/prover/internal/machine"
)

// report is the result of one run. Times are medians in milliseconds of elapsed time where the name does not say otherwise.
// For keys from the cache, the time of the setup is that of the original setup. The ratio of processor times is for machines
// with other load.
type report struct {
	BaselineMillis       float64 `json:"baselineMillis"`
	TransferMillis       float64 `json:"transferMillis"`
	Ratio                float64 `json:"ratio"`
	BaselineMinMillis    float64 `json:"baselineMinMillis"`
	TransferMinMillis    float64 `json:"transferMinMillis"`
	BaselineCPUMillis    float64 `json:"baselineCpuMillis"`
	TransferCPUMillis    float64 `json:"transferCpuMillis"`
	CPURatio             float64 `json:"cpuRatio"`
	BaselineConstraints  int     `json:"baselineConstraints"`
	TransferConstraints  int     `json:"transferConstraints"`
	BaselineVerifyMillis float64 `json:"baselineVerifyMillis"`
	TransferVerifyMillis float64 `json:"transferVerifyMillis"`
	BaselineSetupMillis  int64   `json:"baselineSetupMillis"`
	TransferSetupMillis  int64   `json:"transferSetupMillis"`
	BaselineKeysCached   bool    `json:"baselineKeysCached"`
	TransferKeysCached   bool    `json:"transferKeysCached"`
	PeakRssBytes         int64   `json:"peakRssBytes"`
	Machine              string  `json:"machine"`
	GoVersion            string  `json:"goVersion"`
	Cores                int     `json:"cores"`
	Runs                 int     `json:"runs"`
}

// describeMachine returns the processor's name, if the system has one, and the platform.
func describeMachine() string {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	if name := machine.Processor(); name != "" {
		return name + ", " + platform
	}
	return platform
}

// median returns the median of a non-empty list, in milliseconds.
func median(times []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(times))
	n := len(sorted)
	middle := sorted[n/2]
	if n%2 == 0 {
		middle = (middle + sorted[n/2-1]) / 2
	}
	return millis(middle)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// write writes the report to a file, or to standard output without one.
func (r *report) write(path string, stdout io.Writer) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if path == "" {
		_, err = stdout.Write(text)
		return err
	}
	if err := replaceFile(path, text); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "transfer %.0f ms, construction of the paper %.0f ms: %.2f times faster, %.2f by processor time (medians of %d, %d cores)\n",
		r.TransferMillis, r.BaselineMillis, r.Ratio, r.CPURatio, r.Runs, r.Cores)
	return err
}
