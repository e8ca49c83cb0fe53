package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"solidus.io/images/debian"
	"solidus.io/images/image"
	"solidus.io/images/java"
	"solidus.io/images/provenance"
	"solidus.io/images/sbom"
)

const refName = "org.opencontainers.image.ref.name"

// built is an image with its digest.
type built struct {
	*image.Image
	digest string
}

func build(o options, services []image.Service) error {
	start := time.Now()
	builder, err := prepare(o)
	if err != nil {
		return err
	}
	var images []built
	var jars []java.Jar
	for _, service := range services {
		made, err := builder.Build(service)
		if err != nil {
			return err
		}
		digest, err := made.Image.Digest()
		if err != nil {
			return err
		}
		images = append(images, built{made, digest.String()})
		jars = append(jars, java.Without(made.Jars, jars)...)
	}
	if err := check(builder, images, jars, o.cache); err != nil {
		return err
	}
	if err := requireNotices(o, jars); err != nil {
		return err
	}
	if err := write(o, builder, images); err != nil {
		return err
	}
	return printTable(o, images, time.Since(start))
}

// check checks the images before they are written: the runtime must have the modules that the jars use, and the configurations
// must pass image.CheckConfig. Layers are checked when they are added to the store.
func check(builder *image.Builder, images []built, jars []java.Jar, cache string) error {
	if err := builder.Runtime.CheckModules(jars, cache); err != nil {
		return err
	}
	for _, made := range images {
		file, err := made.Image.Image.ConfigFile()
		if err != nil {
			return err
		}
		if err := image.CheckConfig(file.Config); err != nil {
			return fmt.Errorf("%s: %w", made.Service.Name, err)
		}
	}
	return nil
}

func prepare(o options) (*image.Builder, error) {
	if err := os.MkdirAll(o.cache, 0o755); err != nil {
		return nil, err
	}
	wanted, err := debian.ReadLock(o.lockFile())
	if err != nil {
		return nil, err
	}
	source := debian.Source{Folder: os.Getenv("SOLIDUS_IMAGE_DEBS"), Cache: filepath.Join(o.cache, "debs")}
	packages, err := source.Fetch(wanted)
	if err != nil {
		return nil, err
	}
	runtime, err := java.Link(o.jdk, o.cache)
	if err != nil {
		return nil, err
	}
	builder := &image.Builder{Root: o.root, Cache: o.cache, Sources: o.sources(), Base: packages, Runtime: runtime}
	return builder, builder.Prepare()
}

// write makes the output folder beside its final place and moves it there when it is complete.
func write(o options, builder *image.Builder, images []built) error {
	fresh := o.out + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if err := writeLayout(filepath.Join(fresh, "oci"), images); err != nil {
		return err
	}
	var digests strings.Builder
	for _, made := range images {
		fmt.Fprintf(&digests, "%s %s\n", made.Service.Name, made.digest)
		if err := writeNotes(fresh, o, builder, made); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(fresh, "digests.txt"), []byte(digests.String()), 0o644); err != nil {
		return err
	}
	if err := writeSizes(filepath.Join(fresh, "layers.json"), images); err != nil {
		return err
	}
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	return os.Rename(fresh, o.out)
}

func writeLayout(folder string, images []built) error {
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	for _, made := range images {
		name := "solidus-" + made.Service.Name
		if err := path.AppendImage(made.Image.Image, layout.WithAnnotations(map[string]string{refName: name})); err != nil {
			return err
		}
	}
	index, err := path.ImageIndex()
	if err != nil {
		return err
	}
	return validate.Index(index, validate.Fast)
}

// writeNotes writes the SBOM and the provenance statement.
func writeNotes(folder string, o options, builder *image.Builder, made built) error {
	bom, err := sbom.Of(o.root, made.Image, builder.Base, builder.Runtime, o.sources(), made.digest)
	if err != nil {
		return err
	}
	origin, err := provenance.Of(made.Image, builder.Base, builder.Runtime, o.sources(), made.digest, bom)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{".cdx.json": bom, ".provenance.json": origin} {
		if err := os.WriteFile(filepath.Join(folder, made.Service.Name+name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// layerSize is a layer in layers.json.
type layerSize struct {
	Title        string   `json:"title"`
	Digest       string   `json:"digest"`
	Bytes        int64    `json:"bytes"`
	Uncompressed int64    `json:"uncompressedBytes"`
	Images       []string `json:"images"`
}

func sizes(images []built) []*layerSize {
	var all []*layerSize
	known := map[string]*layerSize{}
	for _, made := range images {
		for _, part := range made.Parts {
			digest, _ := part.Layer.Digest()
			size, _ := part.Layer.Size()
			one := known[digest.String()]
			if one == nil {
				one = &layerSize{Title: part.Title, Digest: digest.String(), Bytes: size, Uncompressed: part.Layer.FullSize()}
				known[digest.String()] = one
				all = append(all, one)
			}
			one.Images = append(one.Images, made.Service.Name)
		}
	}
	return all
}

func writeSizes(file string, images []built) error {
	text, err := json.MarshalIndent(sizes(images), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// printTable prints a table of the images, and the total size of their layers.
func printTable(o options, images []built, took time.Duration) error {
	written := 0
	seen := map[string]bool{}
	for _, made := range images {
		var size int64
		for _, part := range made.Parts {
			bytes, _ := part.Layer.Size()
			size += bytes
			digest, _ := part.Layer.Digest()
			if !part.Layer.Reused && !seen[digest.String()] {
				written++
			}
			seen[digest.String()] = true
		}
		top, _ := made.Parts[len(made.Parts)-1].Layer.Size()
		fmt.Printf("  solidus-%-18s %s  %9s, of it ours %s\n", made.Service.Name, made.digest, mebibytes(size), mebibytes(top))
	}
	var together int64
	for _, one := range sizes(images) {
		together += one.Bytes
	}
	fmt.Printf("  %d images, %d layers, %s together; %d layers written now, the others were there; %.1f s\n  %s\n", len(images), len(seen),
		mebibytes(together), written, took.Seconds(), o.out)
	return nil
}
