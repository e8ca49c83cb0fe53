package image

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"solidus.io/images/debian"
	"solidus.io/images/java"
	"solidus.io/images/layer"
	"solidus.io/images/notices"
)

const (
	classPathFile  = "image-classpath.txt"
	nativePrefix   = "solidus-prover-native-"
	commonModule   = "services/lib/platform"
	nativePlatform = "linux-x86_64"
	noticesFile    = "usr/share/doc/solidus/" + notices.File
)

// Part is a layer with a title.
type Part struct {
	Title string
	Layer *layer.Layer
}

// Image is a service's image before it is written.
type Image struct {
	Service Service
	Image   v1.Image
	Parts   []Part
	Jars    []java.Jar
	// Library is the native library inside, or nil.
	Library []byte
}

// Builder makes images from the build's output in the repository.
type Builder struct {
	Root    string
	Cache   string
	Sources Sources
	Base    []debian.Package
	Runtime *java.Runtime

	store  *layer.Store
	base   Part
	java   Part
	common []java.Jar
}

// Prepare makes the layers that all images share.
func (b *Builder) Prepare() error {
	var err error
	if b.store, err = layer.Open(filepath.Join(b.Cache, "layers")); err != nil {
		return err
	}
	tree, err := debian.Base(b.Base)
	if err != nil {
		return err
	}
	if b.base, err = b.part("Debian: C library and loader", tree); err != nil {
		return err
	}
	if tree, err = b.Runtime.Tree(); err != nil {
		return err
	}
	if b.java, err = b.part("Java runtime", tree); err != nil {
		return err
	}
	all, err := java.ClassPath(b.Root, commonModule, classPathFile)
	b.common = java.ThirdParty(all)
	return err
}

func (b *Builder) part(title string, tree *layer.Tree) (Part, error) {
	made, err := b.store.Add(tree)
	if err != nil {
		return Part{}, fmt.Errorf("layer %q: %w", title, err)
	}
	if made.Reused {
		return Part{Title: title, Layer: made}, nil
	}
	if err := CheckLayer(made); err != nil {
		return Part{}, errors.Join(fmt.Errorf("layer %q: %w", title, err), b.store.Forget(made))
	}
	return Part{Title: title, Layer: made}, nil
}

// Build makes a service's image. The layers that change most often come last.
func (b *Builder) Build(service Service) (*Image, error) {
	jars, err := java.ClassPath(b.Root, service.Module, classPathFile)
	if err != nil {
		return nil, err
	}
	image := &Image{Service: service, Jars: jars, Parts: []Part{b.base, b.java}}
	if err := b.addNative(image); err != nil {
		return nil, err
	}
	if err := b.addLibraries(image); err != nil {
		return nil, err
	}
	tree, err := service.application(b.Runtime.Feature, jars)
	if err != nil {
		return nil, err
	}
	part, err := b.part("Solidus", tree)
	if err != nil {
		return nil, err
	}
	image.Parts = append(image.Parts, part)
	image.Image, err = b.assemble(image)
	return image, err
}

func (b *Builder) addNative(image *Image) error {
	for _, jar := range image.Jars {
		if !jar.Ours || !strings.HasPrefix(jar.Name, nativePrefix) {
			continue
		}
		library, err := java.NativeLibrary(jar.File, nativePlatform)
		if err != nil {
			return err
		}
		if err := java.CheckSymbols(library, b.glibc()); err != nil {
			return err
		}
		tree := layer.NewTree()
		if err := tree.Bytes(libraryFile, library, 0o755); err != nil {
			return err
		}
		// modules that are linked into the library must come with their licences
		if err := tree.File(noticesFile, filepath.Join(b.Root, notices.File)); err != nil {
			return err
		}
		part, err := b.part("native library", tree)
		if err != nil {
			return err
		}
		image.Library, image.Parts = library, append(image.Parts, part)
	}
	return nil
}

// addLibraries adds the third-party jars. Those of every service go into a layer that all services share, this service's own
// into another.
func (b *Builder) addLibraries(image *Image) error {
	wanted := java.ThirdParty(image.Jars)
	own := java.Without(wanted, b.common)
	shared := java.Without(wanted, own)
	if len(shared) < len(b.common) {
		// the wallet is a program, not a service: its image has only its own jars
		own, shared = wanted, nil
	}
	for _, group := range []struct {
		title string
		jars  []java.Jar
	}{{"libraries of all services", shared}, {"libraries of this image", own}} {
		if len(group.jars) == 0 {
			continue
		}
		tree, err := libraries(group.jars)
		if err != nil {
			return err
		}
		part, err := b.part(group.title, tree)
		if err != nil {
			return err
		}
		image.Parts = append(image.Parts, part)
	}
	return nil
}

func (b *Builder) glibc() string {
	for _, p := range b.Base {
		if p.Name == "libc6" {
			return java.GlibcVersion(p.Version)
		}
	}
	return "0"
}

func (b *Builder) assemble(image *Image) (v1.Image, error) {
	made := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	created := v1.Time{Time: b.Sources.Created.UTC()}
	made, err := mutate.ConfigFile(made, &v1.ConfigFile{
		Architecture: "amd64", OS: "linux", Created: created, Config: image.Service.config(b.Sources),
		RootFS: v1.RootFS{Type: "layers"},
	})
	if err != nil {
		return nil, err
	}
	for _, part := range image.Parts {
		made, err = mutate.Append(made, mutate.Addendum{
			Layer: part.Layer, MediaType: types.OCILayer, History: v1.History{Created: created, CreatedBy: "solidus images", Comment: part.Title},
		})
		if err != nil {
			return nil, err
		}
	}
	labels := image.Service.config(b.Sources).Labels
	return mutate.Annotations(made, labels).(v1.Image), nil
}
