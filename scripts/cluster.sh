# ./solidus cluster: what runs on many machines.

help_cluster() {
  cat <<'HELP'
usage: ./solidus cluster COMMAND

  check [WHAT]     charts and Terraform (or WHAT of the two, charts or terraform): lint, rules over rendered manifests, schemas, formatting, plans with mocked providers
  boot             starts real services from the rendered manifests on this machine: configuration, probes, mutual TLS (after ./solidus build)
  payment          takes the steps of helm test, as the chart renders them, against a running ./solidus up
  simulate [N]     installs, upgrades, grows, rolls back, stops, recovers and removes a pilot of N = 4, 7 or 10 authorities on a real API server with
                   simulated m5.8xlarge nodes (builds it once, minutes)
  kubelet [--json FILE]
                   runs six real nodes in three zones on this machine: containerd, kubelet, kube-proxy, CoreDNS; CloudNativePG runs an authority's
                   database there, of which a node loses its power (Linux, as root; builds them once)
  render [N]       writes a pilot of N = 4, 7 or 10 authorities to standard output, with the values of the tests
  update           writes all generated files anew: schemas, READMEs, dashboards, the inventory of a pilot, the table of costs

A check whose tool is missing on this machine is SKIPPED, by name, and counted. SOLIDUS_TF_PLUGINS names a folder with a mirror of Terraform's
providers; other tools are built once, in SOLIDUS_HOME.
HELP
}

# The folders of third-party CRDs, one a line; Go downloads them, and a module that it cannot download is left out
cluster_crds() {
  local module version folder cache
  cache=$("$GO" env GOMODCACHE)
  while read -r module version folder; do
    if [ ! -d "$cache/$module@$version/$folder" ]; then
      say "solidus: downloading the CRDs of $module $version (once)"
      (cd / && GOFLAGS=-mod=mod "$GO" mod download "$module@$version") >"$SOLIDUS_HOME/tools/crds.log" 2>&1 || true
    fi
    if [ -d "$cache/$module@$version/$folder" ]; then echo "$cache/$module@$version/$folder"; fi
  done <<<"$CLUSTER_CRDS"
}

# go_module_folder MODULE VERSION: downloads a Go module; the folder of its files
go_module_folder() {
  (cd / && GOFLAGS=-mod=mod "$GO" mod download -json "$1@$2") | sed -n 's/.*"Dir": "\(.*\)",\{0,1\}$/\1/p' | grep .
}

# admission_of_cloudnative_pg VERSION: the path of a program that asks this release's own admission, which is built once. It is built in a copy
# of the operator's module, because the webhook's package is internal.
admission_of_cloudnative_pg() {
  local copy module source="$SOLIDUS_ROOT/helm/tests/admission/cloudnative_pg.go" log="$SOLIDUS_HOME/tools/admission.log"
  local program="$SOLIDUS_HOME/tools/admission/cloudnative-pg-$1-"
  program+=$(sha256sum "$source" | cut -c1-12)
  if [ ! -x "$program" ]; then
    say "solidus: building the admission of CloudNativePG $1 (once; a minute on two cores)"
    module=$(go_module_folder github.com/cloudnative-pg/cloudnative-pg "$1" 2>>"$log") || return 1
    copy=$(mktemp -d)
    cp -r "$module/." "$copy"
    chmod -R u+w "$copy"
    mkdir -p "$copy/cmd/admission" "${program%/*}"
    cp "$source" "$copy/cmd/admission/main.go"
    (cd "$copy" && GOFLAGS=-mod=mod CGO_ENABLED=0 "$GO" build -ldflags "-s -w" -o "$program" ./cmd/admission) >>"$log" 2>&1 || true
    rm -rf "$copy"
  fi
  [ -x "$program" ] && echo "$program"
}

