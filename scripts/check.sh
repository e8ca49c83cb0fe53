# ./solidus check and ./solidus format. A step NAME is a function step_NAME. It writes a line `SKIPPED: REASON` for each part that this
# machine cannot check, and ends with `skip` when there is no other part.

# check_steps -> lines: NAME, when it runs (always, or ci: in CI and by name), the pinned tools it needs, DESCRIPTION. The longest come first,
# because steps run side by side. `web` comes late, because it would hold a place while it waits for the packages of `typescript`.
check_steps() {
  cat <<'STEPS'
typescript always - the second implementation against the vectors; the client that is generated from the gateway's document
plans ci helm,python terraform validate, and plans with mocked providers
vulnerabilities ci govulncheck,osv-scanner known vulnerabilities of Go code and Java parts
targets ci - the native library for other processors, and the vectors under an emulator and in Node.js
k6 ci k6 every scenario of loadtest/k6, read by k6
charts always helm,helm-docs,promtool,python Helm: generated files, lint, rules over rendered manifests, schemas
java always maven google-java-format
go always golangci-lint golangci-lint with its formatters
launcher always - every command of the launcher, with stand-ins for the programs that it runs
terraform always tflint,terraform-config-inspect,python generated files, fmt, tflint, and a test for every rule of an input
protobuf always buf buf format, lint, and compatibility with the last release or the main branch
python always python ruff: format and lint
shell always shfmt,python shfmt and shellcheck
observability always promtool rules, alerts, runbooks and dashboards against the code, and the rules' own tests
docs always python links, examples and lists of the documentation against the code; the OpenAPI documents
spec always - the ids of the specification against the code
notices always - third-party notices against what is declared
guards always - the list of guards for ./solidus mutants against the source
web always - the web wallet: its types, its tests, and that it builds
mutants ci - three guards removed, one at a time
STEPS
}

help_check() {
  cat <<'HELP'
usage: ./solidus check [STEP...]
       ./solidus check --list

Runs all quick steps, or those named, and prints one line for each; CI=1 runs the slow steps too. Tools are built on first use. SKIPPED
means that this machine lacks something, NOT SCANNED that a vulnerability database was not reached. Neither makes the check fail. SOLIDUS_TF_PLUGINS names a
mirror of Terraform's providers, SOLIDUS_GO_VULNDB a copy of the Go vulnerability database, SOLIDUS_OSV_DB a folder with an offline
database of osv-scanner (osv-scalibr/Maven/all.zip).
HELP
}

# skip REASON: ends a step without a result
skip() {
  echo "SKIPPED: $1"
  exit 77
}

need_git() { is_checkout || skip "it needs a git checkout"; }

# files_of PATTERN... -> the files of the tree that match, each ended by NUL
files_of() {
  git -C "$SOLIDUS_ROOT" ls-files -z --cached --others --exclude-standard -- "$@" | while IFS= read -r -d '' file; do
    [ ! -f "$SOLIDUS_ROOT/$file" ] || printf '%s/%s\0' "$SOLIDUS_ROOT" "$file"
  done
}

step_java() {
  use_tools
  (cd "$SOLIDUS_ROOT" && "$MAVEN" -B -ntp -q spotless:check)
}

step_go() {
  local module
  use_go
  for module in prover-native tools/images; do
    cd "$SOLIDUS_ROOT/$module"
    "$(tool golangci-lint)" run --allow-parallel-runners ./...
  done
}

step_launcher() { "$SOLIDUS_ROOT/scripts/check-launcher.sh"; }

# released_protocol -> the commit whose protocol files the present ones are compared with: the newest tag, else where this branch left main,
# else the commit before
released_protocol() {
  local head base branch
  head=$(git rev-parse HEAD)
  git describe --tags --abbrev=0 2>/dev/null && return
  for branch in origin/main main; do
    base=$(git merge-base HEAD "$branch" 2>/dev/null) || continue
    if [ "$base" != "$head" ]; then
      echo "$base"
      return
    fi
  done
  git rev-parse --verify --quiet HEAD~1
}

