#!/usr/bin/env bash
# ./solidus cluster: checks of what runs on many machines. Sourced by the launcher; needs tools.sh.

# The versions that the checks were written with.
HELM_VERSION=v3.19.0
HELM_DOCS_VERSION=v1.14.2
KUBECONFORM_VERSION=v0.7.0
TFLINT_VERSION=v0.53.0
TERRAFORM_CONFIG_INSPECT_VERSION=v0.0.0-20260904064934-75d64de68c31
# of the API server that `simulate` starts; the staging modules beside it have the same number with a 0 before it
SIMULATED_KUBE_VERSION=v1.35.4
KWOK_VERSION=v0.8.0
CLUSTER_KUBE_VERSION=${SOLIDUS_KUBE_VERSION:-1.33.0}

cluster_usage() {
  cat >&2 <<'HELP'
usage: ./solidus cluster COMMAND

  check [WHAT]     charts and Terraform (or WHAT of the two, charts or terraform): lint, rules over rendered manifests, schemas, formatting, plans with mocked providers
  boot             starts real services from the rendered manifests on this machine: configuration, probes, mutual TLS (after ./solidus build)
  payment          takes the steps of helm test, as the chart renders them, against a running ./solidus up
  simulate [N]     installs, upgrades, grows, rolls back, stops, recovers and removes a pilot of N = 4, 7 or 10 authorities on a real API server with
                   simulated m5.8xlarge nodes (builds it once, minutes)
  render [N]       writes a pilot of N = 4, 7 or 10 authorities to standard output, with the values of the tests
  update           writes anew what is generated: schemas, READMEs, dashboards, the inventory of a pilot, the table of costs

What a check needs and this machine lacks is SKIPPED, by name, and counted. SOLIDUS_TF_PLUGINS names a folder with a mirror of Terraform's
providers; tools are brought in once, into SOLIDUS_HOME.
HELP
}

cluster_bin() { echo "$SOLIDUS_HOME/tools/bin"; }

# cluster_tool NAME MODULE VERSION -> its path; brought in with Go when it is not there
cluster_tool() {
  local there
  there="$(cluster_bin)/$1"
  if [ ! -x "$there" ]; then
    mkdir -p "$(cluster_bin)"
    say "solidus: bringing in $1 $3 (once)"
    local go
    go=$(find_go) || return 1
    GOBIN="$(cluster_bin)" GOFLAGS= "$go" install "$2@$3" >"$SOLIDUS_HOME/tools/$1.log" 2>&1 || return 1
  fi
  echo "$there"
}

# Python with PyYAML and the schemas of Kubernetes, in an environment of its own
cluster_python() {
  local venv="$SOLIDUS_HOME/tools/cluster-python"
  if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import yaml' 2>/dev/null; then
    command -v python3 >/dev/null || return 1
    say "solidus: bringing in PyYAML and kubernetes-validate (once)"
    python3 -m venv "$venv" && "$venv/bin/pip" install -q PyYAML kubernetes-validate >"$SOLIDUS_HOME/tools/cluster-python.log" 2>&1 || return 1
  fi
  echo "$venv/bin/python"
}

# Definitions of other makers' kinds, out of their Go modules: MODULE VERSION FOLDER
CLUSTER_CRDS="github.com/cert-manager/cert-manager v1.18.2 deploy/crds
github.com/cloudnative-pg/cloudnative-pg v1.26.1 config/crd/bases
github.com/prometheus-operator/prometheus-operator v0.84.0 example/prometheus-operator-crd
github.com/external-secrets/external-secrets v0.18.2 config/crds/bases"

# The folders of those definitions that are there or could be brought in, one a line
cluster_crds() {
  local go module version folder cache
  go=$(find_go) || return 0
  cache=$("$go" env GOMODCACHE)
  while read -r module version folder; do
    if [ ! -d "$cache/$module@$version/$folder" ]; then
      say "solidus: bringing in the definitions of $module $version (once)"
      (cd / && GOFLAGS=-mod=mod "$go" mod download "$module@$version") >"$SOLIDUS_HOME/tools/crds.log" 2>&1 || true
    fi
    if [ -d "$cache/$module@$version/$folder" ]; then echo "$cache/$module@$version/$folder"; fi
  done <<<"$CLUSTER_CRDS"
}

