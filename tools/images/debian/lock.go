// Package debian fetches Debian packages with recorded version and digest, and extracts the few files that an image needs.
package debian

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// Package is one line of the lock file.
type Package struct {
	Name, Version, Architecture, SHA256 string
	// File is the package's path after it was fetched.
	File string
}

// ReadLock reads a lock file: lines of name, version, architecture and SHA-256. A line with # is a comment.
func ReadLock(file string) ([]Package, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var packages []Package
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 4 || len(fields[3]) != 2*sha256.Size {
			return nil, fmt.Errorf("%s: not name, version, architecture and SHA-256: %q", file, line)
		}
		packages = append(packages, Package{Name: fields[0], Version: fields[1], Architecture: fields[2], SHA256: fields[3]})
	}
	return packages, lines.Err()
}

// WriteLock writes a lock file that starts with this comment.
func WriteLock(file, comment string, packages []Package) error {
	var text strings.Builder
	for _, line := range strings.Split(comment, "\n") {
		fmt.Fprintf(&text, "# %s\n", line)
	}
	sort.Slice(packages, func(i, j int) bool { return packages[i].Name < packages[j].Name })
	for _, p := range packages {
		fmt.Fprintf(&text, "%s %s %s %s\n", p.Name, p.Version, p.Architecture, p.SHA256)
	}
	return os.WriteFile(file, []byte(text.String()), 0o644)
}

// Source is where packages are searched.
type Source struct {
	// Folder of packages from another source. It is searched first. Empty for none.
	Folder string
	// Cache is the folder of packages that were already fetched.
	Cache string
}

// Fetch finds every package by its digest: in the folder, in the cache, or through apt.
func (s Source) Fetch(packages []Package) ([]Package, error) {
	if err := os.MkdirAll(s.Cache, 0o755); err != nil {
		return nil, err
	}
	fetched := make([]Package, len(packages))
	for i, p := range packages {
		file, err := s.find(p)
		if err != nil {
			return nil, err
		}
		p.File = file
		fetched[i] = p
	}
	return fetched, nil
}

func (s Source) find(p Package) (string, error) {
	for _, folder := range []string{s.Folder, s.Cache} {
		if file := s.findIn(folder, p); file != "" {
			return file, nil
		}
	}
	if err := download(s.Cache, p.Name+"="+p.Version); err != nil {
		return "", fmt.Errorf("%s %s: %w\n(where apt now offers another version: put the package into a folder named by SOLIDUS_IMAGE_DEBS,"+
			" or run './solidus images lock' to use what apt offers)", p.Name, p.Version, err)
	}
	if file := s.findIn(s.Cache, p); file != "" {
		return file, nil
	}
	return "", fmt.Errorf("%s %s does not have the digest in base.lock and is not used", p.Name, p.Version)
}

// findIn returns the package's file in a folder if its digest is correct.
func (s Source) findIn(folder string, p Package) string {
	if folder == "" {
		return ""
	}
	// apt writes an epoch's colon as %3a
	files, _ := filepath.Glob(filepath.Join(folder, p.Name+"_*"+p.Architecture+".deb"))
	for _, file := range files {
		if sum, err := Digest(file); err == nil && sum == p.SHA256 {
			return file
		}
	}
	return ""
}

// Newest fetches the versions that apt offers now, for a new lock file.
func Newest(names []string, architecture string) ([]Package, error) {
	var packages []Package
	for _, name := range names {
		p, err := newest(name)
		if err != nil {
			return nil, err
		}
		p.Architecture = architecture
		packages = append(packages, p)
	}
	return packages, nil
}

func newest(name string) (Package, error) {
	p := Package{Name: name}
	folder, err := os.MkdirTemp("", "solidus-deb-")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(folder)
	if err := download(folder, name); err != nil {
		return p, err
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.deb"))
	if len(files) != 1 {
		return p, fmt.Errorf("apt fetched %d files for %s, expected one", len(files), name)
	}
	if p.Version, err = field(files[0], "Version"); err != nil {
		return p, err
	}
	p.SHA256, err = Digest(files[0])
	return p, err
}

func download(folder, what string) error {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return fmt.Errorf("the package is missing, and this machine has no apt-get to fetch it")
	}
	command := exec.Command("apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", what)
	command.Dir = folder
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get download %s: %s", what, strings.TrimSpace(string(output)))
	}
	return nil
}

// field reads one field of a package's control file.
func field(deb, name string) (string, error) {
	output, err := exec.Command("dpkg-deb", "--field", deb, name).Output()
	if err != nil {
		return "", fmt.Errorf("dpkg-deb cannot read %s: %w", deb, err)
	}
	return strings.TrimSpace(string(output)), nil
}

// Digest returns the SHA-256 of a file, in hexadecimal.
func Digest(file string) (string, error) {
	in, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
