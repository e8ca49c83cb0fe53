package notices

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

const topPom = `<project><parent><groupId>g.boot</groupId><artifactId>parent</artifactId><version>4</version></parent>
<modules><module>services/a</module></modules><properties><x.version>1</x.version><other>o</other></properties></project>`

const modulePom = `<project><parent><groupId>io.solidus</groupId><artifactId>p</artifactId><version>1</version></parent><dependencies>
<dependency><groupId>io.solidus</groupId><artifactId>b</artifactId></dependency>
<dependency><groupId>g</groupId><artifactId>lib</artifactId><version>${x.version}</version></dependency>
<dependency><groupId>t</groupId><artifactId>only-tests</artifactId><scope>test</scope></dependency></dependencies></project>`

const bom = `{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[
{"type":"library","group":"g","name":"lib","version":"1","purl":"pkg:maven/g/lib@1?type=jar","licenses":[{"license":{"name":"The Apache License, Version 2.0"}}]},
{"type":"library","group":"io.solidus","name":"b","version":"1","purl":"pkg:maven/io.solidus/b@1?type=jar"}]}`

const lock = "# comment\nlibc6 2.36-9 amd64 " + "abababababababababababababababababababababababababababababababab\n"

func write(t *testing.T, root, name, content string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repository is a small one whose list was just made.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{
		"pom.xml": topPom, "services/a/pom.xml": modulePom, "services/a/target/" + listFile: bom, "prover-native/go.mod": "module m\n",
		"tools/images/base.lock": lock, "scripts/load.sh": "K6_VERSION=1\n",
		"scripts/cluster.sh": "CLUSTER_KUBE_VERSION=1\n",
	} {
		write(t, root, name, content)
	}
	parts, err := jars(root, map[string]bool{"services/a": true})
	if err != nil {
		t.Fatal(err)
	}
	base, err := platform(root)
	if err != nil {
		t.Fatal(err)
	}
	linked := Part{Section: Native, Name: "m/linked", Version: "v1", Licence: "MIT", Where: "linked", text: "the text"}
	parts = ordered(append(append(append(parts, base...), tools()...), linked))
	declared, err := Declared(root)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, File, Render(parts, declared))
	return root
}

func wrongWith(t *testing.T, root string) string {
	t.Helper()
	wrong, err := Check(root)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(wrong, "\n")
}

func TestANewListPassesTheCheck(t *testing.T) {
	root := repository(t)
	if wrong := wrongWith(t, root); wrong != "" {
		t.Error(wrong)
	}
	parts, _, err := Read(filepath.Join(root, File))
	if err != nil {
		t.Fatal(err)
	}
	if first := parts[0]; first.Name != "g:lib" || first.Version != "1" || first.Licence != "Apache-2.0" || first.Section != Images {
		t.Errorf("%+v", first)
	}
	text, err := os.ReadFile(filepath.Join(root, File))
	if err != nil || !strings.Contains(string(text), "### m/linked\n\n```text\nthe text\n```") {
		t.Error("the text of a linked part's licence is missing", err)
	}
}

func TestAddedDependenciesAreReported(t *testing.T) {
	added := `<dependency><groupId>n</groupId><artifactId>new</artifactId><version>1</version></dependency></dependencies>`
	for what, change := range map[string][2]string{
		"services/a/pom.xml":     {modulePom, strings.Replace(modulePom, "</dependencies>", added, 1)},
		"pom.xml":                {topPom, strings.Replace(topPom, "<x.version>1<", "<x.version>2<", 1)},
		"prover-native/go.mod":   {"module m\n", "module m\nrequire n v1\n"},
		"tools/images/base.lock": {lock, strings.Replace(lock, "2.36-9", "2.36-10", 1)},
	} {
		root := repository(t)
		write(t, root, what, change[1])
		if wrong := wrongWith(t, root); !strings.Contains(wrong, "run ./solidus notices") {
			t.Errorf("%s: %q", what, wrong)
		}
		if what == "services/a/pom.xml" && !strings.Contains(wrongWith(t, root), "n:new (services/a) is not in the list") {
			t.Error("the new part is not named")
		}
		write(t, root, what, change[0])
		if wrong := wrongWith(t, root); wrong != "" {
			t.Errorf("%s, undone: %s", what, wrong)
		}
	}
}

func TestUndistributedDependenciesDoNotCount(t *testing.T) {
	root := repository(t)
	text := strings.Replace(modulePom, "only-tests", "other-tests", 1)
	write(t, root, "services/a/pom.xml", "<!-- a comment -->\n"+text)
	write(t, root, "tools/images/base.lock", "# another comment\n"+lock)
	if wrong := wrongWith(t, root); wrong != "" {
		t.Error(wrong)
	}
}

