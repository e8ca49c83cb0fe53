# The launcher's commands.

command_help() {
  cat <<'HELP'
usage: ./solidus COMMAND [options]

  up                 builds what is missing and starts the whole platform on this machine; Ctrl-C stops it, data is kept
  demo               runs the story of a private, regulated payment (starts the platform when it is not running)
      --json FILE        also writes the outcome of each step
      --un-list FILE     UN consolidated list (XML) to import instead of the invented persons
      --ofac-list FILE   OFAC SDN list (CSV) to import instead of the invented persons
  test               all tests; options after it are Maven's
  bench prover       our transfer circuit against the paper's construction, in one run
  bench verify       a validator's computation per transfer by batch size, on one core, against one-by-one verification
  bench validator    a whole validator under load: latency against offered rate, the highest rate with p99 under 500 ms, a model
  bench committee    whole committees on this machine
      --json FILE        writes the figures
      --plot FILE        draws them (SVG)
  bench pieces       hashes, signatures, database and sign-log, each alone
  chaos              real processes killed, frozen and cut off under load; ends with the invariants (./solidus chaos --help)
      --seed S --seconds N --json FILE
  drill restore      an authority loses its database and gets it back from backups, under load
  drill upgrade      every process is replaced by one of the next build, under load
      --json FILE        writes the figures
  load run SCENARIO  a load test of the whole platform with k6 or Gatling (./solidus load --help)
  simulate [SEEDS]   the deterministic simulation of spending (--seed S replays one)
  fuzz               fuzzers (--seconds N, --only go|java|api, --seed S)
  ceremony ...       key ceremonies: setup, committee, refresh, recover; "ceremony rehearse" tries all of them;
                     token-key, wrap, rewrap, unwrap, unwrap-check: a share in a PKCS#11 token's custody
  wallet ...         the wallet's command line (./solidus wallet --help)
  operator ACTION    plays the bank's people of a running sandbox: cases, approve-case, refuse-case, fund, approve-mints, supply
                     (./solidus operator ACTION --help)
  token              a development access token for the admin API (--sub NAME --role ROLE)
  cluster ACTION     check, boot, render, update: what runs on many machines (./solidus cluster help)
  example            runs the program of docs/how-to/write-a-wallet.md against a running sandbox
  doctor             what is missing on this machine, and how to get it
  build              builds only
  images             container images of the services, without a container engine (./solidus images --help)
  notices [check]    third-party notices from what the build resolves; check holds them against what is declared

SOLIDUS_HOME (caches: tools, development keys) and SOLIDUS_DATA (databases, wallets) say where things are kept;
by default ~/.cache/solidus and ~/.local/share/solidus.
HELP
}

# help_of COMMAND: what the help says of it
help_of() {
  echo "usage: ./solidus $1 ..."
  echo
  command_help | awk -v name="$1" '/^  [a-z]/ { mine = ($1 == name) } /^$/ { mine = 0 } mine'
}

# Options that newer JDKs want to hear and older ones do not know.
java_options() {
  local release
  release=$(version_of_java "$JAVA_HOME")
  [ "$release" -ge 22 ] && printf '%s\n' --enable-native-access=ALL-UNNAMED
  [ "$release" -ge 24 ] && printf '%s\n' --sun-misc-unsafe-memory-access=allow
  return 0
}

