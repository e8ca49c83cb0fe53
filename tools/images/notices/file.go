package notices

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

const madeFrom = "<!-- made from: "

const head = `# Third-party notices

The third-party parts of this platform and their licences. ` + "`./solidus notices`" + ` makes this page from the dependencies that the build resolves. ` + "`./solidus notices check`" + `, a part of
` + "`./solidus test`" + `, fails when a dependency was added or changed since, or has a licence that is not on the list in
[tools/images/notices/licence.go](tools/images/notices/licence.go).

Solidus itself is licensed under the Apache License 2.0 ([LICENSE](LICENSE), [NOTICE](NOTICE)).
This page lists what others wrote, and what to keep when you distribute it.

- Jars contain their own licence and notice files (META-INF). Every image has the jars unchanged, and beside each image lies a list of its parts
  with licences (` + "`SERVICE.cdx.json`" + `, [Build the images](docs/how-to/build-images.md)).
- Parts that are linked into the native library and the key tools have no such file. Their texts are at the end of this page.
  Distribute this page with the library, an image or the tools. Images with the library have it in /usr/share/doc/solidus.
- Dependencies of tests alone are not listed, because they are not distributed.
- Where a part has a choice of licences (OR), we choose the first one that is on the list.

## Before distributing

| part | why |
|---|---|
| k6 (AGPL-3.0) | ` + "`./solidus load`" + ` has Go build it on the user's machine. It is a separate program, talks HTTP and is in no image. Who changes it and lets others use it over a network must give them its source. Gatling is the alternative |
| Gatling's charts (Gatling Highcharts licence) | not free software: to be used as delivered, free of charge; not to be changed, copied or used in anything else. Only ` + "`loadtest/gatling`" + ` needs it, and Maven fetches it. Do not distribute ` + "`loadtest/gatling/target/lib`" + ` |
| OpenJDK, libgcc | GPL with exceptions that allow programs of any licence to run on them. Their licence files must stay in the images |
| glibc; spotbugs-annotations, the only jar under LGPL alone (a library depends on it, and it is not used at run time) | exchangeable files of their own: keep them so (no static linking, no shading), or exclude that jar |
| the sandbox's PostgreSQL (PostgreSQL licence) | a complete server with its makers' bundled libraries, in a jar that only ` + "`./solidus up`" + ` and tests fetch; in no image |
| ISO 20022 message schemas | ` + "`services/operator/issuance/src/main/resources/iso20022`" + `, unchanged, from iso20022.org, which lets anybody use them free of charge. The registration authority's terms apply: https://www.iso20022.org/intellectual-property-rights |
| busybox (GPL-2.0) | the charts name its public image. Who mirrors the image distributes it, and must give its source or where that is |

`

// Render returns the text of the list.
func Render(parts []Part, declared []string) string {
	var out strings.Builder
	out.WriteString(head)
	out.WriteString(summary(parts))
	for _, section := range sections {
		fmt.Fprintf(&out, "## %s\n\n| part | version | licence | where |\n|---|---|---|---|\n", section)
		for _, part := range parts {
			if part.Section == section {
				fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", part.Name, part.Version, part.Licence, part.Where)
			}
		}
		out.WriteString("\n")
	}
	out.WriteString(texts(parts))
	fmt.Fprintf(&out, "%s%s -->\n", madeFrom, digest(declared))
	return out.String()
}

// summary counts parts by licence.
func summary(parts []Part) string {
	count := map[string]int{}
	var licences []string
	for _, part := range parts {
		if part.Section == Tools {
			continue
		}
		if count[part.Licence] == 0 {
			licences = append(licences, part.Licence)
		}
		count[part.Licence]++
	}
	sort.Slice(licences, func(i, j int) bool {
		if count[licences[i]] != count[licences[j]] {
			return count[licences[i]] > count[licences[j]]
		}
		return licences[i] < licences[j]
	})
	var out strings.Builder
	out.WriteString("## By licence\n\n| licence | parts |\n|---|---|\n")
	for _, licence := range licences {
		fmt.Fprintf(&out, "| %s | %d |\n", licence, count[licence])
	}
	out.WriteString("\n")
	return out.String()
}

