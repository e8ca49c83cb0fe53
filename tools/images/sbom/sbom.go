// Package sbom lists the parts of an image, as CycloneDX.
package sbom

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"solidus.io/images/debian"
	"solidus.io/images/image"
	"solidus.io/images/java"
)

// modulesFile is the list that the CycloneDX plugin writes for each Maven module.
const modulesFile = "image-sbom.json"

// Of lists an image's parts: its jars as Maven lists them, the Java runtime, the Go modules of the native library, the
// Debian packages.
func Of(root string, made *image.Image, base []debian.Package, runtime *java.Runtime, sources image.Sources, digest string) ([]byte, error) {
	bom, err := maven(filepath.Join(root, made.Service.Module, "target", modulesFile))
	if err != nil {
		return nil, err
	}
	components := onlyJarsOf(bom, made.Jars)
	if lost := len(made.Jars) - 1 - len(components); lost != 0 {
		return nil, fmt.Errorf("%s: the image has %d jars, but the list of Maven's plugin has only %d of them", made.Service.Name, len(made.Jars)-1,
			len(components))
	}
	components = append(components, javaRuntime(runtime))
	for _, p := range base {
		components = append(components, debianPackage(p))
	}
	if made.Library != nil {
		modules, err := java.GoModules(made.Library)
		if err != nil {
			return nil, err
		}
		components = append(components, goModules(modules)...)
	}
	sort.Slice(components, func(i, j int) bool { return components[i].BOMRef < components[j].BOMRef })
	bom.Components = &components
	describe(bom, made, sources, digest)
	var out bytes.Buffer
	if err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).Encode(bom); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func maven(file string) (*cdx.BOM, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	bom := new(cdx.BOM)
	return bom, cdx.NewBOMDecoder(in, cdx.BOMFileFormatJSON).Decode(bom)
}

// onlyJarsOf returns the plugin's components that are jars of the image. Poms and the like are not.
func onlyJarsOf(bom *cdx.BOM, jars []java.Jar) []cdx.Component {
	inside := map[string]bool{}
	for _, jar := range jars {
		inside[jar.Name] = true
	}
	var kept []cdx.Component
	if bom.Components == nil {
		return nil
	}
	for _, component := range *bom.Components {
		if inside[jarName(component)] {
			kept = append(kept, component)
		}
	}
	return kept
}

// jarName returns the file name that Maven gives a component.
func jarName(component cdx.Component) string {
	classifier := ""
	if _, query, found := strings.Cut(component.PackageURL, "?"); found {
		if values, err := url.ParseQuery(query); err == nil && values.Get("classifier") != "" {
			classifier = "-" + values.Get("classifier")
		}
	}
	return component.Name + "-" + component.Version + classifier + ".jar"
}

// describe sets the metadata of the list, without values that differ from one build to the next.
func describe(bom *cdx.BOM, made *image.Image, sources image.Sources, digest string) {
	name := "solidus-" + made.Service.Name
	bom.SerialNumber = ""
	ref := "pkg:oci/" + name + "@" + url.QueryEscape(digest) + "?arch=amd64"
	own := bom.Metadata.Component
	bom.Metadata.Timestamp = sources.Created.UTC().Format(time.RFC3339)
	bom.Metadata.Component = &cdx.Component{
		BOMRef: ref, Type: cdx.ComponentTypeContainer, Name: name, Version: sources.Version, Description: made.Service.Description, PackageURL: ref,
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: strings.TrimPrefix(digest, "sha256:")}},
		Properties: &[]cdx.Property{{Name: "solidus:revision", Value: sources.Revision}},
	}
	addOwn(bom, own, ref)
}

// addOwn adds the service's own jar, which the plugin's list is about, to the parts of the image, and links the image to all
// parts.
func addOwn(bom *cdx.BOM, own *cdx.Component, ref string) {
	components := append(*bom.Components, *own)
	bom.Components = &components
	present := map[string]bool{}
	top := cdx.Dependency{Ref: ref}
	var direct []string
	for _, component := range components {
		present[component.BOMRef] = true
		direct = append(direct, component.BOMRef)
	}
	sort.Strings(direct)
	top.Dependencies = &direct
	kept := []cdx.Dependency{top}
	if bom.Dependencies != nil {
		for _, dependency := range *bom.Dependencies {
			if present[dependency.Ref] {
				kept = append(kept, within(dependency, present))
			}
		}
	}
	bom.Dependencies = &kept
}

func within(dependency cdx.Dependency, present map[string]bool) cdx.Dependency {
	if dependency.Dependencies == nil {
		return dependency
	}
	var kept []string
	for _, ref := range *dependency.Dependencies {
		if present[ref] {
			kept = append(kept, ref)
		}
	}
	dependency.Dependencies = &kept
	return dependency
}

func javaRuntime(runtime *java.Runtime) cdx.Component {
	ref := "pkg:generic/openjdk@" + url.QueryEscape(runtime.Version)
	return cdx.Component{
		BOMRef: ref, Type: cdx.ComponentTypePlatform, Name: "openjdk", Version: runtime.Version, PackageURL: ref, Publisher: runtime.Vendor,
		Licenses: &cdx.Licenses{{Expression: "GPL-2.0-only WITH Classpath-exception-2.0"}},
	}
}

func debianPackage(p debian.Package) cdx.Component {
	ref := "pkg:deb/debian/" + p.Name + "@" + url.QueryEscape(p.Version) + "?arch=" + p.Architecture + "&distro=debian-12"
	return cdx.Component{
		BOMRef: ref, Type: cdx.ComponentTypeLibrary, Name: p.Name, Version: p.Version, PackageURL: ref,
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: p.SHA256}},
	}
}

func goModules(info *buildinfo.BuildInfo) []cdx.Component {
	parts := []cdx.Component{goModule("std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		parts = append(parts, goModule(module.Path, module.Version))
	}
	return parts
}

func goModule(path, version string) cdx.Component {
	ref := "pkg:golang/" + path + "@" + url.QueryEscape(version)
	return cdx.Component{BOMRef: ref, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: ref}
}
