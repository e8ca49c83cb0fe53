package java

import (
	"archive/zip"
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// nativeFolder is where our jars carry the native library; images have it as a file of its own, in a layer of its own.
const nativeFolder = "native/"

// WithoutNative returns a jar's bytes without the native library, or nil when the jar carries none.
func WithoutNative(file string) ([]byte, error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	var out bytes.Buffer
	slim := zip.NewWriter(&out)
	carried := false
	for _, item := range archive.File {
		if strings.HasPrefix(item.Name, nativeFolder) {
			carried = true
			continue
		}
		// as it is: neither unpacked nor compressed again
		if err := slim.Copy(item); err != nil {
			return nil, err
		}
	}
	if !carried {
		return nil, nil
	}
	if err := slim.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// NativeLibrary takes the native library out of a jar.
func NativeLibrary(file, platform string) ([]byte, error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	item, err := archive.Open(nativeFolder + platform + "/libsolidus.so")
	if err != nil {
		return nil, err
	}
	defer item.Close()
	return io.ReadAll(item)
}

// GoModules lists what was built into the native library.
func GoModules(library []byte) (*buildinfo.BuildInfo, error) {
	return buildinfo.Read(bytes.NewReader(library))
}

// CheckSymbols fails when the library needs a newer C library than the image has: it was linked on this machine, whose C library may be newer.
func CheckSymbols(library []byte, glibc string) error {
	file, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return err
	}
	symbols, err := file.ImportedSymbols()
	if err != nil {
		return err
	}
	for _, symbol := range symbols {
		if needed, found := strings.CutPrefix(symbol.Version, "GLIBC_"); found && newer(needed, glibc) {
			return fmt.Errorf("the native library needs %s@%s, the image has glibc %s: build on a machine with an older C library, or raise the base",
				symbol.Name, symbol.Version, glibc)
		}
	}
	return nil
}

// newer compares versions such as 2.36 and 2.2.5.
func newer(a, b string) bool {
	left, right := strings.Split(a, "."), strings.Split(b, ".")
	for i := range left {
		if i >= len(right) {
			return true
		}
		x, errX := strconv.Atoi(left[i])
		y, errY := strconv.Atoi(right[i])
		if errX != nil || errY != nil {
			// such as GLIBC_PRIVATE, which no library but the C library may ask for
			return true
		}
		if x != y {
			return x > y
		}
	}
	return false
}

// GlibcVersion takes "2.36" out of a Debian version such as "2.36-9+deb12u14".
func GlibcVersion(debian string) string {
	upstream, _, _ := strings.Cut(debian, "-")
	return upstream
}
