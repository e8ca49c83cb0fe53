// Command images writes the platform's container images as an OCI layout from the build's output in the repository. It needs
// no container engine and no privileges. ./solidus images calls it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"solidus.io/images/debian"
	"solidus.io/images/image"
)

const (
	lockComment = "Debian packages of the images' lowest layer, by digest. './solidus images lock' takes what apt offers now.\n" +
		"name version architecture SHA-256"
	architecture = "amd64"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "solidus images:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return fmt.Errorf("usage: images build|lock|names|notices|check-notices [options] [service...]")
	}
	options, services, err := parse(arguments[1:])
	if err != nil {
		return err
	}
	switch arguments[0] {
	case "build":
		return build(options, services)
	case "lock":
		return lock(options)
	case "notices":
		return makeNotices(options)
	case "check-notices":
		return checkNotices(options)
	case "names":
		for _, service := range image.Services {
			fmt.Println(service.Name, service.Module)
		}
		return nil
	default:
		return fmt.Errorf("unknown action %q", arguments[0])
	}
}

type options struct {
	root, out, cache, jdk, goCommand, revision, version string
	epoch                                               int64
}

func parse(arguments []string) (options, []image.Service, error) {
	var o options
	flags := flag.NewFlagSet("images", flag.ContinueOnError)
	flags.StringVar(&o.root, "root", ".", "the repository")
	flags.StringVar(&o.out, "out", "", "folder for the images; replaced")
	flags.StringVar(&o.cache, "cache", "", "folder for what need not be made again")
	flags.StringVar(&o.jdk, "jdk", "", "the JDK whose jlink makes the runtime")
	flags.StringVar(&o.goCommand, "go", "go", "the Go that builds the native library")
	flags.StringVar(&o.revision, "revision", "", "the commit")
	flags.StringVar(&o.version, "version", "", "the version")
	flags.Int64Var(&o.epoch, "epoch", 0, "seconds since 1970 that the images say they were made at")
	if err := flags.Parse(arguments); err != nil {
		return o, nil, err
	}
	var err error
	if o.root, err = filepath.Abs(o.root); err != nil {
		return o, nil, err
	}
	services, err := choose(flags.Args())
	return o, services, err
}

// choose returns the services with these names, or all services without names.
func choose(names []string) ([]image.Service, error) {
	if len(names) == 0 {
		return image.Services, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var chosen []image.Service
	for _, service := range image.Services {
		if wanted[service.Name] {
			chosen = append(chosen, service)
			delete(wanted, service.Name)
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("unknown image %q", name)
	}
	return chosen, nil
}

func (o options) lockFile() string { return filepath.Join(o.root, "tools", "images", "base.lock") }

func (o options) sources() image.Sources {
	return image.Sources{Version: o.version, Revision: o.revision, Created: time.Unix(o.epoch, 0)}
}

func lock(o options) error {
	packages, err := debian.Newest(debian.Names(), architecture)
	if err != nil {
		return err
	}
	for _, p := range packages {
		fmt.Println(p.Name, p.Version)
	}
	return debian.WriteLock(o.lockFile(), lockComment, packages)
}

// mebibytes formats a size for people.
func mebibytes(bytes int64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(bytes)/(1<<20)), ".0") + " MiB"
}