func TestUnlistedToolsAreReported(t *testing.T) {
	root := repository(t)
	write(t, root, "scripts/new.sh", "FETCHED_VERSION=1\n")
	if wrong := wrongWith(t, root); !strings.Contains(wrong, "FETCHED_VERSION") {
		t.Error(wrong)
	}
}

func TestLicences(t *testing.T) {
	for _, c := range []struct {
		section Section
		licence string
		allowed bool
	}{
		{Images, "Apache-2.0", true},
		{Images, "EPL-2.0 OR GPL-2.0-only WITH Classpath-exception-2.0", true},
		{Images, "GPL-2.0-only", false},
		{Images, "GPL-2.0-only WITH Classpath-exception-2.0", false},
		{Images, "MIT AND GPL-3.0-only", false},
		{Images, "AGPL-3.0-only", false},
		{Images, "", false},
		{Native, "somebody's own words", false},
		{Beyond, "LicenseRef-Gatling-Highcharts", false},
		{Platform, "GPL-2.0-only WITH Classpath-exception-2.0", true},
		{Platform, "AGPL-3.0-only", false},
		{Tools, "AGPL-3.0-only", true},
	} {
		if Allowed(Part{Section: c.section, Licence: c.licence}) != c.allowed {
			t.Errorf("%s in %q", c.licence, c.section)
		}
	}
}

func TestAnAcceptedPartIsAcceptedInItsPlaceOnly(t *testing.T) {
	for name, one := range accepted {
		one.Name = name
		if !Allowed(one) {
			t.Errorf("%s is refused", name)
		}
		elsewhere, otherwise := one, one
		elsewhere.Section, otherwise.Licence = Images, "GPL-3.0-only"
		if Allowed(elsewhere) || Allowed(otherwise) {
			t.Errorf("%s is accepted in an image, or under another licence", name)
		}
	}
}

func TestForbiddenLicencesAreReported(t *testing.T) {
	root := repository(t)
	file := filepath.Join(root, File)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, File, strings.Replace(string(text), "| g:lib | 1 | Apache-2.0 |", "| g:lib | 1 | GPL-3.0-only |", 1))
	if wrong := wrongWith(t, root); !strings.Contains(wrong, "g:lib 1: GPL-3.0-only") {
		t.Error(wrong)
	}
}

func TestLicenceNamesInPoms(t *testing.T) {
	for text, expected := range map[string]string{
		"The Apache Software License, Version 2.0":             "Apache-2.0",
		"Apache License 2.0":                                   "Apache-2.0",
		"EDL 1.0":                                              "BSD-3-Clause",
		"Eclipse Public License v. 2.0":                        "EPL-2.0",
		"Eclipse Public License - v 1.0":                       "EPL-1.0",
		"GNU Lesser General Public License, version 2.1":       "LGPL-2.1-only",
		"GNU Affero General Public License v3":                 "AGPL-3.0-only",
		"GPL2 w/ CPE":                                          "GPL-2.0-only WITH Classpath-exception-2.0",
		"The MIT License":                                      "MIT",
		"0BSD":                                                 "0BSD",
		"Go License":                                           "BSD-3-Clause",
		"Public Domain, per Creative Commons CC0":              "CC0-1.0",
		"Bouncy Castle Licence":                                "Bouncy-Castle",
		"BSD 3-clause":                                         "BSD-3-Clause",
		"GNU General Public License, version 3":                "GNU General Public License, version 3",
		"GNU GENERAL PUBLIC LICENSE, Version 2 (June 1991)":    "GNU GENERAL PUBLIC LICENSE, Version 2 (June 1991)",
		"Proprietary, ask us before you make any use of these": "Proprietary, ask us before you make any use of these",
	} {
		if got := identifier(cdx.LicenseChoice{License: &cdx.License{Name: text}}); got != expected {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
}

func TestJarsWithAndWithoutClassifiers(t *testing.T) {
	root := repository(t)
	file := filepath.Join(root, File)
	wrong, err := Uncovered(file, []string{"lib-1.jar", "lib-1-linux-x86_64.jar"})
	if err != nil || len(wrong) != 0 {
		t.Error(wrong, err)
	}
	wrong, err = Uncovered(file, []string{"lib-2.jar", "unknown-1.jar"})
	if err != nil || len(wrong) != 2 {
		t.Error(wrong, err)
	}
}

func TestLicenceTextsAreRecognised(t *testing.T) {
	for text, expected := range map[string]string{
		"Apache License\n Version 2.0, January 2004":                                                               "Apache-2.0",
		"Permission is hereby granted, free of charge, ... The above copyright notice and this\npermission notice": "MIT",
		"Redistribution and use in source and binary forms ... Neither the name of":                                "BSD-3-Clause",
		"Redistribution and use in source and binary forms ...":                                                    "BSD-2-Clause",
		"All rights reserved": "",
	} {
		if got := ofText(text); got != expected {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
}
