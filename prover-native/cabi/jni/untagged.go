//go:build !jni

package main

import (
	"fmt"
	"os"
)

// main says what is missing to whoever builds this as a program.
func main() {
	fmt.Fprintln(os.Stderr, "this is a shared library for a JVM: build it with prover-native/build.sh")
	os.Exit(2)
}
