// Package machine reads what benchmarks report about the machine and the process.
package machine

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Processor returns the system's name of its processor, or an empty string.
func Processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// ProcessorTime returns the processor time of this process so far, on all cores together.
func ProcessorTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// PeakMemory returns the largest resident set of this process so far, in bytes.
func PeakMemory() int64 {
	if runtime.GOOS == "darwin" {
		return usage().Maxrss // bytes on darwin, kilobytes elsewhere
	}
	return usage().Maxrss * 1024
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // the arguments are valid; a zero reading otherwise
	return u
}
