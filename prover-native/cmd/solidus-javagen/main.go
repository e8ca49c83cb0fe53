// Command solidus-javagen writes the Java sources that are generated from this module: the codes of failures and the list
// of operations. Its argument is the folder of the Java package.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"solidus.io/prover/cabi"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: solidus-javagen FOLDER")
		os.Exit(2)
	}
	for name, content := range cabi.JavaFiles() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "solidus-javagen:", err)
			os.Exit(1)
		}
	}
}