// texts returns the licences of linked parts, each text once.
func texts(parts []Part) string {
	owners := map[[32]byte][]string{}
	text := map[[32]byte]string{}
	var order [][32]byte
	for _, part := range parts {
		if part.text == "" {
			continue
		}
		key := sha256.Sum256([]byte(strings.Join(strings.Fields(part.text), " ")))
		if text[key] == "" {
			text[key] = part.text
			order = append(order, key)
		}
		owners[key] = append(owners[key], part.Name)
	}
	var out strings.Builder
	out.WriteString("## Texts of the licences of what is linked\n\n")
	for _, key := range order {
		fmt.Fprintf(&out, "### %s\n\n```text\n%s\n```\n\n", strings.Join(owners[key], ", "), strings.TrimSpace(trimRight(text[key])))
	}
	return out.String()
}

func trimRight(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Join(lines, "\n")
}

// Read parses the list: its parts without texts, and the digest of the declarations that it was made from.
func Read(file string) ([]Part, string, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	var parts []Part
	var section Section
	made := ""
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "## "):
			if section = Section(line[len("## "):]); !slices.Contains(sections, section) {
				section = ""
			}
		case strings.HasPrefix(line, madeFrom):
			made = strings.TrimSuffix(strings.TrimPrefix(line, madeFrom), " -->")
		case section != "" && strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| part |"):
			cells := strings.Split(strings.Trim(line, "| "), " | ")
			if len(cells) < 3 {
				return nil, "", fmt.Errorf("%s: a row without four cells: %s", file, line)
			}
			parts = append(parts, Part{Section: section, Name: cells[0], Version: cells[1], Licence: cells[2]})
		}
	}
	return parts, made, lines.Err()
}

// Make writes the list from the resolved dependencies of Maven and Go. shipped are the Maven modules in the images.
func Make(root, goCommand string, shipped []string) ([]Part, error) {
	set := map[string]bool{}
	for _, module := range shipped {
		set[module] = true
	}
	parts, err := jars(root, set)
	if err != nil {
		return nil, err
	}
	modules, err := goModules(root, goCommand)
	if err != nil {
		return nil, err
	}
	base, err := platform(root)
	if err != nil {
		return nil, err
	}
	parts = ordered(append(append(append(parts, modules...), base...), tools()...))
	declared, err := Declared(root)
	if err != nil {
		return nil, err
	}
	return parts, os.WriteFile(filepath.Join(root, File), []byte(Render(parts, declared)), 0o644)
}

// Check compares the list with the current declarations, without a build and without a network. It returns the differences.
func Check(root string) ([]string, error) {
	parts, made, err := Read(filepath.Join(root, File))
	if err != nil {
		return nil, err
	}
	declared, err := Declared(root)
	if err != nil {
		return nil, err
	}
	wrong := append(Refused(parts), missing(parts, declared)...)
	if made != digest(declared) {
		wrong = append(wrong, "the declared dependencies (poms, go.mod, base.lock) have changed since the list was made: run ./solidus notices")
	}
	if len(parts) == 0 {
		wrong = append(wrong, "the list is empty")
	}
	unlisted, err := Unlisted(root)
	return append(wrong, unlisted...), err
}

// missing returns the jars that a pom declares by name and the list lacks.
func missing(parts []Part, declared []string) []string {
	known := map[string]bool{}
	for _, part := range parts {
		known[part.Name] = true
	}
	var wrong []string
	for _, line := range declared {
		fields := strings.Fields(line)
		// "module group:artifact ..." is a dependency of a module; the lines of the top pom only give versions
		if len(fields) < 2 || fields[0] == "." || fields[1] == "parent" || !strings.Contains(fields[1], ":") || strings.Contains(fields[1], "=") {
			continue
		}
		if !known[fields[1]] && !strings.Contains(fields[1], "-starter") && !strings.Contains(fields[1], "${") {
			wrong = append(wrong, fmt.Sprintf("%s (%s) is not in the list", fields[1], fields[0]))
		}
	}
	return wrong
}

// Uncovered returns the file names of jars that no part of the list covers.
func Uncovered(file string, jars []string) ([]string, error) {
	parts, _, err := Read(file)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, part := range parts {
		if _, artifact, found := strings.Cut(part.Name, ":"); found {
			known[artifact+"-"+part.Version] = true
		}
	}
	var wrong []string
	for _, jar := range jars {
		if !covered(known, strings.TrimSuffix(jar, ".jar")) {
			wrong = append(wrong, fmt.Sprintf("%s is not in %s: run ./solidus notices", jar, File))
		}
	}
	return wrong, nil
}

// covered reports whether a jar's name, or the part of it before a classifier, is known.
func covered(known map[string]bool, name string) bool {
	for {
		if known[name] {
			return true
		}
		end := strings.LastIndex(name, "-")
		if end < 0 {
			return false
		}
		name = name[:end]
	}
}
