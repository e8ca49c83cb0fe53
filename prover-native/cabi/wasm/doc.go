//go:build !wasip1

// Package main is the library as a WebAssembly module. Elsewhere it only prints how to build it.
package main

import (
	"fmt"
	"os"
)

// main prints how to build the module.
func main() {
	fmt.Fprintln(os.Stderr, "this is a WebAssembly module: build it with ./solidus targets wasm")
	os.Exit(2)
}
