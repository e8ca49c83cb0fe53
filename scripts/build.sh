# Builds what is missing. A digest over the sources decides; nothing is built twice.

BUILD_STAMP="$SOLIDUS_ROOT/services/dev/sandbox/target/.built"

# One digest over everything that goes into the platform.
source_digest() {
  (cd "$SOLIDUS_ROOT" && find pom.xml services prover-native \
      \( -name target -o -name .git \) -prune -o -type f \
      \( -name '*.java' -o -name '*.go' -o -name '*.mod' -o -name '*.sum' -o -name '*.c' -o -name '*.h' -o -name '*.sh' -o -name '*.xml' \
         -o -name '*.proto' -o -name '*.sql' -o -name '*.yml' -o -name '*.properties' -o -name '*.txt' -o -name '*.csv' \
         -o -name '*.imports' \) \
      -not -path '*/src/test/*' -not -name '*_test.go' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -d' ' -f1
}

# is_built STAMP DIGEST: whether the file STAMP holds what the function DIGEST prints now
is_built() {
  [ -f "$1" ] && [ "$(cat "$1")" = "$("$2")" ]
}

# build_once STAMP DIGEST NAME WHAT MODULES: builds Maven's MODULES and what they need, unless they are built; one process at a time.
# The steps are chained, for the shell ends no list of commands early whose failure somebody looks at.
build_once() {
  local stamp=$1 digest=$2 log="$SOLIDUS_HOME/$3.log" what=$4 modules=$5
  if is_built "$stamp" "$digest"; then return 0; fi
  use_tools
  say "solidus: building $what (the first time takes some minutes) ..."
  mkdir -p "$SOLIDUS_HOME"
  (
    flock 8
    is_built "$stamp" "$digest" && exit 0
    # jars keep the modes of the files in them
    umask 022
    cd "$SOLIDUS_ROOT" \
      && show_progress "$log" "$MAVEN" -B -ntp -DskipTests -T1 -pl "$modules" -am package \
      && "$digest" >"$stamp"
  ) 8>"$SOLIDUS_HOME/build.lock" || fail "the build failed; its log is $log"
}

platform_is_built() {
  is_built "$BUILD_STAMP" source_digest
}

build_platform() {
  build_once "$BUILD_STAMP" source_digest build "the platform" services/dev/sandbox,services/dev/sandbox-kafka,services/wallet/cli
}

# One digest over everything that goes into what drives load and faults.
loadtest_digest() {
  (source_digest; cd "$SOLIDUS_ROOT" && find loadtest -name target -prune -o -type f \
      \( -name '*.java' -o -name '*.xml' -o -name '*.sh' \) -not -path '*/src/test/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -d' ' -f1
}

# build_loadtest MODULE WHAT [MORE]: one of the modules that stand on real processes, and more modules that it starts
build_loadtest() {
  build_once "$SOLIDUS_ROOT/$1/target/.built" loadtest_digest "build-${1##*/}" "$2" "$1${3:+,$3}"
}

# show_progress LOG COMMAND...: runs it with its output in LOG, naming each module as it is built
show_progress() {
  local log=$1
  shift
  "$@" 2>&1 | tee "$log" | sed -un 's/^\[INFO\] Building \(Solidus[^[]*[^ []\).*/  building \1/p' >&2
}
