//go:build !jni

package main

import (
	"fmt"
	"os"
)

// main prints how to build the library.
func main() {
	fmt.Fprintln(os.Stderr, "this is a shared library for a JVM: build it with prover-native/build.sh")
	os.Exit(2)
}