# cloudnative_pg VERSION PROGRAM: builds the operator, once; the path of its makers' manifests
cloudnative_pg() {
  local module
  module=$(go_module_folder github.com/cloudnative-pg/cloudnative-pg "$1") || return 1
  if [ ! -x "$2" ]; then
    say "solidus: building CloudNativePG $1 (once; a minute on two cores)"
    CGO_ENABLED=0 go_build "github.com/cloudnative-pg/cloudnative-pg//cmd/manager" "$1" "$2" \
      "-s -w -X github.com/cloudnative-pg/cloudnative-pg/pkg/versions.buildVersion=${1#v}" >>"$SOLIDUS_HOME/tools/admission.log" 2>&1 || return 1
  fi
  echo "$module/releases/cnpg-${1#v}.yaml"
}

# use_charts: sets HELM and CHART_PYTHON, and packs the charts that other charts depend on, as Helm wants them
use_charts() {
  local chart log="$SOLIDUS_HOME/tools/helm-dependencies.log"
  HELM=$(tool helm)
  CHART_PYTHON=$(python_environment)/python
  for chart in solidus-authority solidus-operator solidus-pilot solidus-relay; do
    "$HELM" dependency update "$SOLIDUS_ROOT/helm/$chart" >"$log" 2>&1 || fail "Helm cannot pack the dependencies of $chart: $(cat "$log")"
  done
}

# render_pilot OPTION...: the manifests of a pilot, with the values of the tests
render_pilot() {
  "$HELM" template pilot "$SOLIDUS_ROOT/helm/solidus-pilot" --kube-version "$CLUSTER_KUBE_VERSION" -f "$SOLIDUS_ROOT/helm/solidus-pilot/ci/test-values.yaml" "$@"
}

# Values of a network of this machine's development keys, for `boot`
cluster_boot_values() {
  "$1" - "$2" <<'PYTHON'
import base64, pathlib, sys
key = base64.b64encode(bytes.fromhex((pathlib.Path(sys.argv[1]) / "manifest.pub").read_text().strip())).decode()
print(f"""global:
  production: false
  network: {{id: solidus-dev}}
  keys: {{manifestKey: "{key}", allowedClasses: [development], transcripts: []}}
operator: {{prover: {{enabled: false}}, gateway: {{mailTables: {{interval: 5s}}}}}}
a1:
  replica: {{enabled: true}}
  database: {{synchronousStandbys: 0}}
  shards: {{splits: [{{shard: 0, newShard: 2}}]}}""")
PYTHON
}

cluster_boot() {
  local tool keys folder status=0 lib="$SOLIDUS_ROOT/services/dev/sandbox/target/lib"
  use_java
  [ -d "$lib" ] || fail "nothing is built yet: ./solidus build"
  for tool in initdb postgres psql openssl; do
    command -v "$tool" >/dev/null || PATH="$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' ':')"
    command -v "$tool" >/dev/null || fail "$tool is needed (Debian: apt-get install postgresql openssl)"
  done
  use_charts
  # the folder's name ends with a fingerprint of the circuits
  keys=$(find "$SOLIDUS_HOME/keys" -path "$(keys_dir)*/manifest.json" -printf '%T@ %h\n' 2>/dev/null | sort -n | tail -n 1 | cut -d' ' -f2-) || true
  [ -n "$keys" ] || fail "there are no development keys yet: ./solidus up makes them"
  folder=$(mktemp -d)
  cluster_boot_values "$CHART_PYTHON" "$keys" >"$folder/values.yaml"
  render_pilot -f "$folder/values.yaml" >"$folder/manifests.yaml"
  PATH="$JAVA_HOME/bin:$PATH" "$CHART_PYTHON" "$SOLIDUS_ROOT/helm/tests/boot.py" "$folder/manifests.yaml" "$keys" "$lib/*" || status=$?
  rm -rf "$folder"
  return "$status"
}

# build_kubernetes FOLDER NAME...: builds programs of Kubernetes, once
build_kubernetes() {
  local name folder=$1 log="$SOLIDUS_HOME/tools/simulate.log" version="-X k8s.io/component-base/version.gitVersion=$SIMULATED_KUBE_VERSION"
  mkdir -p "$folder"
  shift
  for name in "$@"; do
    [ -x "$folder/$name" ] && continue
    say "solidus: building $name $SIMULATED_KUBE_VERSION (once; minutes on two cores)"
    go_build "k8s.io/kubernetes//cmd/$name" "$SIMULATED_KUBE_VERSION" "$folder/$name" "-s -w $version" >>"$log" 2>&1 || fail "$name could not be built; the log is $log"
  done
}

