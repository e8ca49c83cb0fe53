# Pinned versions of everything that a build or a check downloads. The Python packages are in scripts/requirements.txt.
# `./solidus check notices` fails on a *_VERSION that tools/images/notices/tools.go does not list.
# shellcheck disable=SC2034 # the scripts that source this file read the variables

# The oldest JDK and Go 1.x that the build accepts
MINIMUM_JAVA=21
MINIMUM_GO_MINOR=25

MAVEN_VERSION=3.9.16
CYCLONEDX_VERSION=2.9.1

# Programs that Go builds; go_tools in tools.sh names their packages
BUF_VERSION=v1.75.0
GOLANGCI_LINT_VERSION=v2.15.0
GOVULNCHECK_VERSION=v1.9.0
HELM_DOCS_VERSION=v1.14.2
HELM_VERSION=v3.19.0
K6_VERSION=v1.8.1
OSV_SCANNER_VERSION=v2.5.0
PROMTOOL_VERSION=v0.305.0
SHFMT_VERSION=v3.14.1
TERRAFORM_CONFIG_INSPECT_VERSION=v0.0.0-20260904064934-75d64de68c31
TFLINT_VERSION=v0.53.0

# The Kubernetes release that charts are rendered for and checked against
CLUSTER_KUBE_VERSION=${SOLIDUS_KUBE_VERSION:-1.33.0}
# `./solidus cluster simulate`: the API server, whose staging modules have the same number with a leading 0, and its nodes
SIMULATED_KUBE_VERSION=v1.35.4
KWOK_VERSION=v0.8.0
# `./solidus cluster kubelet`
COREDNS_VERSION=v1.15.0
# Releases of CloudNativePG whose own admission judges the charts: the oldest and the newest that its makers support and that can be built
CLOUDNATIVE_PG_VERSIONS="v1.29.1 v1.30.0"
# Third-party CRDs: Go module, version, folder in the module
CLUSTER_CRDS="github.com/cert-manager/cert-manager v1.18.2 deploy/crds
github.com/cloudnative-pg/cloudnative-pg v1.30.0 config/crd/bases
github.com/prometheus-operator/prometheus-operator v0.84.0 example/prometheus-operator-crd
github.com/external-secrets/external-secrets v0.18.2 config/crds/bases"
