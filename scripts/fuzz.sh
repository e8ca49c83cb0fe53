# ./solidus fuzz: prints a table of targets, executions and findings; fails when something was found, and says how to replay it.

help_fuzz() {
  cat <<'HELP'
usage: ./solidus fuzz [options]

  --seconds N          how long each Go and Java target runs (30)
  --only go|java|api   only these: the native library, the Java decoders, the REST APIs of a running platform
  --seed S             seed of the deterministic parts (default 1); a failing run prints its seed
  --per-route N        requests to each route of the APIs (200)
  --target NAME        only targets whose name contains NAME
HELP
}

fuzz_usage_error() {
  say "solidus fuzz: $*"
  help_fuzz >&2
  exit 64
}

# fuzz_options OPTION...: sets FUZZ (a map of option, with _ for -, to value), LOGS, FOUND and REPLAY
fuzz_options() {
  declare -gA FUZZ=([seconds]=30 [only]=all [seed]=1 [per_route]=200 [target]='')
  local name
  while [ $# -gt 0 ]; do
    name=${1#--}
    name=${name//-/_}
    [[ "$1" = --* && -n "$name" && -v "FUZZ[$name]" ]] || fuzz_usage_error "there is no option '$1'"
    [ $# -gt 1 ] || fuzz_usage_error "'$1' lacks its value"
    FUZZ[$name]=$2
    shift 2
  done
  case "${FUZZ[only]}" in all | go | java | api) ;; *) fuzz_usage_error "--only takes go, java or api" ;; esac
  [[ "${FUZZ[seconds]}${FUZZ[seed]}${FUZZ[per_route]}" =~ ^[0-9]+$ ]] || fuzz_usage_error "--seconds, --seed and --per-route take numbers"
  LOGS="$SOLIDUS_HOME/fuzz/$(date -u +%Y%m%dT%H%M%S)-$$"
  REPLAY=()
  mkdir -p "$LOGS"
}

# fuzz_row KIND TARGET EXECUTIONS FINDINGS
fuzz_row() { printf '%-5s %-58s %14s  %s\n' "$@"; }

# fuzz_result KIND TARGET EXECUTIONS LOG [REPLAY]: a row of the table; REPLAY is the command for a finding
fuzz_result() {
  fuzz_row "$1" "$2" "${3:-0}" "$([ $# -lt 5 ] && echo none || echo "see $4")"
  if [ $# -gt 4 ]; then REPLAY+=("$5"); fi
}

# is_target NAME: whether --target selects it
is_target() { [[ "$1" == *"${FUZZ[target]}"* ]]; }

# go_targets -> lines of: package folder, target
go_targets() {
  (cd "$SOLIDUS_ROOT/prover-native" && grep -rn --include='*_test.go' -oE '^func Fuzz[A-Za-z0-9]+' . \
    | sed -E 's|^(.*)/[^/]*_test\.go:[0-9]+:func (Fuzz[A-Za-z0-9]+)$|\1 \2|' | LC_ALL=C sort)
}

# fuzz_go_target FOLDER TARGET
fuzz_go_target() {
  local folder=$1 target=$2 log="$LOGS/go-$2.log" replay=() input
  if ! (cd "$SOLIDUS_ROOT/prover-native" && "$GO" test "$folder" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZ[seconds]}s" \
    -fuzzminimizetime 20x) >"$log" 2>&1; then
    input=$(sed -n "s|.*testdata/fuzz/$target/\([0-9a-f]*\).*|\1|p" "$log" | head -1)
    replay=("cd prover-native && go test $folder -run '^$target${input:+/$input}\$'   # the input is in $folder/testdata/fuzz/$target; log: $log")
  fi
  fuzz_result go "${folder#./}.$target" "$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$log" | tail -1)" "$log" "${replay[@]}"
}

# The deterministic mutations, from the given seed and ten times as many as in an ordinary test run.
fuzz_go_mutations() {
  local log="$LOGS/go-mutations.log" replay=()
  if ! (cd "$SOLIDUS_ROOT/prover-native" && SOLIDUS_FUZZ_SEED=${FUZZ[seed]} SOLIDUS_FUZZ_ROUNDS=2000 "$GO" test -count=1 -timeout 20m \
    ./cabi ./keys -run 'Mutated|EveryByte|Spliced|Flat') >"$log" 2>&1; then
    replay=("cd prover-native && SOLIDUS_FUZZ_SEED=${FUZZ[seed]} SOLIDUS_FUZZ_ROUNDS=2000 go test ./cabi ./keys -run 'Mutated|EveryByte|Spliced|Flat'")
  fi
  fuzz_result go "mutations of accepted requests, seed ${FUZZ[seed]}" "2000 a seed" "$log" "${replay[@]}"
}

fuzz_go() {
  local folder target
  while read -r folder target; do
    if is_target "$target"; then fuzz_go_target "$folder" "$target"; fi
  done < <(go_targets)
  if [ -z "${FUZZ[target]}" ]; then fuzz_go_mutations; fi
}

# java_targets -> lines of: class, method
java_targets() {
  local file class
  (cd "$SOLIDUS_ROOT/services/dev/fuzz/src/test/java" && grep -rl --include='*FuzzTest.java' '@FuzzTest' . | LC_ALL=C sort | while read -r file; do
    class=${file#./}
    class=${class%.java}
    grep -A2 '^  @FuzzTest' "$file" | sed -nE "s|^  void ([A-Za-z0-9]+)\(.*|${class//\//.} \1|p"
  done)
}

# fuzz_java_target CLASS METHOD: runs in a folder of its own, which gets the findings, with half a GiB of heap
fuzz_java_target() {
  local class=$1 method=$2 folder="$LOGS/java-${1##*.}.$2" replay=() input
  local jazzer=(com.code_intelligence.jazzer.Jazzer "--target_class=$class" "--target_method=$method")
  mkdir -p "$folder"
  if ! (cd "$folder" && "$JAVA_HOME/bin/java" -Xmx512m -Xss2m -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading --enable-native-access=ALL-UNNAMED \
    -cp "$(cat "$LOGS/java-class-path")" "${jazzer[@]}" --max_duration="${FUZZ[seconds]}s" --instrumentation_includes='io.solidus.**' \
    -rss_limit_mb=0 -close_fd_mask=0) >"$folder.log" 2>&1; then
    input=$(find "$folder" -name 'crash-*' -o -name 'timeout-*' | head -1)
    replay=("cd $folder && java -cp \"\$(cat $LOGS/java-class-path)\" ${jazzer[*]} $input")
  fi
  fuzz_result java "${1##*.}.$2" "$(sed -nE 's/^Done ([0-9]+) runs.*/\1/p; s/^#([0-9]+).*/\1/p' "$folder.log" | tail -1)" "$folder.log" "${replay[@]}"
}

fuzz_java() {
  local class method module=services/dev/fuzz
  say "solidus: compiling the Java targets ..."
  maven -q -pl "$module" -am -DskipTests test-compile dependency:build-classpath \
    -Dmdep.outputFile="$LOGS/dependencies" -Dmdep.includeScope=test >"$LOGS/compile.log" 2>&1 || fail "the build failed; the log is $LOGS/compile.log"
  echo "$SOLIDUS_ROOT/$module/target/test-classes:$(cat "$LOGS/dependencies")" >"$LOGS/java-class-path"
  while read -r class method; do
    if is_target "$class.$method"; then fuzz_java_target "$class" "$method"; fi
  done < <(java_targets)
}

# The APIs of a platform in one JVM, which the test starts and stops
fuzz_api() {
  local log="$LOGS/api.log" route executions options="--seed ${FUZZ[seed]} --per-route ${FUZZ[per_route]}"
  say "solidus: starting a platform for its APIs ..."
  if maven -pl services/dev/fuzz -am -Dtest=ApiFuzzTest -Dsurefire.failIfNoSpecifiedTests=false \
    -Dsolidus.fuzz.seed="${FUZZ[seed]}" -Dsolidus.fuzz.per-route="${FUZZ[per_route]}" package >"$log" 2>&1; then
    sed -nE 's/^(\[INFO\] )?api-fuzz: //p' "$log" | while IFS='|' read -r route executions; do fuzz_result api "$route" "$executions" "$log"; done
  else
    fuzz_result api "all routes, seed ${FUZZ[seed]}" "$(grep -cE 'api-fuzz: ' "$log" || true)" "$log" "./solidus fuzz --only api $options   # log: $log"
  fi
}

command_fuzz() {
  local kind
  fuzz_options "$@"
  use_tools
  fuzz_row kind target executions findings
  for kind in go java api; do
    if [ "${FUZZ[only]}" = all ] || [ "${FUZZ[only]}" = "$kind" ]; then "fuzz_$kind"; fi
  done
  if [ "${#REPLAY[@]}" -gt 0 ]; then
    say "solidus: something was found. To replay:"
    printf '  %s\n' "${REPLAY[@]}" >&2
    exit 1
  fi
}
