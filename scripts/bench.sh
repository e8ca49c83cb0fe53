# ./solidus bench: the native library, whole validators and committees, the mailbox.

# solidus_bench ARGUMENT...: builds the Go benchmarks where they changed and runs one in the caller's folder
solidus_bench() {
  use_tools
  (cd "$SOLIDUS_ROOT/prover-native" && "$GO" build -o target/solidus-bench ./cmd/solidus-bench)
  "$SOLIDUS_ROOT/prover-native/target/solidus-bench" "$@"
}

# abuse_bench [OPTION...]: honest payments while strangers flood a gateway and its authorities
abuse_bench() {
  local target="$SOLIDUS_ROOT/loadtest/bench/target"
  build_loadtest loadtest/bench "the load generator"
  run_java -Xmx2g -cp "$target/classes:$target/lib/*" io.solidus.loadtest.bench.BenchMain abuse "$@"
}

# service_bench validator|committee|restart|mailbox [OPTION...]: --plot FILE.svg is drawn here, the other options are the program's
service_bench() {
  local kind=$1 plot='' arguments=() chart target="$SOLIDUS_ROOT/loadtest/bench/target"
  shift
  while [ $# -gt 0 ]; do
    if [ "$1" = --plot ] && [ $# -gt 1 ]; then
      plot=$2
      shift
    else
      arguments+=("$1")
    fi
    shift
  done
  build_loadtest loadtest/bench "the load generator"
  chart=$(mktemp)
  (run_java -Xmx2g -cp "$target/classes:$target/lib/*" io.solidus.loadtest.bench.BenchMain "$kind" --chart "$chart" "${arguments[@]}")
  [ -z "$plot" ] || solidus_bench plot --chart "$chart" --out "$plot"
  rm -f "$chart"
}

# validator_against REVISION [OPTION...]: this tree's validator and that of another commit in turn, with the same options; prints both
# rates and their ratio. --runs counts pairs; --json names a folder.
validator_against() {
  local revision=$1 runs=1 folder='' arguments=() tree i
  shift
  while [ $# -gt 0 ]; do
    case "$1" in
      --runs) runs=$2 && shift ;;
      --json) folder=$2 && shift ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  folder=${folder:-$(mktemp -d)}
  mkdir -p "$folder"
  tree="$SOLIDUS_HOME/against/$(git -C "$SOLIDUS_ROOT" rev-parse --short "$revision^{commit}")"
  [ -d "$tree" ] || git clone --quiet --no-checkout "$SOLIDUS_ROOT" "$tree"
  git -C "$tree" checkout --quiet --detach "$(git -C "$SOLIDUS_ROOT" rev-parse "$revision^{commit}")"
  for i in $(seq "$runs"); do
    say "pair $i of $runs: $revision"
    "$tree/solidus" bench validator "${arguments[@]}" --json "$folder/$i-before.json"
    say "pair $i of $runs: this tree"
    "$SOLIDUS_ROOT/solidus" bench validator "${arguments[@]}" --json "$folder/$i-after.json"
  done
  python3 - "$folder" <<'PYTHON'
import json, pathlib, sys

def rates(kind):
    files = sorted(pathlib.Path(sys.argv[1]).glob(f"*-{kind}.json"))
    return [json.loads(file.read_text())["perSecondPerCore"] for file in files]

before, after = rates("before"), rates("after")
for name, values in (("before", before), ("after", after)):
    print(f"{name}: {min(values):.0f} transfers per second and core held in all of {len(values)}, {max(values):.0f} in the best")
print(f"ratio of what held in all: {min(after) / min(before):.2f}; of each pair:", *(f"{a / b:.2f}" for a, b in zip(after, before)))
PYTHON
  say "written: $folder"
}

# What the figures above consist of: hashes, signatures, database and sign-log by batch size
pieces_bench() {
  local pieces='^Benchmark(Compress|Node3|CoinBase|Sign|SignAll|CheckPartial|Combine|VerifyCore|VerifyShown3|CheckG1)$'
  use_tools
  (cd "$SOLIDUS_ROOT/prover-native" && "$GO" test -run '^$' -bench "$pieces" -benchtime 1s -cpu 1 ./hash ./suite)
  maven -q -pl services/dev/authorities -am -Dtest='SpendStoreBenchmark,SignLogBenchmark' -Dsurefire.failIfNoSpecifiedTests=false test \
    | grep -v ' INFO \|EmbeddedPostgres\|DefaultPostgresBinaryResolver'
}

# screening_bench [OPTION...]: how well names are found on published lists, and how many names that many people have are flagged; with
# --rescreen PERSONS instead how long it takes until so many registered persons are screened against a list that changed in 100 entries
screening_bench() {
  local data="$SOLIDUS_ROOT/../shared/data" properties=() module=services/operator/sanctions class=ScreeningBenchmark
  while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || usage_error "bench screening: $1 takes a file or a folder"
    case "$1" in
      --json | --un-list | --ofac-list | --ofac-alt-list) properties+=("-Dsolidus.bench.${1#--}=$(realpath -m "$2")") ;;
      --data) data=$2 ;;
      --rescreen) module=services/operator/registration class=RescreeningBenchmark properties+=("-Dsolidus.bench.persons=$2") ;;
      *) usage_error "bench screening takes --rescreen, --json, --un-list, --ofac-list, --ofac-alt-list and --data, and got '$1'" ;;
    esac
    shift 2
  done
  [[ -d "$data" || ("${properties[*]}" = *.un-list=* && "${properties[*]}" = *.ofac-list=*) ]] \
    || fail "bench screening needs lists: --un-list and --ofac-list, or --data FOLDER with the folders sanctions and screening"
  use_tools
  maven -q -pl "$module" -am "-Dtest=$class" -Dsurefire.failIfNoSpecifiedTests=false \
    -Dsolidus.bench.data="$(realpath -m "$data")" "${properties[@]}" test
}

