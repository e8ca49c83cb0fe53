package notices

import (
	"regexp"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// free are licences that any distributed part may have: they require notices and have no conditions on other parts.
var free = words(`Apache-2.0 MIT MIT-0 0BSD BSD-2-Clause BSD-3-Clause ISC CC0-1.0 Unlicense EPL-1.0 EPL-2.0 MPL-2.0 PostgreSQL
	Bouncy-Castle BlueOak-1.0.0 CDDL-1.0 CDDL-1.1 LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later Public-Domain Unicode-3.0 Zlib`)

// beside are licences of third-party programs and libraries that the images contain unchanged and replaceable.
var beside = words(`GPL-2.0-only_WITH_Classpath-exception-2.0 GPL-3.0-or-later_WITH_GCC-exception-3.1 GPL-2.0-or-later`)

// run are licences of programs that a command fetches and runs on the user's machine. We do not distribute them.
var run = words(`AGPL-3.0-only GPL-2.0-only GPL-3.0-only`)

// accepted are reviewed parts with a licence of their own. Each is accepted in one section only.
var accepted = map[string]Part{
	"io.gatling.highcharts:gatling-charts-highcharts": {Section: Beyond, Licence: "LicenseRef-Gatling-Highcharts", Where: "gatling"},
}

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[strings.ReplaceAll(word, "_", " ")] = true
	}
	return set
}

// Allowed reports whether a part's licence is on the list of its section. Of alternatives (OR) one must be, of a combination
// (AND) all must be.
func Allowed(part Part) bool {
	if one, found := accepted[part.Name]; found && one.Section == part.Section && one.Licence == part.Licence {
		return true
	}
	for _, alternative := range strings.Split(part.Licence, " OR ") {
		fits := alternative != ""
		for _, licence := range strings.Split(alternative, " AND ") {
			fits = fits && allowed(part.Section, licence)
		}
		if fits {
			return true
		}
	}
	return false
}

func allowed(section Section, licence string) bool {
	switch {
	case free[licence]:
		return true
	case section == Platform:
		return beside[licence]
	case section == Tools:
		return beside[licence] || run[licence]
	default:
		return false
	}
}

// names maps the names in poms, as patterns, to SPDX identifiers. The first match counts.
var names = []struct {
	pattern *regexp.Regexp
	licence string
}{
	{regexp.MustCompile(`(?i)affero`), "AGPL-3.0-only"},
	{regexp.MustCompile(`(?i)gatling.*highcharts`), "LicenseRef-Gatling-Highcharts"},
	{regexp.MustCompile(`(?i)classpath|gpl2 w/ ?cpe|GPLv2\+CE`), "GPL-2.0-only WITH Classpath-exception-2.0"},
	{regexp.MustCompile(`(?i)apache.*2|asl.*2\.0|^apache$`), "Apache-2.0"},
	{regexp.MustCompile(`(?i)bouncy castle`), "Bouncy-Castle"},
	{regexp.MustCompile(`(?i)edl|eclipse distribution`), "BSD-3-Clause"},
	{regexp.MustCompile(`(?i)(eclipse public|epl).*(2\.0|v2|v 2)`), "EPL-2.0"},
	{regexp.MustCompile(`(?i)(eclipse public|epl).*(1\.0|v1|v 1)`), "EPL-1.0"},
	{regexp.MustCompile(`(?i)^(the )?MIT-0|no attribution`), "MIT-0"},
	{regexp.MustCompile(`(?i)^0BSD|zero.clause`), "0BSD"},
	{regexp.MustCompile(`(?i)^go license`), "BSD-3-Clause"},
	{regexp.MustCompile(`(?i)\bMIT\b`), "MIT"},
	{regexp.MustCompile(`(?i)(bsd.*3|3.*bsd|new bsd|revised bsd|bsd new)`), "BSD-3-Clause"},
	{regexp.MustCompile(`(?i)(bsd.*2|2.*bsd|simplified bsd|freebsd)`), "BSD-2-Clause"},
	{regexp.MustCompile(`(?i)(lesser|lgpl).*(2\.1|v2)`), "LGPL-2.1-only"},
	{regexp.MustCompile(`(?i)(lesser|lgpl).*3`), "LGPL-3.0-only"},
	{regexp.MustCompile(`(?i)mozilla.*2|mpl.*2`), "MPL-2.0"},
	{regexp.MustCompile(`(?i)cddl.*1\.1`), "CDDL-1.1"},
	{regexp.MustCompile(`(?i)cddl`), "CDDL-1.0"},
	{regexp.MustCompile(`(?i)postgresql`), "PostgreSQL"},
	{regexp.MustCompile(`(?i)cc0`), "CC0-1.0"},
	{regexp.MustCompile(`(?i)public domain`), "Public-Domain"},
	{regexp.MustCompile(`(?i)unlicense`), "Unlicense"},
	{regexp.MustCompile(`(?i)\bISC\b`), "ISC"},
}

// licenceOf returns the licence in a component's metadata. Several licences in a pom are a choice, as their authors use them.
func licenceOf(component cdx.Component) string {
	if component.Licenses == nil {
		return ""
	}
	var all []string
	for _, choice := range *component.Licenses {
		if licence := identifier(choice); licence != "" && !slices.Contains(all, licence) {
			all = append(all, licence)
		}
	}
	return strings.Join(all, " OR ")
}

func identifier(choice cdx.LicenseChoice) string {
	if choice.License == nil {
		return choice.Expression
	}
	if choice.License.ID != "" {
		return choice.License.ID
	}
	for _, text := range []string{choice.License.Name, choice.License.URL} {
		for _, name := range names {
			if name.pattern.MatchString(text) {
				return name.licence
			}
		}
	}
	return choice.License.Name
}

// ofText recognises a licence by its text. It returns an empty string for an unknown one.
func ofText(text string) string {
	flat := strings.Join(strings.Fields(text), " ")
	has := func(phrase string) bool { return strings.Contains(flat, phrase) }
	switch {
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case has("Permission is hereby granted, free of charge") && has("The above copyright notice and this permission notice"):
		return "MIT"
	case has("Redistribution and use in source and binary forms") && (has("Neither the name") || has("names of its contributors")):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	case has("Permission to use, copy, modify, and/or distribute this software"):
		return "ISC"
	default:
		return ""
	}
}
