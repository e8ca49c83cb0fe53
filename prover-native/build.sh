#!/usr/bin/env bash
# Builds the shared library and the command-line tools. Maven calls it.
#
#   build.sh OUTPUT_DIR
#
# Writes OUTPUT_DIR/resources/native/<platform>/libsolidus.so and OUTPUT_DIR/bin/solidus-keys. It does nothing when the Go
# sources, the compilers and both results are unchanged since the last run. SOLIDUS_GO, JAVA_HOME and CC choose the tools.
set -euo pipefail
# shellcheck source=../scripts/tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/tools.sh"

# go_sources -> what the library is built from: the module without its Java half
go_sources() {
  local part
  for part in "$SOLIDUS_ROOT"/prover-native/*; do
    case "${part##*/}" in java | target) ;; *) echo "${part#"$SOLIDUS_ROOT/"}" ;; esac
  done
}

[ $# -eq 1 ] || fail "usage: build.sh OUTPUT_DIR"
use_go
use_java
use_cc
platform=$(native_platform)
mkdir -p "$1"
output=$(cd "$1" && pwd)
library="$output/resources/native/$platform/libsolidus.so"
keys="$output/bin/solidus-keys"
stamp="$output/fingerprint"

mapfile -t sources < <(go_sources)
now="$("$GO" env GOVERSION) $JAVA_HOME $CC $(digest_of "${sources[@]}")"
if [ -f "$library" ] && [ -x "$keys" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$now" ]; then
  exit 0
fi

say "prover-native: building with $("$GO" env GOVERSION), JDK $JAVA_HOME"
rm -f "$stamp"
mkdir -p "$(dirname "$library")" "$(dirname "$keys")"
cd "$SOLIDUS_ROOT/prover-native"
export CGO_ENABLED=1 GOFLAGS="${GOFLAGS:-} -trimpath -buildvcs=false"
CGO_CFLAGS="-O2 -I$JAVA_HOME/include -I$JAVA_HOME/include/linux" \
  "$GO" build -tags jni -buildmode=c-shared -ldflags='-s -w' -o "$library" ./cabi/jni
rm -f "${library%.so}.h"
"$GO" build -o "$keys" ./cmd/solidus-keys
printf '%s\n' "$now" >"$stamp"
