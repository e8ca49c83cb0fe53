package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"solidus.io/prover/ceremony/setup"
	"solidus.io/prover/internal/machine"
	"solidus.io/prover/keys"
)

// measurement is the cost of a set-up of the real circuits.
type measurement struct {
	Network      string             `json:"network"`
	Kind         string             `json:"kind"`
	Contributors int                `json:"contributors"`
	Cores        int                `json:"cores"`
	CPU          string             `json:"cpu"`
	Date         string             `json:"date"`
	Go           string             `json:"go"`
	Constraints  map[string]int     `json:"constraints"`
	Seconds      map[string]float64 `json:"seconds"`    // by step
	CPUSeconds   map[string]float64 `json:"cpuSeconds"` // processor time of the same steps
	Bytes        map[string]int64   `json:"bytes"`      // by file, of the first contributions
	TotalBytes   int64              `json:"totalBytes"` // of the whole transcript
	PeakMemory   int64              `json:"peakMemoryBytes"`
	Digest       string             `json:"transcriptSha256"`
}

func setupMeasure(c *console, args []string) error {
	m := measurement{
		Cores: runtime.GOMAXPROCS(0), CPU: machine.Processor(), Go: runtime.Version(), Date: time.Now().UTC().Format(time.DateOnly),
		Constraints: map[string]int{}, Seconds: map[string]float64{}, CPUSeconds: map[string]float64{}, Bytes: map[string]int64{},
	}
	var dir, out, shapes string
	if err := options(c, "setup measure", args, func(f *flag.FlagSet) {
		f.StringVar(&m.Network, "network", "measurement", "network id")
		f.StringVar(&m.Kind, "kind", "regulated", "regulated or unregulated")
		f.StringVar(&shapes, "shapes", "", "names of shapes with commas, in the place of the circuits of a network")
		f.IntVar(&m.Contributors, "contributors", 3, "number of contributors")
		f.StringVar(&dir, "dir", "", "an empty folder for the transcript, which is left there")
		f.StringVar(&out, "json", "", "file for the figures")
	}, "dir", "json"); err != nil {
		return err
	}
	compile, manifest := func() ([]keys.Compiled, error) { return compileFor(c, m.Network, m.Kind) }, ""
	if shapes != "" {
		compile, manifest = func() ([]keys.Compiled, error) { return c.compileShapes(m.Network, strings.Split(shapes, ",")) }, strings.Repeat("0", 64)
	}
	circuits, err := compile()
	if err != nil {
		return err
	}
	for _, circuit := range circuits {
		m.Constraints[circuit.Name] = circuit.System.GetNbConstraints()
	}
	_, coordinator, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	public := coordinator.Public().(ed25519.PublicKey)
	return m.run(&setup.Ceremony{Dir: dir, Circuits: circuits, Coordinator: public, Manifest: manifest, Say: c.say}, coordinator, c, out)
}

// save writes the results so far, so that an interrupted measurement is not lost.
func (m *measurement) save(dir, out string) error {
	m.PeakMemory = machine.PeakMemory()
	if err := m.sizes(dir); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(raw, '\n'), 0o644)
}

// step is a part of the ceremony that is measured separately.
type step struct {
	name string
	work func() error
}

func (m *measurement) run(at *setup.Ceremony, coordinator ed25519.PrivateKey, c *console, out string) error {
	steps := []step{{"init", func() error { return at.Init(m.Network, m.Kind, m.Contributors, "measured", coordinator) }}}
	for phase := 1; phase <= 2; phase++ {
		for i := range m.Contributors {
			steps = append(steps, step{fmt.Sprintf("phase %d, contribution %d", phase, i+1), func() error { return contributeAsAnyone(at, i) }})
		}
		steps = append(steps, step{[]string{"phase 1, verify and beacon", "phase 2, beacon"}[phase-1], func() error { return m.beacon(at, coordinator) }})
	}
	steps = append(steps, step{"verify all and make the keys", func() error {
		r, err := at.Verify()
		if err == nil {
			m.Digest = r.Digest
		}
		return err
	}})
	for _, s := range steps {
		start, cpu := time.Now(), machine.ProcessorTime()
		if err := s.work(); err != nil {
			return err
		}
		m.Seconds[s.name] = rounded(time.Since(start))
		m.CPUSeconds[s.name] = rounded(machine.ProcessorTime() - cpu)
		c.say("%s: %.1f s, %.1f s of the processor", s.name, m.Seconds[s.name], m.CPUSeconds[s.name])
		if err := m.save(at.Dir, out); err != nil {
			return err
		}
	}
	return nil
}

func contributeAsAnyone(at *setup.Ceremony, i int) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	defer clear(key)
	return at.Contribute(fmt.Sprintf("contributor %d", i+1), "", key)
}

func (m *measurement) beacon(at *setup.Ceremony, coordinator ed25519.PrivateKey) error {
	var value [32]byte
	if _, err := rand.Read(value[:]); err != nil {
		return err
	}
	return at.EndPhase(hex.EncodeToString(value[:]), "drawn for a measurement", coordinator)
}

func rounded(d time.Duration) float64 { return d.Round(100 * time.Millisecond).Seconds() }

// sizes lists the files of the first contributions and the initial files of phase 2, and adds up all sizes.
func (m *measurement) sizes(dir string) error {
	m.TotalBytes = 0
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		m.TotalBytes += info.Size()
		if strings.HasPrefix(d.Name(), "001") || strings.HasPrefix(d.Name(), "000") {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			m.Bytes[name] = info.Size()
		}
		return nil
	})
}