sandbox_java() {
  local lib="$SOLIDUS_ROOT/services/dev/sandbox/target"
  use_java
  mkdir -p "$SOLIDUS_DATA/sandbox/logs"
  mapfile -t options < <(java_options)
  exec "$JAVA_HOME/bin/java" -Xmx1200m -Xss512k -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${options[@]}" \
    -Dsolidus.sandbox.logs="$SOLIDUS_DATA/sandbox/logs" \
    -cp "$lib/classes:$lib/lib/*" io.solidus.dev.sandbox.cli.SandboxMain "$@"
}

sandbox_paths() {
  printf '%s\n' --data "$SOLIDUS_DATA/sandbox" --keys "$(keys_dir)" \
    --kafka-lib "$SOLIDUS_ROOT/services/dev/sandbox-kafka/target/lib"
}

command_up() {
  if wants_help "$@"; then help_of up; return 0; fi
  build_platform
  mapfile -t paths < <(sandbox_paths)
  sandbox_java up "${paths[@]}" "$@"
}

command_demo() {
  if wants_help "$@"; then help_of demo; return 0; fi
  build_platform
  mapfile -t paths < <(sandbox_paths)
  sandbox_java demo "${paths[@]}" "$@"
}

command_token() {
  if wants_help "$@"; then help_of token; return 0; fi
  build_platform
  mapfile -t paths < <(sandbox_paths)
  sandbox_java token "${paths[@]}" "$@"
}

# operator ACTION [options]: the places of the sandbox go behind the action
command_operator() {
  if wants_help "$@"; then help_of operator; return 0; fi
  case "${1:-}" in
    cases|approve-case|refuse-case|fund|approve-mints|supply) ;;
    *) usage_error "operator takes an action (cases, approve-case, refuse-case, fund, approve-mints or supply), and got '${1:-}'" ;;
  esac
  build_platform
  mapfile -t paths < <(sandbox_paths)
  local action=$1
  shift
  sandbox_java operator "$action" "${paths[@]}" "$@"
}

command_wallet() {
  build_platform
  use_java
  # beside a sandbox the wallet needs no further options
  if [ -z "${SOLIDUS_DEVELOPMENT_KEYS:-}" ] && [ -f "$SOLIDUS_DATA/sandbox/keys-dir" ]; then
    SOLIDUS_DEVELOPMENT_KEYS=$(cat "$SOLIDUS_DATA/sandbox/keys-dir")
    export SOLIDUS_DEVELOPMENT_KEYS
  fi
  export SOLIDUS_GATEWAY=${SOLIDUS_GATEWAY:-http://127.0.0.1:8080}
  mapfile -t options < <(java_options)
  exec "$JAVA_HOME/bin/java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${options[@]}" \
    -cp "$SOLIDUS_ROOT/services/wallet/cli/target/classes:$SOLIDUS_ROOT/services/wallet/cli/target/lib/*" io.solidus.wallet.cli.WalletMain "$@"
}

# Stops when no sandbox runs; of its two files the first is there while one does, the second ever since
require_sandbox() {
  [ -f "$SOLIDUS_DATA/sandbox/sandbox.json" ] && [ -f "$SOLIDUS_DATA/sandbox/keys-dir" ] || fail "there is no sandbox: start ./solidus up in another terminal first"
}

# The program of docs/how-to/write-a-wallet.md, out of its source, over the wallet's library alone
command_example() {
  if wants_help "$@"; then help_of example; return 0; fi
  no_arguments example "$@"
  require_sandbox
  build_platform
  use_java
  local wallet="$SOLIDUS_ROOT/services/wallet"
  mapfile -t options < <(java_options)
  exec "$JAVA_HOME/bin/java" -Xmx768m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${options[@]}" \
    -cp "$wallet/cli/target/lib/*" "$wallet/sdk/src/test/java/io/solidus/wallet/example/WalletExample.java" \
    "$SOLIDUS_ROOT/solidus" "$(cat "$SOLIDUS_DATA/sandbox/keys-dir")" "${SOLIDUS_GATEWAY:-http://127.0.0.1:8080}"
}

# command_test [MAVEN OPTION...]
command_test() {
  if wants_help "$@"; then help_of test; return 0; fi
  use_tools
  cd "$SOLIDUS_ROOT"
  say "solidus: specification"
  scripts/check-spec.sh
  say "solidus: documentation and notices"
  scripts/check-docs.py
  notices_check
  say "solidus: the launcher"
  scripts/check-launcher.sh
  say "solidus: rules, dashboards, runbooks"
  scripts/observability.sh check
  say "solidus: Go"
  local unformatted
  unformatted=$("$(dirname "$GO")/gofmt" -l prover-native tools/images)
  [ -z "$unformatted" ] || fail "not formatted: $unformatted"
  (cd prover-native && "$GO" vet ./... && "$GO" test -timeout 20m ./...)
  (cd tools/images && "$GO" vet ./... && "$GO" test ./...)
  say "solidus: Java"
  "$MAVEN" -B -ntp verify "$@"
}

command_build() {
  if wants_help "$@"; then help_of build; return 0; fi
  no_arguments build "$@"
  build_platform
}

command_fuzz() {
  exec "$SOLIDUS_ROOT/scripts/fuzz.sh" "$@"
}

# Seeds of the deterministic simulation: ./solidus simulate [SEEDS], or --seed S to replay one with its events
command_simulate() {
  if wants_help "$@"; then help_of simulate; return 0; fi
  local property=seeds value=${1:-10000}
  if [ "${1:-}" = --seed ]; then
    property=seed value=${2:-}
    shift
  fi
  [[ "$value" =~ ^[0-9]+$ ]] && [ $# -le 1 ] || usage_error "simulate takes a number of seeds, or --seed and one number"
  local option="-Dsolidus.simulation.$property=$value"
  use_tools
  cd "$SOLIDUS_ROOT"
  "$MAVEN" -B -ntp -q -pl services/authority/spend -am -Dtest=SpendingSimulationTest -Dsurefire.failIfNoSpecifiedTests=false "$option" test
}

# report NAME OK DETAIL
report() {
  if [ "$2" = yes ]; then printf '  ok       %-14s %s\n' "$1" "$3"; else printf '  MISSING  %-14s %s\n' "$1" "$3"; DOCTOR_STATUS=1; fi
}

# optional NAME FOUND COMMAND HOW: a tool that only some commands need; FOUND is where it is, or empty
optional() {
  if [ -n "$2" ]; then printf '  ok       %-14s %s, for %s\n' "$1" "$2" "$3"; else printf '  without  %-14s for %s: %s\n' "$1" "$3" "$4"; fi
}

# on_path NAME [FOLDER...]: where a program is, on the path or in one of the folders, or nothing
on_path() {
  local name=$1 folder
  shift
  if command -v "$name"; then return 0; fi
  for folder in "$@"; do
    if [ -x "$folder/$name" ]; then echo "$folder/$name"; return 0; fi
  done
}

# What some commands need, or bring in or build when they are first used
doctor_optional() {
  local tools="$SOLIDUS_HOME/tools" postgres=(/usr/lib/postgresql/*/bin /usr/pgsql-*/bin)
  echo "only for some commands:"
  optional Python "$(on_path python3)" "test, cluster" "Python 3 (Debian: python3, python3-venv)"
  optional k6 "$([ ! -x "$(k6_path)" ] || k6_path)" "load run" "version $K6_VERSION is built when it is first used, or --tool gatling"
  optional promtool "$(on_path promtool "$tools/bin")" "the tests of alerts in test" "scripts/observability.sh promtool builds it; without it they are skipped"
  optional shellcheck "$(on_path shellcheck)" "the check of the launcher in test" "Debian: shellcheck; without it that part is skipped"
  optional SoftHSM2 "$(find_softhsm || true)" "the tests of shares in a token in test" "Debian: softhsm2; without it they are skipped"
  optional Helm "$(on_path helm "$tools/bin")" "cluster" "version $HELM_VERSION is built when it is first used"
  optional Terraform "$(on_path terraform)" "cluster check" "1.9 or later; without it that part is skipped"
  optional tflint "$(on_path tflint "$tools/bin")" "cluster check" "version $TFLINT_VERSION is built when it is first used"
  optional etcd "$(on_path etcd "$tools/simulate/bin")" "cluster simulate" "Debian: etcd-server, brought in where apt is"
  optional openssl "$(on_path openssl)" "cluster boot and simulate" "Debian: openssl"
  optional PostgreSQL "$(on_path pg_dump "${postgres[@]}")" "cluster boot, and pg_dump in drill restore" "Debian: postgresql; the sandbox has its own"
  optional dpkg-deb "$(on_path dpkg-deb)" "images" "Debian: dpkg"
  optional podman "$(on_path podman)" "images test" "Debian: podman; without it the test is skipped"
  optional runc "$(on_path runc)" "images test" "Debian: runc; without it the test is skipped"
}