step_protobuf() {
  local buf released folder
  buf=$(tool buf)
  cd "$SOLIDUS_ROOT"
  "$buf" format --diff --exit-code
  "$buf" lint
  if ! is_checkout || ! released=$(released_protocol); then
    echo "SKIPPED: compatibility, because there is no earlier commit in this tree"
    return
  fi
  folder=$(git ls-tree -r --name-only "$released" | sed -n 's|/solidus/v1/types\.proto$||p')
  git archive "$released" "$folder" | tar -x -C "$STEP_FOLDER"
  "$buf" breaking services/lib/protocol-wire/src/main/protobuf --against "$STEP_FOLDER/$folder"
}

step_python() {
  local bin
  need_git
  bin=$(python_environment)
  files_of '*.py' | xargs -0 "$bin/ruff" format --no-cache --diff
  files_of '*.py' | xargs -0 "$bin/ruff" check --no-cache
}

shell_files() { files_of '*.sh' solidus .ci/run; }

step_shell() {
  local bin
  need_git
  bin=$(python_environment)
  shell_files | xargs -0 "$(tool shfmt)" --diff
  shell_files | xargs -0 "$bin/shellcheck"
}

step_docs() {
  local bin
  need_git
  bin=$(python_environment)
  "$SOLIDUS_ROOT/scripts/check-docs.py"
  "$SOLIDUS_ROOT/scripts/api-reference.py" --check
  "$bin/openapi-spec-validator" "$SOLIDUS_ROOT"/docs/reference/api/*.json
}

step_spec() {
  "$SOLIDUS_ROOT/scripts/check-spec.py" --self-test
}

# with_packages FUNCTION: packages of Node.js, or the reason why there are none
with_packages() {
  local status=0
  has_node || skip "$NEEDED_NODE"
  mkdir -p "$SOLIDUS_HOME"
  exec 7>"$SOLIDUS_HOME/typescript.lock"
  flock 7
  "$@" || status=$?
  [ "$status" != 75 ] || skip "the packages cannot be fetched"
  return "$status"
}

# The client takes what the tests of the second implementation have built
step_typescript() {
  local folder
  with_packages typescript_packages
  for folder in "$SECOND_WALLET" "$GENERATED_CLIENT"; do
    cd "$folder"
    npm test
  done
}

# The page is built where the tests in a browser look for it
step_web() {
  with_packages web_packages
  exec 7>&-
  build_web_wallet
  cd "$WEB_WALLET"
  npm test
}

step_targets() { command_targets; }

step_k6() { load_check; }

step_notices() { notices_check; }

step_guards() { mutants_list check; }

step_mutants() { command_mutants --few; }

step_observability() {
  local folder="$SOLIDUS_ROOT/helm/observability" promtool
  promtool=$(tool promtool)
  python3 "$folder/dashboards.py" --check
  python3 "$folder/check.py"
  "$promtool" check rules "$folder"/rules/*.yaml
  "$promtool" test rules "$folder"/tests/*.yaml
}

# Packs charts in the tree, as cluster_pilot does: one of them at a time
step_charts() {
  local script chart crds version program rendered="$STEP_FOLDER/rendered"
  exec 7>"$SOLIDUS_HOME/charts.lock"
  flock 7
  use_go
  use_charts
  mkdir "$rendered"
  for script in schemas observability; do "$CHART_PYTHON" "$SOLIDUS_ROOT/helm/tools/$script.py" --check; done
  "$SOLIDUS_ROOT/helm/tools/readmes.sh" "$(tool helm-docs)" --check
  for chart in solidus-authority solidus-operator solidus-pilot solidus-relay; do
    "$HELM" lint --strict --kube-version "$CLUSTER_KUBE_VERSION" -f "$SOLIDUS_ROOT/helm/$chart/ci/test-values.yaml" "$SOLIDUS_ROOT/helm/$chart"
  done
  HELM="$HELM" KUBE_VERSION="$CLUSTER_KUBE_VERSION" RENDERED="$rendered" "$CHART_PYTHON" "$SOLIDUS_ROOT/helm/tests/run.py"
  mapfile -t crds < <(cluster_crds)
  "$CHART_PYTHON" "$SOLIDUS_ROOT/helm/tests/schemas_of_kubernetes.py" "$CLUSTER_KUBE_VERSION" "$rendered" "${crds[@]}"
  for version in $CLOUDNATIVE_PG_VERSIONS; do
    if program=$(admission_of_cloudnative_pg "$version"); then
      "$program" "$rendered" "$version"
    else
      echo "SKIPPED: admission of CloudNativePG $version, which could not be built: $SOLIDUS_HOME/tools/admission.log"
    fi
  done
}

step_terraform() {
  local terraform python
  python=$(python_environment)/python
  "$python" "$SOLIDUS_ROOT/terraform/tools/readmes.py" "$(tool terraform-config-inspect)" --check
  "$python" "$SOLIDUS_ROOT/terraform/tools/cost.py" --check
  "$(tool tflint)" --chdir "$SOLIDUS_ROOT/terraform" --recursive --config "$SOLIDUS_ROOT/terraform/.tflint.hcl" --minimum-failure-severity=notice
  if terraform=$(command -v terraform); then
    "$terraform" fmt -check -recursive -diff "$SOLIDUS_ROOT/terraform"
    "$python" "$SOLIDUS_ROOT/terraform/tools/rules.py" "$terraform"
  else
    echo "SKIPPED: fmt and rules of inputs, because terraform (1.9 or later) is not on the PATH"
  fi
}

step_plans() {
  local terraform folder plugins
  terraform=$(command -v terraform) || skip "terraform (1.9 or later) is not on the PATH"
  plugins=$(first_of is_folder "${SOLIDUS_TF_PLUGINS:-}" "$SOLIDUS_HOME/tf-plugins" /opt/tf-plugins /usr/local/share/terraform/plugins) \
    || skip "there is no mirror of Terraform's providers; set SOLIDUS_TF_PLUGINS to one"
  for folder in "$SOLIDUS_ROOT"/terraform/modules/*/ "$SOLIDUS_ROOT"/terraform/examples/*/; do
    echo "${folder#"$SOLIDUS_ROOT/"}"
    terraform_folder "$terraform" "${folder%/}" "$plugins"
  done
}

is_folder() { [ -d "$1" ]; }

# terraform_folder TERRAFORM FOLDER PLUGINS: validates and tests it; state goes elsewhere, and the lock file is removed
terraform_folder() (
  cd "$2" || exit
  export TF_DATA_DIR="$STEP_FOLDER/terraform/${2##*/}" TF_IN_AUTOMATION=1 TF_CLI_ARGS_init="-input=false -no-color"
  mkdir -p "$TF_DATA_DIR"
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -f '$2/.terraform.lock.hcl'; kill \$(jobs -p) 2>/dev/null || true" EXIT
  "$1" init -backend=false -plugin-dir="$3"
  serve_provider "$TF_DATA_DIR"
  "$1" validate -no-color
  compgen -G 'tests/*.tftest.hcl' >/dev/null || fail "no tests"
  case "$2" in
    */examples/pilot) cluster_pilot "$1" "$TF_DATA_DIR" ;;
    *) "$1" test -no-color ;;
  esac
)

