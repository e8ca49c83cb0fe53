// Command solidus-model runs worlds of the rules of look-ups and recover (package model).
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"solidus.io/prover/model"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	kind := flag.String("kind", "all", "safety, liveness, look-ups, halves or all")
	worlds := flag.Uint64("worlds", 100_000, "worlds of each kind")
	seed := flag.Uint64("seed", 1, "first seed")
	f := flag.Int("f", 1, "dishonest authorities, of 3f+1")
	without := flag.String("without", "everything", "the rule to leave out")
	show := flag.Bool("show", false, "show what happens in the world of the first seed")
	workers := flag.Int("workers", runtime.NumCPU(), "worlds at once")
	flag.Parse()
	if *f < 1 || *f > 2 {
		return fmt.Errorf("f is 1 or 2")
	}
	rule, err := model.ParseRule(*without)
	if err != nil {
		return err
	}
	failed := false
	for k := model.Safety; k <= model.Halves; k++ {
		if *kind != "all" && *kind != k.String() {
			continue
		}
		config := model.Config{Kind: k, F: *f, Without: rule}
		if *show {
			config.Trace = func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
			fmt.Printf("%+v\n", model.Run(config, *seed))
			continue
		}
		failed = many(config, *seed, *worlds, *workers) || failed
	}
	if failed {
		return fmt.Errorf("a world shows a violation")
	}
	return nil
}

// many runs worlds and says whether one shows a violation.
func many(config model.Config, seed, worlds uint64, workers int) bool {
	var next, violations, recovers, nested, rounds atomic.Uint64
	var mu sync.Mutex
	first := ""
	start := time.Now()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for {
				n := next.Add(1) - 1
				if n >= worlds {
					return
				}
				r := model.Run(config, seed+n)
				recovers.Add(uint64(r.Recovers))
				nested.Add(uint64(r.Nested))
				for old := rounds.Load(); uint64(r.Rounds) > old; old = rounds.Load() {
					if rounds.CompareAndSwap(old, uint64(r.Rounds)) {
						break
					}
				}
				if r.Violation != "" && violations.Add(1) == 1 {
					mu.Lock()
					first = fmt.Sprintf("seed %d: %s", seed+n, r.Violation)
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	took := time.Since(start)
	fmt.Printf("%s f=%d without %s: %d worlds in %s (%.0f/s), %d violations, %d completed recovers (%d nested), at most %d rounds\n", config.Kind, config.F,
		config.Without, worlds, took.Round(time.Millisecond), float64(worlds)/took.Seconds(), violations.Load(), recovers.Load(), nested.Load(), rounds.Load())
	if first != "" {
		fmt.Println(first)
	}
	return violations.Load() > 0
}
