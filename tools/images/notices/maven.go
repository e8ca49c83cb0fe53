package notices

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// listFile is the list that Maven's CycloneDX plugin writes for each module: its runtime dependencies.
const listFile = "notices-sbom.json"

const own = "io.solidus"

// project is the part of a pom that this package reads.
type project struct {
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Parent     struct {
		GroupID    string `xml:"groupId"`
		ArtifactID string `xml:"artifactId"`
		Version    string `xml:"version"`
	} `xml:"parent"`
	Modules      []string     `xml:"modules>module"`
	Properties   properties   `xml:"properties"`
	Dependencies []dependency `xml:"dependencies>dependency"`
	Managed      []dependency `xml:"dependencyManagement>dependencies>dependency"`
}

type dependency struct {
	GroupID    string `xml:"groupId"`
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Classifier string `xml:"classifier"`
	Scope      string `xml:"scope"`
}

// properties are a pom's own, as "name=value" in alphabetical order.
type properties []string

func (p *properties) UnmarshalXML(decoder *xml.Decoder, start xml.StartElement) error {
	var all struct {
		Entries []struct {
			XMLName xml.Name
			Value   string `xml:",chardata"`
		} `xml:",any"`
	}
	if err := decoder.DecodeElement(&all, &start); err != nil {
		return err
	}
	for _, entry := range all.Entries {
		*p = append(*p, entry.XMLName.Local+"="+strings.TrimSpace(entry.Value))
	}
	sort.Strings(*p)
	return nil
}

func readPom(file string) (project, error) {
	var pom project
	text, err := os.ReadFile(file)
	if err != nil {
		return pom, err
	}
	if err := xml.Unmarshal(text, &pom); err != nil {
		return pom, fmt.Errorf("%s: %w", file, err)
	}
	return pom, nil
}

// jars returns the jars that the modules need to run, from the lists that Maven wrote.
func jars(root string, shipped map[string]bool) ([]Part, error) {
	pom, err := readPom(filepath.Join(root, "pom.xml"))
	if err != nil {
		return nil, err
	}
	found := map[string]*jar{}
	for _, module := range pom.Modules {
		if err := addModule(found, root, module, shipped[module]); err != nil {
			return nil, err
		}
	}
	var parts []Part
	for _, one := range found {
		parts = append(parts, one.part(len(shipped)))
	}
	return parts, nil
}

// jar is a Maven artifact with the modules that need it.
type jar struct {
	name, version, licence string
	// images are the modules with an image that need the jar, others the modules without one.
	images, others []string
}

// part lists the images that contain the jar or, if there is none, the modules that need it.
func (j *jar) part(images int) Part {
	part := Part{Section: Beyond, Name: j.name, Version: j.version, Licence: j.licence}
	modules := j.others
	if len(j.images) > 0 {
		part.Section, modules = Images, j.images
	}
	sort.Strings(modules)
	part.Where = strings.Join(modules, ", ")
	switch {
	case len(j.images) == images:
		part.Where = "all"
	case len(j.images) == images-1 && !slices.Contains(j.images, "wallet"):
		part.Where = "all services"
	}
	return part
}

func addModule(found map[string]*jar, root, module string, shipped bool) error {
	in, err := os.Open(filepath.Join(root, module, "target", listFile))
	if err != nil {
		return err
	}
	defer in.Close()
	bom := new(cdx.BOM)
	if err := cdx.NewBOMDecoder(in, cdx.BOMFileFormatJSON).Decode(bom); err != nil {
		return fmt.Errorf("%s: %w", module, err)
	}
	if bom.Components == nil {
		return nil
	}
	for _, component := range *bom.Components {
		if component.Group == own || strings.Contains(component.PackageURL, "type=pom") {
			continue
		}
		name := component.Group + ":" + component.Name
		key := name + " " + component.Version
		if found[key] == nil {
			found[key] = &jar{name: name, version: component.Version, licence: licenceOf(component)}
		}
		found[key].usedBy(module, shipped)
	}
	return nil
}

func (j *jar) usedBy(module string, shipped bool) {
	name := filepath.Base(module)
	switch {
	case shipped && !slices.Contains(j.images, name):
		j.images = append(j.images, name)
	case !shipped && !slices.Contains(j.others, name):
		j.others = append(j.others, name)
	}
}
