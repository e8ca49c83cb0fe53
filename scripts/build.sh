# Builds what is missing. A digest of the sources, kept beside each result, decides what is missing.

BUILD_STAMP="$SOLIDUS_ROOT/services/dev/sandbox/target/.built"
PROTOBUF="$SOLIDUS_ROOT/services/lib/protocol-wire"

platform_digest() { digest_of pom.xml services prover-native; }

# of the sources of load tests and fault tests
loadtest_digest() { digest_of pom.xml services prover-native loadtest; }

# is_built STAMP DIGEST: whether the file STAMP holds what the function DIGEST prints now
is_built() { [ -f "$1" ] && [ "$(cat "$1")" = "$("$2")" ]; }

protobuf_digest() { digest_of "services/lib/protocol-wire/src/main/protobuf"; }

# Removes generated protobuf code: its generator leaves the class of a deleted message behind, and the next compilation fails on it.
remove_protobuf() {
  (cd "$SOLIDUS_ROOT" && "$MAVEN" -B -ntp -q -Pfresh-protobuf -pl services/lib/protocol-wire initialize) || return
  mkdir -p "$PROTOBUF/target"
  protobuf_digest >"$PROTOBUF/target/.generated-from"
}

# maven ARGUMENT...: Maven in the root of the tree; after a change of the protocol files, and once in a command of CI, it generates all protobuf
# code anew
maven() {
  if [ "${CI:+${PROTOBUF_REMOVED:-no}}" = no ] || ! is_built "$PROTOBUF/target/.generated-from" protobuf_digest; then
    remove_protobuf || return
    export PROTOBUF_REMOVED=yes
  fi
  (cd "$SOLIDUS_ROOT" && "$MAVEN" -B -ntp "$@")
}

# Removes our jars of other versions, which class paths with * would find beside those of today
remove_other_versions() {
  local version
  version=$(sed -n 's|.*<revision>\(.*\)</revision>.*|\1|p' "$SOLIDUS_ROOT/pom.xml")
  find "$SOLIDUS_ROOT"/{services,loadtest,prover-native} -path '*/target/*' -name 'solidus-*.jar' ! -name "solidus-*-$version*.jar" -delete
}

# build_once STAMP DIGEST NAME WHAT ARGUMENT...: Maven with these arguments, unless WHAT is built; one process at a time
build_once() {
  local stamp=$1 digest=$2 log="$SOLIDUS_HOME/$3.log" what=$4 now
  shift 4
  if is_built "$stamp" "$digest"; then return 0; fi
  use_tools
  say "solidus: building $what (the first build takes some minutes) ..."
  (
    flock 8
    now=$("$digest")
    [ "$(cat "$stamp" 2>/dev/null)" != "$now" ] || exit 0
    # a jar keeps the modes of the files in it
    umask 022
    # one chain of commands, because `set -e` has no effect to the left of ||
    mkdir -p "${stamp%/*}" && rm -f "$stamp" && remove_other_versions \
      && maven -DskipTests "$@" 2>&1 | tee "$log" | sed -un 's/^\[INFO\] Building \(Solidus[^[]*[^ []\).*/  building \1/p' >&2 \
      && echo "$now" >"$stamp"
  ) 8>"$SOLIDUS_HOME/build.lock" || fail "the build failed; the log is $log"
}

platform_is_built() { is_built "$BUILD_STAMP" platform_digest; }

build_platform() {
  build_once "$BUILD_STAMP" platform_digest build "the platform" -pl services/dev/sandbox,services/dev/sandbox-kafka,services/wallet/cli -am package
}

# build_loadtest MODULE WHAT [MORE]: one of the modules that run real processes, and MORE modules that it starts
build_loadtest() {
  build_once "$SOLIDUS_ROOT/$1/target/.built" loadtest_digest "build-${1##*/}" "$2" -pl "$1${3:+,$3}" -am package
}
