package notices

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"solidus.io/images/debian"
)

// below are the licences of the Debian packages in the images.
var below = map[string]string{
	"base-files":  "GPL-2.0-or-later",
	"gcc-12-base": "GPL-3.0-or-later WITH GCC-exception-3.1",
	"libc-bin":    "LGPL-2.1-or-later",
	"libc6":       "LGPL-2.1-or-later",
	"libgcc-s1":   "GPL-3.0-or-later WITH GCC-exception-3.1",
}

// fetched are programs that our commands fetch, or that a chart names. Users of the command get them from their makers. The
// key is the script's variable for the version, if there is one.
var fetched = []struct{ variable, name, licence, where string }{
	{"MAVEN_VERSION", "Apache Maven", "Apache-2.0", "builds"},
	{"CYCLONEDX_VERSION", "CycloneDX Maven plugin", "Apache-2.0", "`./solidus images`, `./solidus notices`"},
	{"K6_VERSION", "k6", "AGPL-3.0-only", "`./solidus load`: a program of its own that sends requests; nothing of ours is linked with it"},
	{"HELM_VERSION", "Helm", "Apache-2.0", "`./solidus check charts`, `./solidus cluster`"},
	{"HELM_DOCS_VERSION", "helm-docs", "GPL-3.0-only", "`./solidus check charts`: a program of its own that reads our charts"},
	{"TERRAFORM_CONFIG_INSPECT_VERSION", "terraform-config-inspect", "MPL-2.0", "`./solidus check terraform`"},
	{"TFLINT_VERSION", "tflint", "MPL-2.0", "`./solidus check terraform`"},
	{"PROMTOOL_VERSION", "promtool", "Apache-2.0", "`./solidus check observability`"},
	{"BUF_VERSION", "buf", "Apache-2.0", "`./solidus check protobuf`"},
	{"GOLANGCI_LINT_VERSION", "golangci-lint", "GPL-3.0-only", "`./solidus check go`: a program of its own that reads our sources"},
	{"GOVULNCHECK_VERSION", "govulncheck", "BSD-3-Clause", "`./solidus check vulnerabilities`"},
	{"OSV_SCANNER_VERSION", "osv-scanner", "Apache-2.0", "`./solidus check vulnerabilities`"},
	{"SHFMT_VERSION", "shfmt", "BSD-3-Clause", "`./solidus check shell`"},
	{"", "shellcheck", "GPL-3.0-only", "`./solidus check shell`: a program of its own that reads our scripts"},
	{"", "ruff", "MIT", "`./solidus check python`"},
	{"SIMULATED_KUBE_VERSION", "Kubernetes (API server, controller manager, scheduler, kubelet, kube-proxy)", "Apache-2.0", "`./solidus cluster simulate`, `./solidus cluster kubelet`"},
	{"KWOK_VERSION", "kwok", "Apache-2.0", "`./solidus cluster simulate`"},
	{"COREDNS_VERSION", "CoreDNS", "Apache-2.0", "`./solidus cluster kubelet`"},
	{"", "containerd, runc, CNI plugins", "Apache-2.0", "`./solidus cluster kubelet`: Debian's packages"},
	{"", "nftables", "GPL-2.0-only", "`./solidus cluster kubelet`: Debian's package, a program of its own"},
	{"", "CloudNativePG", "Apache-2.0", "`./solidus cluster check`, `./solidus cluster kubelet`"},
	{"", "etcd", "Apache-2.0", "`./solidus cluster simulate`"},
	{"", "SoftHSM2", "BSD-2-Clause", "tests of key custody, where it is installed"},
	{"", "PyYAML", "MIT", "`./solidus check charts`"},
	{"", "kubernetes-validate", "Apache-2.0", "`./solidus check charts`"},
	{"", "busybox", "GPL-2.0-only", "the charts' `global.image.toolbox`, one step before the signer"},
}

// ours are version variables that do not belong to a program: the version of the Kubernetes API.
var ours = map[string]bool{"CLUSTER_KUBE_VERSION": true}

var versionVariable = regexp.MustCompile(`(?m)^([A-Z][A-Z0-9_]*_VERSION)=`)

func platform(root string) ([]Part, error) {
	packages, err := debian.ReadLock(filepath.Join(root, "tools", "images", "base.lock"))
	if err != nil {
		return nil, err
	}
	parts := []Part{{
		Section: Platform, Name: "openjdk", Version: "of the JDK that builds", Licence: "GPL-2.0-only WITH Classpath-exception-2.0",
		Where: "the runtime that jlink makes; licences of its parts in /opt/java/legal",
	}}
	for _, p := range packages {
		parts = append(parts, Part{
			Section: Platform, Name: p.Name, Version: p.Version, Licence: below[p.Name], Where: "Debian, unchanged; copyright files in /usr/share/doc",
		})
	}
	return parts, nil
}

func tools() []Part {
	var parts []Part
	for _, tool := range fetched {
		parts = append(parts, Part{Section: Tools, Name: tool.name, Version: "as the command names", Licence: tool.licence, Where: tool.where})
	}
	return parts
}

// Unlisted returns the version variables of the scripts that no tool of the list covers.
func Unlisted(root string) ([]string, error) {
	known := map[string]bool{}
	for _, tool := range fetched {
		known[tool.variable] = true
	}
	files, err := filepath.Glob(filepath.Join(root, "scripts", "*.sh"))
	if err != nil {
		return nil, err
	}
	var unlisted []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, match := range versionVariable.FindAllStringSubmatch(string(text), -1) {
			if !known[match[1]] && !ours[match[1]] {
				unlisted = append(unlisted, fmt.Sprintf("%s: %s belongs to a tool that tools/images/notices/tools.go does not list", filepath.Base(file),
					strings.TrimSpace(match[1])))
			}
		}
	}
	sort.Strings(unlisted)
	return unlisted, nil
}
