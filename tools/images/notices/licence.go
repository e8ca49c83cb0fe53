package notices

import (
	"regexp"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// free are licences that whatever is given to others may carry: they ask for notices, and for nothing of the rest.
var free = words(`Apache-2.0 MIT MIT-0 0BSD BSD-2-Clause BSD-3-Clause ISC CC0-1.0 Unlicense EPL-1.0 EPL-2.0 MPL-2.0 PostgreSQL
	Bouncy-Castle BlueOak-1.0.0 CDDL-1.0 CDDL-1.1 LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later Public-Domain Zlib`)

// beside are licences of whole programs and of libraries that lie beside ours in the images, unchanged and exchangeable.
var beside = words(`GPL-2.0-only_WITH_Classpath-exception-2.0 GPL-3.0-or-later_WITH_GCC-exception-3.1 GPL-2.0-or-later`)

// run are licences of programs that are fetched and run on a machine by whoever wants to, and that nobody gets from us.
var run = words(`AGPL-3.0-only GPL-2.0-only GPL-3.0-only`)

// accepted are parts under a licence of their own that somebody looked at, where they are used and nowhere else.
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

// Allowed tells whether a part's licence is on the list of its section. Of alternatives (OR) one suffices, of several at once (AND) all count.
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

// names are the words that poms use, as patterns, with the identifier of what they mean. The first that fits counts.
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

// curated are parts whose own metadata names no licence, or one of several that the jar holds; read in the jar.
var curated = map[string]string{}

// licenceOf is what a component says about itself. Several licences in a pom mean a choice, which is how their authors use them.
func licenceOf(component cdx.Component) string {
	if known, found := curated[component.Group+":"+component.Name]; found {
		return known
	}
	if component.Licenses == nil {
		return ""
	}
	var all []string
	seen := map[string]bool{}
	for _, choice := range *component.Licenses {
		licence := identifier(choice)
		if licence != "" && !seen[licence] {
			seen[licence] = true
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

// ofText tells a licence by its text; empty for one that it does not know.
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
