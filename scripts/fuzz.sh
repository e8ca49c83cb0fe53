#!/usr/bin/env bash
# Runs the fuzzers: ./solidus fuzz [--seconds N] [--only go|java|api] [--seed S] [--per-route N] [--target NAME]
# Prints a table of targets, executions and findings; exits with 1 when something was found, and says how to replay it.
set -euo pipefail
SOLIDUS_ROOT=${SOLIDUS_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
SOLIDUS_HOME=${SOLIDUS_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/solidus}
export SOLIDUS_ROOT SOLIDUS_HOME
# shellcheck source=tools.sh
. "$SOLIDUS_ROOT/scripts/tools.sh"

SECONDS_EACH=30
ONLY=all
SEED=1
PER_ROUTE=200
TARGET=
FOUND=0
REPLAY=()
JAVA_MODULE=services/dev/fuzz

fuzz_usage() {
  cat <<'HELP'
usage: ./solidus fuzz [options]

  --seconds N          how long each Go and Java target runs (30)
  --only go|java|api   only these: the native library, the Java decoders, the REST APIs of a running platform
  --seed S             what the deterministic parts start from (1); a failing run prints the seed it had
  --per-route N        requests to each route of the APIs (200)
  --target NAME        only targets whose name contains NAME
HELP
}

fuzz_options() {
  while [ $# -gt 0 ]; do
    case "$1" in
      -h|--help) fuzz_usage; exit 0 ;;
      --*) [ $# -gt 1 ] || { say "solidus fuzz: '$1' is no option, or lacks its value"; fuzz_usage >&2; exit 64; } ;;
    esac
    case "$1" in
      --seconds) SECONDS_EACH=$2; shift 2 ;;
      --only) ONLY=$2; shift 2 ;;
      --seed) SEED=$2; shift 2 ;;
      --per-route) PER_ROUTE=$2; shift 2 ;;
      --target) TARGET=$2; shift 2 ;;
      *) say "solidus fuzz: there is no option '$1'"; fuzz_usage >&2; exit 64 ;;
    esac
  done
  case "$ONLY" in all|go|java|api) ;; *) fuzz_usage >&2; exit 64 ;; esac
  [[ "$SECONDS_EACH$SEED$PER_ROUTE" =~ ^[0-9]+$ ]] || { fuzz_usage >&2; exit 64; }
  LOGS="$SOLIDUS_HOME/fuzz/$(date -u +%Y%m%dT%H%M%S)-$$"
  mkdir -p "$LOGS"
}

# row KIND TARGET EXECUTIONS FINDINGS
row() { printf '%-5s %-58s %14s  %s\n' "$1" "$2" "$3" "$4"; }

wanted() { [ -z "$TARGET" ] || [[ "$1" == *"$TARGET"* ]]; }

found() {
  FOUND=1
  REPLAY+=("$1")
}

# go_targets -> lines of: package folder, target
go_targets() {
  (cd "$SOLIDUS_ROOT/prover-native" && grep -rn --include='*_test.go' -oE '^func Fuzz[A-Za-z0-9]+' . |
    sed -E 's|^(.*)/[^/]*_test\.go:[0-9]+:func (Fuzz[A-Za-z0-9]+)$|\1 \2|' | LC_ALL=C sort)
}

# fuzz_go_target FOLDER TARGET
fuzz_go_target() {
  local folder=$1 target=$2 log="$LOGS/go-$2.log" executions finding=0
  (cd "$SOLIDUS_ROOT/prover-native" && "$GO" test "$folder" -run '^$' -fuzz "^$target\$" -fuzztime "${SECONDS_EACH}s" \
    -fuzzminimizetime 20x) >"$log" 2>&1 || finding=1
  executions=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$log" | tail -1)
  row go "${folder#./}.$target" "${executions:-0}" "$([ $finding = 0 ] && echo none || echo "see $log")"
  if [ $finding = 1 ]; then
    local case
    case=$(sed -n "s|.*testdata/fuzz/$target/\([0-9a-f]*\).*|\1|p" "$log" | head -1)
    found "cd prover-native && go test $folder -run '^$target${case:+/$case}\$'   # the input is in $folder/testdata/fuzz/$target; log: $log"
  fi
}

# The deterministic mutations, from the given seed and ten times as many as in an ordinary test run.
fuzz_go_mutations() {
  local log="$LOGS/go-mutations.log"
  if (cd "$SOLIDUS_ROOT/prover-native" && SOLIDUS_FUZZ_SEED=$SEED SOLIDUS_FUZZ_ROUNDS=2000 "$GO" test -count=1 -timeout 20m \
    ./cabi ./keys -run 'Mutated|EveryByte|Spliced|Flat') >"$log" 2>&1; then
    row go "mutations of accepted requests, seed $SEED" "2000 a seed" none
  else
    row go "mutations of accepted requests, seed $SEED" "2000 a seed" "see $log"
    found "cd prover-native && SOLIDUS_FUZZ_SEED=$SEED SOLIDUS_FUZZ_ROUNDS=2000 go test ./cabi ./keys -run 'Mutated|EveryByte|Spliced|Flat'"
  fi
}