# serve_provider DATA: has Terraform call one process of the provider that `init` installed in this folder. It would start two for each run of a
# test, and each takes a second.
serve_provider() {
  local program log="$1/provider.log" end=$((SECONDS + 60))
  program=$(find -L "$1/providers" -type f -name 'terraform-provider-aws_*')
  "$program" -debug >"$log" 2>&1 </dev/null &
  until TF_REATTACH_PROVIDERS=$(sed -n "s/.*TF_REATTACH_PROVIDERS='\(.*\)'.*/\1/p" "$log") && [ -n "$TF_REATTACH_PROVIDERS" ]; do
    [ "$SECONDS" -lt "$end" ] || fail "the provider does not start: $(cat "$log")"
    sleep 0.1
  done
  export TF_REATTACH_PROVIDERS
}

# The example's tests, then the charts, the policies and the costs of every plan that they made
cluster_pilot() {
  exec 7>"$SOLIDUS_HOME/charts.lock"
  flock 7
  use_charts
  "$1" test -no-color -json -verbose >"$2/tests.json" 2>"$2/tests.err" || cat "$2/tests.err"
  "$CHART_PYTHON" "$SOLIDUS_ROOT/terraform/tools/pilot.py" "$2/tests.json" "$HELM" "$2/values"
}

# scan WHAT UNREACHABLE COMMAND...: runs a scanner and records its failure; an output that matches UNREACHABLE does not count as a failure
scan() {
  local what=$1 unreachable=$2 output="$STEP_FOLDER/output"
  shift 2
  echo "== $what"
  if "$@" >"$output" 2>&1; then
    cat "$output"
  elif grep -qE "$unreachable" "$output"; then
    echo "NOT SCANNED: $what, because the vulnerability database cannot be reached" | tee -a "$STEP_FOLDER/not-scanned"
  else
    cat "$output"
    touch "$STEP_FOLDER/vulnerable"
  fi
}

