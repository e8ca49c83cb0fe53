# Builds what is missing. A digest over the sources decides; nothing is built twice.

BUILD_STAMP="$SOLIDUS_ROOT/services/sandbox/target/.built"

# One digest over everything that goes into the platform.
source_digest() {
  (cd "$SOLIDUS_ROOT" && find pom.xml services prover-native \
      \( -name target -o -name .git \) -prune -o -type f \
      \( -name '*.java' -o -name '*.go' -o -name '*.mod' -o -name '*.sum' -o -name '*.c' -o -name '*.h' -o -name '*.sh' -o -name '*.xml' \
         -o -name '*.proto' -o -name '*.sql' -o -name '*.yml' -o -name '*.properties' -o -name '*.txt' -o -name '*.csv' \
         -o -name '*.imports' \) \
      -not -path '*/src/test/*' -not -name '*_test.go' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -d' ' -f1
}

platform_is_built() {
  [ -f "$BUILD_STAMP" ] && [ "$(cat "$BUILD_STAMP")" = "$(source_digest)" ]
}

build_platform() {
  if platform_is_built; then return 0; fi
  use_tools
  say "solidus: building (the first time takes some minutes) ..."
  local log="$SOLIDUS_HOME/build.log"
  mkdir -p "$SOLIDUS_HOME"
  (
    flock 8
    platform_is_built && exit 0
    cd "$SOLIDUS_ROOT"
    show_progress "$log" "$MAVEN" -B -ntp -DskipTests -T1 -pl services/sandbox,services/sandbox-kafka,services/wallet -am package
    source_digest >"$BUILD_STAMP"
  ) 8>"$SOLIDUS_HOME/build.lock" || fail "the build failed; its log is $log"
}

# show_progress LOG COMMAND...: runs it with its output in LOG, naming each module as it is built
show_progress() {
  local log=$1
  shift
  "$@" 2>&1 | tee "$log" | sed -un 's/^\[INFO\] Building \(Solidus[^[]*[^ []\).*/  building \1/p' >&2
}
