// Package machine reads what benchmarks report about the machine and the process.
package machine

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Processor returns the system's name of its processor, or an empty string.
func Processor() string { return valueIn("/proc/cpuinfo", "model name") }

// valueIn returns the first value of a key in a file of lines "key: value", or an empty string.
func valueIn(path, key string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == key {
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

// PeakMemory returns the largest resident set of this process so far, in bytes. On Linux the usage of resources also counts what
// the parent used before it started this program, so /proc is read there.
func PeakMemory() int64 {
	if kilobytes, err := strconv.ParseInt(strings.TrimSuffix(valueIn("/proc/self/status", "VmHWM"), " kB"), 10, 64); err == nil {
		return kilobytes * 1024
	}
	if runtime.GOOS == "darwin" {
		return usage().Maxrss // bytes on darwin, kilobytes elsewhere
	}
	return usage().Maxrss * 1024
}

func usage() (u syscall.Rusage) {
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // the arguments are valid; a zero reading otherwise
	return u
}