# Go code is scanned with its calls. The Java parts are those of THIRD-PARTY-NOTICES.md, which names everything that is delivered.
step_vulnerabilities() {
  local module parts="$STEP_FOLDER/parts.cdx.json" offline=(${SOLIDUS_OSV_DB:+--offline --local-db-path "$SOLIDUS_OSV_DB"})
  use_go
  for module in prover-native tools/images; do
    scan "Go code of $module" '^govulncheck: fetching vulnerabilities' \
      "$(tool govulncheck)" -C "$SOLIDUS_ROOT/$module" ${SOLIDUS_GO_VULNDB:+-db "$SOLIDUS_GO_VULNDB"} ./...
  done
  awk -F ' *[|] *' 'BEGIN {printf "{\"bomFormat\": \"CycloneDX\", \"specVersion\": \"1.5\", \"components\": ["}
    $2 ~ /^[a-z][A-Za-z0-9._-]*:[A-Za-z0-9._-]+$/ {
      purl = $2; sub(":", "/", purl)
      printf "%s{\"type\": \"library\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"pkg:maven/%s@%s\"}", separator, $2, $3, purl, $3
      separator = ", "
    }
    END {print "]}"}' "$SOLIDUS_ROOT/THIRD-PARTY-NOTICES.md" >"$parts"
  scan "Java parts" 'request failed: Post|no offline version of the OSV database' "$(tool osv-scanner)" scan source "${offline[@]}" --lockfile "$parts"
  [ ! -f "$STEP_FOLDER/vulnerable" ] || exit 1
  [ ! -f "$STEP_FOLDER/not-scanned" ] || exit 77
}

# need_tools NAME: skips the step NAME when one of its tools could not be built
need_tools() {
  local tool
  for tool in $(check_steps | awk -v name="$1" '$1 == name {gsub(",", " ", $3); print $3}'); do
    [ ! -f "$CHECK_FOLDER/$tool.missing" ] || skip "$tool could not be built"
  done
}

# run_step NAME: runs a step with its output in $CHECK_FOLDER/NAME.log, prints one line, and leaves its result in NAME.state
run_step() {
  local start=$SECONDS state=ok status log="$CHECK_FOLDER/$1.log" more=''
  export STEP_FOLDER="$CHECK_FOLDER/$1"
  mkdir "$STEP_FOLDER"
  set +e
  (
    set -e
    need_tools "$1"
    "step_$1"
  ) >"$log" 2>&1 </dev/null
  status=$?
  if [ "$status" = 77 ]; then
    state=$(sed -n 's/^\(SKIPPED\|NOT SCANNED\):.*/\1/p' "$log" | tail -n 1)
    state=${state:-FAILED}
  elif [ "$status" != 0 ]; then
    state=FAILED
  elif grep -q '^SKIPPED' "$log"; then
    more=', parts SKIPPED'
  fi
  echo "$state" >"$CHECK_FOLDER/$1.state"
  printf '  %-11s  %-15s %3d s%s\n' "$state" "$1" $((SECONDS - start)) "$more"
}

