//go:build !capi

package main

import (
	"fmt"
	"os"
)

// main prints how to build the archive.
func main() {
	fmt.Fprintln(os.Stderr, "this is an archive for C: build it with -tags capi -buildmode=c-archive")
	os.Exit(2)
}
