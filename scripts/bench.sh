# ./solidus bench: the native library, whole validators and committees.

# solidus_bench ARGUMENT...: builds the Go benchmarks where they changed and runs one in the caller's folder
solidus_bench() {
  use_tools
  (cd "$SOLIDUS_ROOT/prover-native" && "$GO" build -o target/solidus-bench ./cmd/solidus-bench)
  "$SOLIDUS_ROOT/prover-native/target/solidus-bench" "$@"
}

# service_bench validator|committee [OPTION...]: --plot FILE.svg is drawn here, the other options are the program's
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

# What the figures above consist of: hashes, signatures, database and sign-log by batch size
pieces_bench() {
  local pieces='^Benchmark(Compress|Node3|CoinBase|Sign|SignAll|CheckPartial|Combine|VerifyCore|VerifyShown3|CheckG1)$'
  use_tools
  (cd "$SOLIDUS_ROOT/prover-native" && "$GO" test -run '^$' -bench "$pieces" -benchtime 1s -cpu 1 ./hash ./suite)
  maven -q -pl services/dev/authorities -am -Dtest='SpendStoreBenchmark,SignLogBenchmark' -Dsurefire.failIfNoSpecifiedTests=false test \
    | grep -v ' INFO \|EmbeddedPostgres\|DefaultPostgresBinaryResolver'
}

# Proving time of the library as a WebAssembly module
wasm_bench() {
  local module
  use_tools
  command -v node >/dev/null || fail "bench wasm needs Node.js"
  module="$SOLIDUS_ROOT/prover-native/target/targets/wasm/solidus.wasm"
  mkdir -p "$(dirname "$module")"
  wasm_module "$module"
  solidus_bench wasm --module "$module" --script "$SOLIDUS_ROOT/prover-native/cabi/wasm/prove.mjs" "$@"
}

command_bench() {
  case "${1:-}" in
    prover) solidus_bench prover --cache "$SOLIDUS_HOME/bench-keys" "${@:2}" ;;
    verify | plot) solidus_bench "$@" ;;
    validator | committee) service_bench "$@" ;;
    wasm) wasm_bench "${@:2}" ;;
    pieces) no_arguments "bench pieces" "${@:2}" && pieces_bench ;;
    growth) exec "$SOLIDUS_ROOT/scripts/measure-growth.sh" "${@:2}" ;;
    *) usage_error "bench takes prover, verify, validator, committee, pieces, wasm, growth or plot, and got '${1:-}'" ;;
  esac
}