# run_steps NAME...: as many at a time as there are processors, besides the tests of Go, which are the job GO_TESTS
run_steps() {
  local name started=()
  # each step is a process group, so that an interrupt ends all that it started
  set -m
  # shellcheck disable=SC2154 # the trap sets job
  trap 'for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || true; done; rm -rf "$CHECK_FOLDER"' EXIT
  for name in "$@"; do
    while [ "$(jobs -rp | grep -cvx "${GO_TESTS:-none}")" -ge "$(nproc)" ]; do wait -n || true; done
    run_step "$name" &
    started+=($!)
  done
  wait "${started[@]}" || true
  set +m
}

# selected_steps [NAME...] -> lines of check_steps: those named, or all that run now
selected_steps() {
  check_steps | while read -r name when tools _; do
    if [ $# -gt 0 ]; then
      [[ " $* " != *" $name "* ]] || echo "$name $tools"
    elif [ "$when" = always ] || [ -n "${CI:-}" ]; then
      echo "$name $tools"
    fi
  done
}

command_check() {
  local name when tool description
  if [ "${1:-}" = --list ]; then
    check_steps | while read -r name when _ description; do
      printf '  %-15s  %s%s\n' "$name" "$description" "$([ "$when" = always ] || echo ' (in CI, or by name)')"
    done
    return
  fi
  for name in "$@"; do
    declare -F "step_$name" >/dev/null || usage_error "check has no step '$name'; ./solidus check --list names them"
  done
  CHECK_FOLDER=$(mktemp -d)
  # tools are built before the steps start, one after the other, because that shows progress
  for tool in $(selected_steps "$@" | cut -d' ' -f2 | tr ',' '\n' | sort -u); do
    (case "$tool" in -) ;; maven) use_tools ;; python) python_environment ;; *) tool "$tool" ;; esac) >/dev/null || touch "$CHECK_FOLDER/$tool.missing"
  done
  mapfile -t names < <(selected_steps "$@" | cut -d' ' -f1)
  run_steps "${names[@]}"
  cd "$CHECK_FOLDER"
  for name in "${names[@]}"; do
    if [ ! -s "$name.state" ]; then
      echo FAILED >"$name.state"
      echo "the step was killed before its end" >>"$name.log"
    fi
  done
  for name in $(grep -lx FAILED -- *.state || true); do
    printf '\n== %s\n' "${name%.state}"
    cat "${name%.state}.log"
  done
  echo
  CHECK_SKIPPED=$(grep -E '^(SKIPPED|NOT SCANNED)' -- *.log | sed 's/^\([a-z]*\)\.log:/  \1: /' || true)
  [ -z "$CHECK_SKIPPED" ] || echo "$CHECK_SKIPPED"
  sort -- *.state | uniq -c | awk '{n = $1; $1 = ""; printf "%s%d%s", (NR > 1 ? ", " : "check: "), n, $0} END {print ""}'
  ! grep -qx FAILED -- *.state
}

command_format() {
  local bin
  no_arguments format "$@"
  need_git
  use_tools
  bin=$(python_environment)
  cd "$SOLIDUS_ROOT"
  "$MAVEN" -B -ntp -q spotless:apply
  (cd prover-native && "$(tool golangci-lint)" fmt)
  (cd tools/images && "$(tool golangci-lint)" fmt)
  "$(tool buf)" format --write
  files_of '*.py' | xargs -0 "$bin/ruff" format --no-cache
  files_of '*.py' | xargs -0 "$bin/ruff" check --no-cache --fix
  shell_files | xargs -0 "$(tool shfmt)" --write
  ! command -v terraform >/dev/null || terraform fmt -recursive terraform
}