# The charts' dependencies are folders beside them; Helm wants them packed.
cluster_dependencies() {
  local chart
  for chart in solidus-authority solidus-operator solidus-pilot; do
    "$1" dependency update "$SOLIDUS_ROOT/helm/$chart" >"$SOLIDUS_HOME/tools/helm-dependencies.log" 2>&1 || { cat "$SOLIDUS_HOME/tools/helm-dependencies.log" >&2; return 1; }
  done
}

CLUSTER_PASSED=0 CLUSTER_FAILED=0 CLUSTER_SKIPPED=0
# step NAME COMMAND...: runs it and says how it went; what it wrote is shown when it failed
cluster_step() {
  local name=$1 out
  shift
  if out=$("$@" 2>&1); then
    CLUSTER_PASSED=$((CLUSTER_PASSED + 1))
    printf '  passed   %s\n' "$name"
    # a test that could not be made inside a step counts as well
    local inner
    inner=$(printf '%s\n' "$out" | grep -c '^SKIPPED' || true)
    if [ "$inner" -gt 0 ]; then
      CLUSTER_SKIPPED=$((CLUSTER_SKIPPED + inner))
      printf '%s\n' "$out" | grep '^SKIPPED' | sed 's/^/           /'
    fi
  else
    CLUSTER_FAILED=$((CLUSTER_FAILED + 1))
    printf '  FAILED   %s\n%s\n' "$name" "$out"
  fi
}
cluster_skip() {
  CLUSTER_SKIPPED=$((CLUSTER_SKIPPED + 1))
  printf '  SKIPPED  %s: %s\n' "$1" "$2"
}

cluster_lint() {
  local chart
  for chart in solidus-authority solidus-operator solidus-pilot; do
    "$1" lint --strict --kube-version "$CLUSTER_KUBE_VERSION" -f "$SOLIDUS_ROOT/helm/$chart/ci/test-values.yaml" "$SOLIDUS_ROOT/helm/$chart" || return 1
  done
}