# build_control_plane FOLDER: builds the processes of a Kubernetes control plane, once
build_control_plane() {
  local log="$SOLIDUS_HOME/tools/simulate.log"
  build_kubernetes "$1" kube-apiserver kube-controller-manager kube-scheduler kubectl
  if ! command -v etcd >/dev/null && ! [ -x "$1/etcd" ] && command -v apt-get >/dev/null && command -v dpkg >/dev/null; then
    (cd "$1/.." && apt-get download etcd-server && dpkg -x etcd-server_*.deb etcd && cp etcd/usr/bin/etcd bin/) >>"$log" 2>&1 || true
  fi
}

# build_kwok FOLDER: builds the simulator of nodes, once
build_kwok() {
  local log="$SOLIDUS_HOME/tools/simulate.log"
  [ -x "$1/kwok" ] || go_build sigs.k8s.io/kwok/cmd/kwok "$KWOK_VERSION" "$1/kwok" >>"$log" 2>&1 || fail "kwok could not be built; the log is $log"
}

cluster_simulate() {
  local etcd crds n=${1:-4} bin="$SOLIDUS_HOME/tools/simulate/bin"
  case "$n" in 4 | 7 | 10) ;; *) fail "a pilot has 4, 7 or 10 authorities" ;; esac
  command -v openssl >/dev/null || fail "openssl is needed"
  use_go
  build_control_plane "$bin"
  build_kwok "$bin"
  etcd=$(command -v etcd || echo "$bin/etcd")
  [ -x "$etcd" ] || fail "etcd is needed (Debian: apt-get install etcd-server)"
  use_charts
  mapfile -t crds < <(cluster_crds)
  "$CHART_PYTHON" "$SOLIDUS_ROOT/helm/tests/simulate.py" "$n" "$bin" "$etcd" "$HELM" "$("$GO" env GOMODCACHE)/sigs.k8s.io/kwok@$KWOK_VERSION" "${crds[@]}"
}

# The Debian packages of a node, with the libraries that a bare machine lacks
NODE_PACKAGES="containerd runc containernetworking-plugins nftables libnftables1 libnftnl11 libjansson4 libedit2 libseccomp2 busybox libc6"

# PostgreSQL for the operator's pods, with its libraries
POSTGRESQL_PACKAGES="postgresql-15 postgresql-client-15 libpq5 libxml2 libicu72 libldap-2.5-0 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0
libcom-err2 libkeyutils1 libsasl2-2 libssl3 libzstd1 liblz4-1 zlib1g libpam0g libaudit1 libcap-ng0 libselinux1 libpcre2-8-0 libsystemd0 libgcrypt20
libgpg-error0 liblzma5 libcap2 libreadline8 libtinfo6 libgcc-s1 libstdc++6 libxslt1.1 libgnutls30 libnettle8
libhogweed6 libgmp10 libidn2-0 libunistring2 libp11-kit0 libtasn1-6 libffi8 libc6 libc-bin tzdata busybox"

