# Benchmarks: the native library's, and those of whole validators and committees.

# solidus_bench ARGUMENTS...: builds the Go benchmarks where they changed and runs one, from the caller's folder
solidus_bench() {
  use_tools
  (cd "$SOLIDUS_ROOT/prover-native" && "$GO" build -o target/solidus-bench ./cmd/solidus-bench)
  exec "$SOLIDUS_ROOT/prover-native/target/solidus-bench" "$@"
}

# loadtest_java MODULE MAIN [arguments]
loadtest_java() {
  local target="$SOLIDUS_ROOT/$1/target"
  local main=$2
  shift 2
  use_java
  mapfile -t options < <(java_options)
  "$JAVA_HOME/bin/java" -Xmx2g -XX:+UseSerialGC "${options[@]}" -cp "$target/classes:$target/lib/*" "$main" "$@"
}

# service_bench validator|committee [options]: --plot FILE.svg is drawn here, the rest is the program's
service_bench() {
  local kind=$1 plot=
  shift
  local arguments=()
  while [ $# -gt 0 ]; do
    if [ "$1" = --plot ] && [ $# -gt 1 ]; then
      plot=$2
      shift 2
    else
      arguments+=("$1")
      shift
    fi
  done
  build_loadtest loadtest/bench "the load generator"
  local chart
  chart=$(mktemp)
  loadtest_java loadtest/bench io.solidus.loadtest.bench.BenchMain "$kind" --chart "$chart" "${arguments[@]}"
  if [ -n "$plot" ]; then
    (solidus_bench plot --chart "$chart" --out "$plot")
  fi
  rm -f "$chart"
}

# The pieces that the figures above are made of: hashes, signatures, database and sign-log by batch size
pieces_bench() {
  use_tools
  cd "$SOLIDUS_ROOT"
  local pieces='^Benchmark(Compress|Node3|CoinBase|Sign|SignAll|CheckPartial|Combine|VerifyCore|VerifyShown3|CheckG1)$'
  (cd prover-native && "$GO" test -run XXX -bench "$pieces" -benchtime 1s -cpu 1 ./hash ./suite)
  "$MAVEN" -B -ntp -q -pl services/dev/authorities -am -Dtest='LedgerBenchmark,SignLogBenchmark' -Dsurefire.failIfNoSpecifiedTests=false test \
    | grep -v ' INFO \|EmbeddedPostgres\|DefaultPostgresBinaryResolver'
}

command_bench() {
  case "${1:-}" in
    prover) shift; solidus_bench prover --cache "$SOLIDUS_HOME/bench-keys" "$@" ;;
    verify|plot) solidus_bench "$@" ;;
    validator|committee) service_bench "$@" ;;
    pieces) shift; no_arguments "bench pieces" "$@"; pieces_bench ;;
    -h|--help) help_of bench ;;
    *) usage_error "bench takes prover, verify, validator, committee, pieces or plot, and got '${1:-}'" ;;
  esac
}