cluster_charts() {
  local helm helm_docs python rendered
  helm=$(cluster_tool helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION") || { cluster_skip charts "Helm $HELM_VERSION could not be brought in; see $SOLIDUS_HOME/tools/helm.log"; return; }
  python=$(cluster_python) || { cluster_skip charts "no Python 3 with PyYAML; see $SOLIDUS_HOME/tools/cluster-python.log"; return; }
  rendered="$SOLIDUS_HOME/cluster-rendered"
  rm -rf "$rendered" && mkdir -p "$rendered"
  cluster_step "schemas, rules and dashboards of the charts are up to date" \
    sh -ec 'for t in schemas observability; do "$0" "$1/helm/tools/$t.py" --check; done' "$python" "$SOLIDUS_ROOT"
  if helm_docs=$(cluster_tool helm-docs github.com/norwoodj/helm-docs/cmd/helm-docs "$HELM_DOCS_VERSION"); then
    cluster_step "READMEs of the charts are up to date" "$SOLIDUS_ROOT/helm/tools/readmes.sh" "$helm_docs" --check
  else
    cluster_skip "READMEs of the charts" "helm-docs could not be installed; see $SOLIDUS_HOME/tools/helm-docs.log"
  fi
  cluster_step "rules, alerts, runbooks, dashboards and names of metrics (scripts/observability.sh)" "$SOLIDUS_ROOT/scripts/observability.sh" check
  cluster_step "the charts' dependencies pack" cluster_dependencies "$helm"
  cluster_step "helm lint --strict, three charts" cluster_lint "$helm"
  cluster_step "rules over rendered manifests (helm/tests)" \
    env HELM="$helm" KUBE_VERSION="$CLUSTER_KUBE_VERSION" RENDERED="$rendered" "$python" "$SOLIDUS_ROOT/helm/tests/run.py"
  if "$python" -c 'import kubernetes_validate' 2>/dev/null; then
    local crds
    mapfile -t crds < <(cluster_crds)
    cluster_step "schemas: Kubernetes $CLUSTER_KUBE_VERSION and the definitions of other makers, unknown fields refused" \
      "$python" "$SOLIDUS_ROOT/helm/tests/schemas_of_kubernetes.py" "$CLUSTER_KUBE_VERSION" "$rendered" "${crds[@]}"
  else
    cluster_skip "schemas of Kubernetes" "kubernetes-validate could not be brought in"
  fi
}

cluster_terraform() {
  local terraform tflint inspect folder plugins=${SOLIDUS_TF_PLUGINS:-}
  if command -v python3 >/dev/null; then
    cluster_step "the table of costs is up to date" python3 "$SOLIDUS_ROOT/terraform/tools/cost.py" --check
    if inspect=$(cluster_tool terraform-config-inspect github.com/hashicorp/terraform-config-inspect "$TERRAFORM_CONFIG_INSPECT_VERSION"); then
      cluster_step "READMEs of the Terraform modules are up to date" python3 "$SOLIDUS_ROOT/terraform/tools/readmes.py" "$inspect" --check
    else
      cluster_skip "READMEs of the Terraform modules" "terraform-config-inspect could not be installed; see $SOLIDUS_HOME/tools/terraform-config-inspect.log"
    fi
  else
    cluster_skip "READMEs of the Terraform modules and the table of costs" "no Python 3"
  fi
  terraform=$(command -v terraform) || { cluster_skip "terraform" "terraform (1.9 or later) is not on the PATH"; return; }
  cluster_step "terraform fmt" "$terraform" fmt -check -recursive -diff "$SOLIDUS_ROOT/terraform"
  if tflint=$(cluster_tool tflint github.com/terraform-linters/tflint "$TFLINT_VERSION"); then
    cluster_step "tflint" "$tflint" --chdir "$SOLIDUS_ROOT/terraform" --recursive --config "$SOLIDUS_ROOT/terraform/.tflint.hcl" --minimum-failure-severity=notice
  else
    cluster_skip tflint "it could not be brought in; see $SOLIDUS_HOME/tools/tflint.log"
  fi
  if command -v python3 >/dev/null; then
    cluster_step "no rule of an input without a test that breaks it" python3 "$SOLIDUS_ROOT/terraform/tools/rules.py" "$terraform"
  else
    cluster_skip "rules of inputs" "no Python 3"
  fi
  if [ -z "$plugins" ]; then
    for folder in "$SOLIDUS_HOME/tf-plugins" /opt/tf-plugins /usr/local/share/terraform/plugins; do
      if [ -d "$folder" ]; then plugins=$folder; break; fi
    done
  fi
  if [ ! -d "${plugins:-/nowhere}" ]; then
    cluster_skip "terraform validate and test" "no mirror of the providers; set SOLIDUS_TF_PLUGINS to one"
    return
  fi
  for folder in "$SOLIDUS_ROOT"/terraform/modules/*/ "$SOLIDUS_ROOT"/terraform/examples/*/; do
    cluster_step "terraform validate, test: ${folder#"$SOLIDUS_ROOT/terraform/"}" cluster_terraform_folder "$terraform" "$folder" "$plugins"
  done
}

cluster_terraform_folder() {
  # state and lock files go beside the caches, never into the tree
  local data="$SOLIDUS_HOME/terraform/$(basename "$2")"
  rm -rf "$data" && mkdir -p "$data"
  (
    cd "$2"
    export TF_DATA_DIR="$data" TF_IN_AUTOMATION=1 TF_CLI_ARGS_init="-input=false -no-color"
    "$1" init -backend=false -plugin-dir="$3" && "$1" validate -no-color || exit 1
    compgen -G 'tests/*.tftest.hcl' >/dev/null || { echo "no tests"; exit 1; }
    case "$2" in
      */examples/pilot/) cluster_pilot "$1" "$data" ;;
      *) "$1" test -no-color ;;
    esac
  )
  local status=$?
  rm -f "$2/.terraform.lock.hcl"
  return "$status"
}

# The example's tests, and then the charts, the policies and the costs of every plan that they made
cluster_pilot() {
  local helm python
  helm=$(cluster_tool helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION") && python=$(cluster_python) || {
    echo "SKIPPED charts, policies and costs of the pilot's plans: Helm $HELM_VERSION or Python 3 with PyYAML could not be brought in"
    "$1" test -no-color
    return
  }
  cluster_dependencies "$helm" || return 1
  "$1" test -no-color -json -verbose >"$2/tests.json" 2>"$2/tests.err" || cat "$2/tests.err"
  "$python" "$SOLIDUS_ROOT/terraform/tools/pilot.py" "$2/tests.json" "$helm" "$2/values"
}

cluster_check() {
  case "${1:-}" in
    "") say "solidus: charts"; cluster_charts; say "solidus: Terraform"; cluster_terraform ;;
    charts) say "solidus: charts"; cluster_charts ;;
    terraform) say "solidus: Terraform"; cluster_terraform ;;
    *) cluster_usage; exit 64 ;;
  esac
  printf 'cluster check: %d passed, %d failed, %d SKIPPED\n' "$CLUSTER_PASSED" "$CLUSTER_FAILED" "$CLUSTER_SKIPPED"
  [ "$CLUSTER_FAILED" -eq 0 ]
}