command_doctor() {
  if wants_help "$@"; then help_of doctor; return 0; fi
  no_arguments doctor "$@"
  DOCTOR_STATUS=0
  local found
  if found=$(find_jdk); then report JDK yes "$found"; else report JDK no "a JDK $MINIMUM_JAVA or later with javac: install one (Debian: openjdk-21-jdk, or Temurin) or set JAVA_HOME"; fi
  if found=$(find_go); then report Go yes "$found ($("$found" env GOVERSION))"; else report Go no "Go 1.$MINIMUM_GO_MINOR or later: install it and put it on the PATH"; fi
  if found=$(find_cc); then report "C compiler" yes "$found"; else report "C compiler" no "gcc or clang (Debian: apt-get install gcc libc6-dev)"; fi
  if found=$(command -v mvn); then report Maven yes "$found (version $MAVEN_VERSION is brought in when it is older)"; else report Maven no "any Maven 3 (Debian: apt-get install maven); the launcher brings in $MAVEN_VERSION itself"; fi
  for tool in git tar sed find sha256sum flock; do
    if found=$(command -v "$tool"); then report "$tool" yes "$found"; else report "$tool" no "install $tool (Debian: util-linux, coreutils, findutils, git)"; fi
  done
  local free_kb memory_kb
  mkdir -p "$SOLIDUS_HOME" "$SOLIDUS_DATA"
  free_kb=$(df -Pk "$SOLIDUS_HOME" | awk 'NR==2 {print $4}')
  if [ "$free_kb" -ge 4000000 ]; then report disk yes "$((free_kb / 1024 / 1024)) GiB free"; else report disk no "4 GiB free under $SOLIDUS_HOME"; fi
  memory_kb=$(awk '/MemAvailable/ {print $2}' /proc/meminfo 2>/dev/null || echo 0)
  if [ "$memory_kb" -ge 4000000 ]; then report memory yes "$((memory_kb / 1024 / 1024)) GiB available"; else report memory no "4 GiB of available memory for the sandbox"; fi
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) if ldd --version 2>&1 | grep -qi musl; then report platform no "a glibc system (the native library does not load on musl)"; else report platform yes "Linux x86_64, glibc"; fi ;;
    *) report platform no "Linux on x86_64 (seen: $(uname -s) $(uname -m))" ;;
  esac
  if platform_is_built; then echo "  built    yes"; else echo "  built    not yet (./solidus build)"; fi
  doctor_optional
  return "$DOCTOR_STATUS"
}