# What a proof takes on a wallet's device; what this machine cannot emulate is left out by name
device_bench() {
  local arguments=() folder="$SOLIDUS_ROOT/prover-native/target/targets" runner
  use_tools
  if command -v node >/dev/null; then
    mkdir -p "$folder/wasm"
    wasm_module "$folder/wasm/solidus.wasm"
    arguments+=(--module "$folder/wasm/solidus.wasm" --script "$SOLIDUS_ROOT/prover-native/cabi/wasm/prove.mjs")
  else
    echo "SKIPPED: WebAssembly, no Node.js" >&2
  fi
  runner=$(command -v qemu-aarch64 || command -v qemu-aarch64-static || true)
  if [ -n "$runner" ]; then
    mkdir -p "$folder/linux-arm64"
    (cd "$SOLIDUS_ROOT/prover-native" \
      && GOOS=linux GOARCH=arm64 CGO_ENABLED=0 "$GO" build -trimpath -ldflags='-s -w' -o "$folder/linux-arm64/solidus-bench" ./cmd/solidus-bench)
    arguments+=(--arm64 "$folder/linux-arm64/solidus-bench" --runner "$runner")
  else
    echo "SKIPPED: arm64, no qemu-aarch64 (Debian: qemu-user-static)" >&2
  fi
  solidus_bench device "${arguments[@]}" "$@"
}

# wallet_bench [OPTION...]: what a wallet's day costs beside messages of others, on a platform of its own
wallet_bench() {
  if ! wants_help "$@"; then
    SOLIDUS_DATA="$SOLIDUS_HOME/wallet-bench"
    rm -rf "$SOLIDUS_DATA"
  fi
  sandbox measure-wallet "$@"
}

command_bench() {
  case "${1:-}" in
    prover) solidus_bench prover --cache "$SOLIDUS_HOME/bench-keys" "${@:2}" ;;
    shapes) solidus_bench shapes --cache "$SOLIDUS_HOME/bench-keys" "${@:2}" ;;
    verify | plot) solidus_bench "$@" ;;
    validator)
      if [ "${2:-}" = --against ] && [ $# -gt 2 ]; then validator_against "${@:3}"; else service_bench "$@"; fi
      ;;
    committee | restart | mailbox) service_bench "$@" ;;
    abuse) abuse_bench "${@:2}" ;;
    screening) screening_bench "${@:2}" ;;
    device) device_bench "${@:2}" ;;
    wallet) wallet_bench "${@:2}" ;;
    pieces) no_arguments "bench pieces" "${@:2}" && pieces_bench ;;
    growth)
      if [ "${2:-}" = spent ]; then exec "$SOLIDUS_ROOT/scripts/measure-spent-set.sh" "${@:3}"; fi
      exec "$SOLIDUS_ROOT/scripts/measure-growth.sh" "${@:2}"
      ;;
    *) usage_error "bench takes prover, shapes, verify, validator, committee, restart, abuse, mailbox, screening, pieces, device, wallet, growth or plot, and got '${1:-}'" ;;
  esac
}