# Values of a network of this machine's development keys, for `boot`
cluster_boot_values() {
  "$1" - "$2" <<'PYTHON'
import base64, pathlib, sys
key = base64.b64encode(bytes.fromhex((pathlib.Path(sys.argv[1]) / "manifest.pub").read_text().strip())).decode()
print(f"""global:
  production: false
  network: {{id: solidus-dev}}
  keys: {{manifestKey: "{key}", allowedClasses: [development]}}
operator: {{prover: {{enabled: false}}}}
a1:
  database: {{synchronousStandbys: 0}}
  shards: {{splits: [{{shard: 0, newShard: 2}}]}}""")
PYTHON
}

cluster_boot() {
  local helm python keys lib="$SOLIDUS_ROOT/services/dev/sandbox/target/lib" folder
  use_java
  [ -d "$lib" ] || fail "nothing is built yet: ./solidus build"
  for tool in initdb postgres psql openssl; do
    command -v "$tool" >/dev/null || PATH="$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')"
    command -v "$tool" >/dev/null || fail "$tool is needed (Debian: apt-get install postgresql openssl)"
  done
  helm=$(cluster_tool helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION") || fail "Helm could not be brought in"
  python=$(cluster_python) || fail "Python 3 is needed"
  # the folder's name ends with what the keys were made from
  keys=$(find "$SOLIDUS_HOME/keys" -path "$(keys_dir)*/manifest.json" -printf '%T@ %h\n' 2>/dev/null | sort -n | tail -n 1 | cut -d' ' -f2-) || true
  [ -n "$keys" ] || fail "there are no development keys yet: ./solidus up makes them"
  folder=$(mktemp -d)
  cluster_dependencies "$helm"
  cluster_boot_values "$python" "$keys" >"$folder/values.yaml"
  "$helm" template pilot "$SOLIDUS_ROOT/helm/solidus-pilot" --kube-version "$CLUSTER_KUBE_VERSION" \
    -f "$SOLIDUS_ROOT/helm/solidus-pilot/ci/test-values.yaml" -f "$folder/values.yaml" >"$folder/manifests.yaml"
  PATH="$JAVA_HOME/bin:$PATH" "$python" "$SOLIDUS_ROOT/helm/tests/boot.py" "$folder/manifests.yaml" "$keys" "$lib/*"
  local status=$?
  rm -rf "$folder"
  return "$status"
}

# The processes of a control plane, built once from their modules. Programs of a module whose go.mod replaces others are built from one of ours.
cluster_control_plane() {
  local go mod staging name folder="$SOLIDUS_HOME/tools/simulate" log="$SOLIDUS_HOME/tools/simulate.log"
  mkdir -p "$folder/bin" "$folder/src"
  go=$(find_go) || return 1
  if ! [ -x "$folder/bin/kubectl" ] || ! [ -x "$folder/bin/kwok" ]; then
    say "solidus: building Kubernetes $SIMULATED_KUBE_VERSION and kwok $KWOK_VERSION (once; a quarter of an hour on two cores)"
    staging="v0.${SIMULATED_KUBE_VERSION#v1.}"
    (
      set -e
      cd "$folder/src"
      export GOFLAGS=-mod=mod
      mod=$(GOFLAGS='' "$go" mod download -json "k8s.io/kubernetes@$SIMULATED_KUBE_VERSION" | sed -n 's/.*"GoMod": "\(.*\)",\{0,1\}$/\1/p')
      {
        printf 'module simulate\n\n%s\n\nrequire k8s.io/kubernetes %s\n\nreplace (\n' "$(grep '^go ' "$mod")" "$SIMULATED_KUBE_VERSION"
        awk -v v="$staging" '$2 == "=>" && $3 ~ /^\.\/staging\// {print "  " $1 " => " $1 " " v}' "$mod"
        printf ')\n'
      } >go.mod
      for name in kube-apiserver kube-controller-manager kube-scheduler kubectl; do
        "$go" build -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$SIMULATED_KUBE_VERSION" -o "$folder/bin/$name" "k8s.io/kubernetes/cmd/$name"
      done
      GOFLAGS='' GOBIN="$folder/bin" "$go" install "sigs.k8s.io/kwok/cmd/kwok@$KWOK_VERSION"
    ) >"$log" 2>&1 || return 1
  fi
  if ! command -v etcd >/dev/null && ! [ -x "$folder/bin/etcd" ] && command -v apt-get >/dev/null && command -v dpkg >/dev/null; then
    (cd "$folder" && apt-get download etcd-server && dpkg -x etcd-server_*.deb etcd && cp etcd/usr/bin/etcd bin/) >>"$log" 2>&1 || true
  fi
  echo "$folder/bin"
}

cluster_simulate() {
  local helm python bin etcd go crds n=${1:-4}
  case "$n" in 4|7|10) ;; *) fail "a pilot has 4, 7 or 10 authorities" ;; esac
  helm=$(cluster_tool helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION") || fail "Helm could not be brought in"
  python=$(cluster_python) || fail "Python 3 is needed"
  command -v openssl >/dev/null || fail "openssl is needed"
  bin=$(cluster_control_plane) || fail "the control plane could not be built; see $SOLIDUS_HOME/tools/simulate.log"
  etcd=$(command -v etcd || echo "$bin/etcd")
  [ -x "$etcd" ] || fail "etcd is needed (Debian: apt-get install etcd-server)"
  cluster_dependencies "$helm"
  mapfile -t crds < <(cluster_crds)
  go=$(find_go)
  "$python" "$SOLIDUS_ROOT/helm/tests/simulate.py" "$n" "$bin" "$etcd" "$helm" "$("$go" env GOMODCACHE)/sigs.k8s.io/kwok@$KWOK_VERSION" "${crds[@]}"
}

