# The sandbox (the whole platform in one JVM) and the programs that talk to it.

# Where the sandbox keeps its development keys. It appends a fingerprint of the circuits, so that another build makes its own.
keys_dir() { echo "$SOLIDUS_HOME/keys/solidus-dev-4"; }

# run_java JAVA_OPTION... MAIN ARGUMENT...: replaces this process by a JVM; newer JDKs want options that older ones do not have
run_java() {
  local release options=()
  use_java
  release=$(version_of_java "$JAVA_HOME")
  [ "$release" -lt 22 ] || options+=(--enable-native-access=ALL-UNNAMED)
  [ "$release" -lt 24 ] || options+=(--sun-misc-unsafe-memory-access=allow)
  exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC "${options[@]}" "$@"
}

sandbox_java() {
  local target="$SOLIDUS_ROOT/services/dev/sandbox/target"
  mkdir -p "$SOLIDUS_DATA/sandbox/logs"
  run_java -Xmx1200m -Xss512k -XX:TieredStopAtLevel=1 -Dsolidus.sandbox.logs="$SOLIDUS_DATA/sandbox/logs" \
    -cp "$target/classes:$target/lib/*" io.solidus.dev.sandbox.cli.SandboxMain "$@"
}

# sandbox ACTION [OPTION...]: an action of the sandbox's program, with the sandbox's folders before the options
sandbox() {
  local action
  read -ra action <<<"$1"
  build_platform
  sandbox_java "${action[@]}" --data "$SOLIDUS_DATA/sandbox" --keys "$(keys_dir)" \
    --kafka-lib "$SOLIDUS_ROOT/services/dev/sandbox-kafka/target/lib" "${@:2}"
}

command_up() {
  local web=()
  wants_help "$@" || ! use_web_wallet || web=(--web-wallet "$WEB_WALLET/dist/page")
  sandbox up "$@" "${web[@]}"
}

command_demo() { sandbox demo "$@"; }

command_token() { sandbox token "$@"; }

command_operator() {
  case "${1:-}" in
    cases | approve-case | refuse-case | fund | approve-mints | pay-out | supply | import-list | accept-import) sandbox "operator $1" "${@:2}" ;;
    *) usage_error "operator takes an action (cases, approve-case, refuse-case, fund, approve-mints, pay-out, supply, import-list or accept-import), and got '${1:-}'" ;;
  esac
}

# ./solidus approve: an approver's own command line, on her own machine
command_approve() {
  local approver="$SOLIDUS_ROOT/services/operator/approver"
  build_once "$approver/target/.built" platform_digest build-approver "the approver's command line" -pl services/operator/approver -am package
  run_java -Xmx256m -XX:TieredStopAtLevel=1 -cp "$approver/target/classes:$approver/target/lib/*" io.solidus.operator.approver.ApproveMain "$@"
}

command_wallet() {
  local cli="$SOLIDUS_ROOT/services/wallet/cli/target"
  build_platform
  # a wallet beside a sandbox needs no further options
  if [ -z "${SOLIDUS_DEVELOPMENT_KEYS:-}" ] && [ -f "$SOLIDUS_DATA/sandbox/keys-dir" ]; then
    SOLIDUS_DEVELOPMENT_KEYS=$(cat "$SOLIDUS_DATA/sandbox/keys-dir")
    export SOLIDUS_DEVELOPMENT_KEYS
  fi
  run_java -Xmx512m -XX:TieredStopAtLevel=1 -cp "$cli/classes:$cli/lib/*" io.solidus.wallet.cli.WalletMain "$@"
}

# Fails when no sandbox runs. A sandbox removes sandbox.json when it stops, and leaves keys-dir.
require_sandbox() {
  [ -f "$SOLIDUS_DATA/sandbox/sandbox.json" ] && [ -f "$SOLIDUS_DATA/sandbox/keys-dir" ] || fail "there is no sandbox: start ./solidus up in another terminal first"
}

# Runs the program of docs/how-to/write-a-wallet.md from its source; its class path is the wallet's library
command_example() {
  no_arguments example "$@"
  require_sandbox
  build_platform
  local wallet="$SOLIDUS_ROOT/services/wallet"
  run_java -Xmx768m -XX:TieredStopAtLevel=1 -cp "$wallet/cli/target/lib/*" "$wallet/sdk/src/test/java/io/solidus/wallet/example/WalletExample.java" \
    "$SOLIDUS_ROOT/solidus" "$(cat "$SOLIDUS_DATA/sandbox/keys-dir")" "${SOLIDUS_GATEWAY:-http://127.0.0.1:8080}"
}

command_build() {
  no_arguments build "$@"
  build_platform
}

# Seeds of the deterministic simulation: ./solidus simulate [SEEDS], or --seed S to replay one with its events
command_simulate() {
  local property=seeds value=${1:-10000}
  if [ "${1:-}" = --seed ]; then
    property=seed value=${2:-}
    shift
  fi
  [[ "$value" =~ ^[0-9]+$ ]] && [ $# -le 1 ] || usage_error "simulate takes a number of seeds, or --seed and one number"
  use_tools
  test_java_module services/authority/spend SpendingSimulationTest -q "-Dsolidus.simulation.$property=$value"
}

command_audit() { exec python3 "$SOLIDUS_ROOT/scripts/audit.py" "$@"; }

command_size() { exec python3 "$SOLIDUS_ROOT/scripts/size.py" "$@"; }