fuzz_go() {
  local folder target
  while read -r folder target; do
    if wanted "$target"; then fuzz_go_target "$folder" "$target"; fi
  done < <(go_targets)
  if [ -z "$TARGET" ]; then fuzz_go_mutations; fi
}

# compile_java: the fuzz module with everything it needs, and its class path in CLASS_PATH
compile_java() {
  say "solidus: compiling the Java targets ..."
  (cd "$SOLIDUS_ROOT" && "$MAVEN" -B -ntp -q -pl "$JAVA_MODULE" -am -DskipTests test-compile dependency:build-classpath \
    -Dmdep.outputFile="$LOGS/class-path" -Dmdep.includeScope=test) >"$LOGS/compile.log" 2>&1 || fail "the build failed; its log is $LOGS/compile.log"
  CLASS_PATH="$SOLIDUS_ROOT/$JAVA_MODULE/target/test-classes:$(cat "$LOGS/class-path")"
}

# java_targets -> lines of: class, method
java_targets() {
  (cd "$SOLIDUS_ROOT/$JAVA_MODULE/src/test/java" && grep -rl --include='*FuzzTest.java' '@FuzzTest' . | LC_ALL=C sort | while read -r file; do
    class=${file#./}
    class=${class%.java}
    grep -A2 '^  @FuzzTest' "$file" | sed -nE "s|^  void ([A-Za-z0-9]+)\(.*|${class//\//.} \1|p"
  done)
}

# fuzz_java_target CLASS METHOD: in a folder of its own, where findings are written; half a GiB has to be enough
fuzz_java_target() {
  local class=$1 method=$2 name="${1##*.}.$2" folder log executions finding=0
  folder="$LOGS/java-$name"
  log="$folder.log"
  mkdir -p "$folder"
  (cd "$folder" && "$JAVA_HOME/bin/java" -Xmx512m -Xss2m -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading --enable-native-access=ALL-UNNAMED \
    -cp "$CLASS_PATH" com.code_intelligence.jazzer.Jazzer --target_class="$class" --target_method="$method" \
    --max_duration="${SECONDS_EACH}s" --instrumentation_includes='io.solidus.**' -rss_limit_mb=0 -close_fd_mask=0) >"$log" 2>&1 || finding=1
  executions=$(sed -nE 's/^Done ([0-9]+) runs.*/\1/p; s/^#([0-9]+).*/\1/p' "$log" | tail -1)
  row java "$name" "${executions:-0}" "$([ $finding = 0 ] && echo none || echo "see $log")"
  if [ $finding = 1 ]; then
    local case
    case=$(find "$folder" -name 'crash-*' -o -name 'timeout-*' | head -1)
    found "cd $folder && java -cp \"\$(cat $LOGS/java-class-path)\" com.code_intelligence.jazzer.Jazzer --target_class=$class --target_method=$method ${case:-}"
  fi
}

fuzz_java() {
  local class method
  compile_java
  printf '%s' "$CLASS_PATH" >"$LOGS/java-class-path"
  while read -r class method; do
    if wanted "$class.$method"; then fuzz_java_target "$class" "$method"; fi
  done < <(java_targets)
}

# The APIs of a platform that this starts by itself, in one JVM, and stops again.
fuzz_api() {
  local log="$LOGS/api.log"
  say "solidus: starting a platform for its APIs ..."
  if (cd "$SOLIDUS_ROOT" && "$MAVEN" -B -ntp -pl "$JAVA_MODULE" -am -Dtest=ApiFuzzTest -Dsurefire.failIfNoSpecifiedTests=false \
    -Dsolidus.fuzz.seed="$SEED" -Dsolidus.fuzz.per-route="$PER_ROUTE" package) >"$log" 2>&1; then
    sed -nE 's/^(\[INFO\] )?api-fuzz: //p' "$log" | while IFS='|' read -r route executions; do row api "$route" "$executions" none; done
  else
    row api "all routes, seed $SEED" "$(grep -cE 'api-fuzz: ' "$log" || true)" "see $log"
    found "./solidus fuzz --only api --seed $SEED --per-route $PER_ROUTE   # log: $log"
  fi
}

main() {
  fuzz_options "$@"
  use_tools
  row kind target executions findings
  case "$ONLY" in all|go) fuzz_go ;; esac
  case "$ONLY" in all|java) fuzz_java ;; esac
  case "$ONLY" in all|api) fuzz_api ;; esac
  if [ "$FOUND" = 1 ]; then
    say "solidus: something was found. To replay:"
    printf '  %s\n' "${REPLAY[@]}" >&2
    exit 1
  fi
}

main "$@"