cluster_payment() {
  local helm python
  require_sandbox
  helm=$(cluster_tool helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION") || fail "Helm could not be brought in"
  python=$(cluster_python) || fail "Python 3 is needed"
  cluster_dependencies "$helm"
  "$python" "$SOLIDUS_ROOT/helm/tests/payment.py" "$SOLIDUS_ROOT/solidus" "$(cat "$SOLIDUS_DATA/sandbox/keys-dir")" "${SOLIDUS_GATEWAY:-http://127.0.0.1:8080}" \
    "$helm" "$CLUSTER_KUBE_VERSION"
}

cluster_render() {
  local helm n=${1:-4} more=()
  helm=$(cluster_tool helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION") || fail "Helm could not be brought in"
  [ "$n" = 4 ] || more=(-f "$SOLIDUS_ROOT/helm/solidus-pilot/values-n$n.yaml")
  cluster_dependencies "$helm"
  "$helm" template pilot "$SOLIDUS_ROOT/helm/solidus-pilot" --kube-version "$CLUSTER_KUBE_VERSION" -f "$SOLIDUS_ROOT/helm/solidus-pilot/ci/test-values.yaml" "${more[@]}"
}

cluster_update() {
  local helm helm_docs inspect python tool
  helm=$(cluster_tool helm helm.sh/helm/v3/cmd/helm "$HELM_VERSION") || fail "Helm could not be brought in"
  helm_docs=$(cluster_tool helm-docs github.com/norwoodj/helm-docs/cmd/helm-docs "$HELM_DOCS_VERSION") || fail "helm-docs could not be installed"
  python=$(cluster_python) || fail "Python 3 is needed"
  "$SOLIDUS_ROOT/helm/tools/readmes.sh" "$helm_docs"
  for tool in schemas observability; do "$python" "$SOLIDUS_ROOT/helm/tools/$tool.py"; done
  inspect=$(cluster_tool terraform-config-inspect github.com/hashicorp/terraform-config-inspect "$TERRAFORM_CONFIG_INSPECT_VERSION") \
    || fail "terraform-config-inspect could not be installed"
  "$python" "$SOLIDUS_ROOT/terraform/tools/readmes.py" "$inspect"
  "$python" "$SOLIDUS_ROOT/terraform/tools/cost.py"
  cluster_dependencies "$helm"
  (cd "$SOLIDUS_ROOT/helm/tests" && HELM="$helm" UPDATE_GOLDEN=1 "$python" run.py test_documents.Inventory)
}

command_cluster() {
  mkdir -p "$SOLIDUS_HOME/tools"
  case "${1:-help}" in
    check) shift; cluster_check "$@" ;;
    boot) cluster_boot ;;
    payment) shift; no_arguments "cluster payment" "$@"; cluster_payment ;;
    simulate) shift; cluster_simulate "$@" ;;
    render) shift; cluster_render "$@" ;;
    update) cluster_update ;;
    help|-h|--help) cluster_usage ;;
    *) cluster_usage; exit 64 ;;
  esac
}
