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
// with other load. A proving key is as long as the file that a wallet stores. The peaks of each circuit are those of processes
// that read the keys and make one proof; the other peak is that of the whole measurement.
type report struct {
	BaselineMillis          float64 `json:"baselineMillis"`
	TransferMillis          float64 `json:"transferMillis"`
	Ratio                   float64 `json:"ratio"`
	BaselineMinMillis       float64 `json:"baselineMinMillis"`
	TransferMinMillis       float64 `json:"transferMinMillis"`
	BaselineCPUMillis       float64 `json:"baselineCpuMillis"`
	TransferCPUMillis       float64 `json:"transferCpuMillis"`
	CPURatio                float64 `json:"cpuRatio"`
	BaselineCurve           string  `json:"baselineCurve"`
	TransferCurve           string  `json:"transferCurve"`
	BaselineConstraints     int     `json:"baselineConstraints"`
	TransferConstraints     int     `json:"transferConstraints"`
	BaselinePublicInputs    int     `json:"baselinePublicInputs"`
	TransferPublicInputs    int     `json:"transferPublicInputs"`
	BaselineVerifyMillis    float64 `json:"baselineVerifyMillis"`
	TransferVerifyMillis    float64 `json:"transferVerifyMillis"`
	BaselineSetupMillis     int64   `json:"baselineSetupMillis"`
	TransferSetupMillis     int64   `json:"transferSetupMillis"`
	BaselineKeysCached      bool    `json:"baselineKeysCached"`
	TransferKeysCached      bool    `json:"transferKeysCached"`
	BaselineProvingKeyBytes int64   `json:"baselineProvingKeyBytes"`
	TransferProvingKeyBytes int64   `json:"transferProvingKeyBytes"`
	BaselinePeakRssBytes    int64   `json:"baselinePeakRssBytes"`
	TransferPeakRssBytes    int64   `json:"transferPeakRssBytes"`
	PeakRssBytes            int64   `json:"peakRssBytes"`
	Machine                 string  `json:"machine"`
	GoVersion               string  `json:"goVersion"`
	Cores                   int     `json:"cores"`
	Runs                    int     `json:"runs"`
}

// describeMachine returns the processor's name, if the system has one, and the platform.
func describeMachine() string {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	if name := machine.Processor(); name != "" {
		return name + ", " + platform
	}
	return platform
}

// figures are medians of samples and the least elapsed time, in milliseconds for each proof.
type figures struct{ wall, least, cpu, verify float64 }

func summary(samples []sample) figures {
	var wall, cpu, verify []float64
	for _, x := range samples {
		wall, cpu, verify = append(wall, millis(x.prove.wall)), append(cpu, millis(x.prove.cpu)), append(verify, millis(x.verify))
	}
	return figures{middle(wall), slices.Min(wall), middle(cpu), middle(verify)}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// write writes the report to a file, or to standard output without one.
func (r *report) write(path string, stdout io.Writer) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := deliver(append(text, '\n'), path, stdout); err != nil || path == "" {
		return err
	}
	_, err = fmt.Fprintf(stdout, "transfer %.0f ms, construction of the paper %.0f ms: %.2f times faster, %.2f by processor time "+
		"(medians of %d, %d cores); proving key %.1f MB, %.1f MB; memory of a prover %.0f MB, %.0f MB\n",
		r.TransferMillis, r.BaselineMillis, r.Ratio, r.CPURatio, r.Runs, r.Cores,
		float64(r.TransferProvingKeyBytes)/1e6, float64(r.BaselineProvingKeyBytes)/1e6,
		float64(r.TransferPeakRssBytes)/1e6, float64(r.BaselinePeakRssBytes)/1e6)
	return err
}