# unpack_debian FOLDER PACKAGE...: downloads packages of this Debian and unpacks them there, once for each list
unpack_debian() {
  local folder=$1
  shift
  [ "$(cat "$folder.packages" 2>/dev/null)" != "$*" ] || return 0
  rm -rf "$folder" "$folder.packages"
  mkdir -p "$folder"
  (cd "$folder" && apt-get download "$@" && for deb in *.deb; do dpkg -x "$deb" . || exit; done && rm ./*.deb) && echo "$*" >"$folder.packages"
}

# lacks_for_kubelet: what this machine has not that real nodes need, a line for each
lacks_for_kubelet() {
  local tool
  [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || echo "Linux on x86_64"
  [ "$(id -u)" = 0 ] || echo root
  for tool in apt-get dpkg ip nsenter unshare openssl; do command -v "$tool" >/dev/null || echo "$tool"; done
  grep -qw overlay /proc/filesystems || echo "the file system overlay"
  [ "$(id -u)" != 0 ] || unshare --mount --net --pid --fork true 2>/dev/null || echo "the right to make namespaces"
}

cluster_kubelet() {
  local lacking etcd operator manifests status=0 newest="${CLOUDNATIVE_PG_VERSIONS##* }"
  local bin="$SOLIDUS_HOME/tools/simulate/bin" packages="$SOLIDUS_HOME/tools/node" log="$SOLIDUS_HOME/tools/node.log"
  lacking=$(lacks_for_kubelet)
  if [ -n "$lacking" ]; then
    echo "cluster kubelet: SKIPPED, as this machine lacks ${lacking//$'\n'/, }"
    return
  fi
  use_go
  build_control_plane "$bin"
  build_kubernetes "$bin" kubelet kube-proxy
  # without C: its image has no library
  [ -x "$bin/coredns" ] || CGO_ENABLED=0 go_build github.com/coredns/coredns "$COREDNS_VERSION" "$bin/coredns" "-s -w" >"$SOLIDUS_HOME/tools/coredns.log" 2>&1 \
    || fail "CoreDNS could not be built; the log is $SOLIDUS_HOME/tools/coredns.log"
  etcd=$(command -v etcd || echo "$bin/etcd")
  [ -x "$etcd" ] || fail "etcd is needed (Debian: apt-get install etcd-server)"
  # shellcheck disable=SC2086 # lists of names
  if ! { unpack_debian "$packages" $NODE_PACKAGES && unpack_debian "${packages%/*}/postgresql" $POSTGRESQL_PACKAGES; } >"$log" 2>&1; then
    echo "cluster kubelet: SKIPPED, as Debian packages could not be fetched; the log is $log"
    return
  fi
  operator=$(cloudnative_pg "$newest" "$bin/cloudnative-pg") || fail "CloudNativePG could not be built; the log is $SOLIDUS_HOME/tools/admission.log"
  use_charts
  manifests=$(mktemp)
  render_pilot >"$manifests"
  "$CHART_PYTHON" "$SOLIDUS_ROOT/helm/tests/kubelet.py" "$bin" "$etcd" "$packages" "$manifests" "$operator" "$@" || status=$?
  rm "$manifests"
  return "$status"
}

cluster_payment() {
  no_arguments "cluster payment" "$@"
  require_sandbox
  use_charts
  "$CHART_PYTHON" "$SOLIDUS_ROOT/helm/tests/payment.py" "$SOLIDUS_ROOT/solidus" "$(cat "$SOLIDUS_DATA/sandbox/keys-dir")" "${SOLIDUS_GATEWAY:-http://127.0.0.1:8080}" \
    "$HELM" "$CLUSTER_KUBE_VERSION"
}

cluster_render() {
  use_charts
  if [ "${1:-4}" = 4 ]; then render_pilot; else render_pilot -f "$SOLIDUS_ROOT/helm/solidus-pilot/values-n$1.yaml"; fi
}

cluster_update() {
  local script
  use_charts
  for script in helm/tools/{schemas,observability} terraform/tools/cost; do "$CHART_PYTHON" "$SOLIDUS_ROOT/$script.py"; done
  "$SOLIDUS_ROOT/helm/tools/readmes.sh" "$(tool helm-docs)"
  "$CHART_PYTHON" "$SOLIDUS_ROOT/terraform/tools/readmes.py" "$(tool terraform-config-inspect)"
  (cd "$SOLIDUS_ROOT/helm/tests" && HELM="$HELM" UPDATE_GOLDEN=1 "$CHART_PYTHON" run.py test_documents.Inventory)
}

command_cluster() {
  local action=${1:-help}
  [ $# -eq 0 ] || shift
  case "$action" in
    check)
      case "${1:-}" in
        "") command_check charts observability terraform plans ;;
        charts) command_check charts observability ;;
        terraform) command_check terraform plans ;;
        *) usage_error "cluster check takes charts or terraform, and got '$1'" ;;
      esac
      ;;
    boot | payment | simulate | kubelet | render | update) "cluster_$action" "$@" ;;
    help) help_cluster ;;
    *)
      help_cluster >&2
      exit 64
      ;;
  esac
}
