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

// nativeFolder is the folder of the native library in our jars. In images the library is a file in a layer of its own.
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
		// copied unchanged, without decompression
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

// NativeLibrary reads the native library from a jar.
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

// GoModules lists the modules that the native library was built from.
func GoModules(library []byte) (*buildinfo.BuildInfo, error) {
	return buildinfo.Read(bytes.NewReader(library))
}

// CheckSymbols fails when the library needs a newer C library than the image has. It was linked on this machine, whose C
// library may be newer.
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
			// such as GLIBC_PRIVATE, which only the C library itself may use
			return true
		}
		if x != y {
			return x > y
		}
	}
	return false
}

// GlibcVersion returns "2.36" for a Debian version such as "2.36-9+deb12u14".
func GlibcVersion(debian string) string {
	upstream, _, _ := strings.Cut(debian, "-")
	return upstream
}
