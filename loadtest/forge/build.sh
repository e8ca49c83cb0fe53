#!/usr/bin/env bash
# Builds the proof simulator of the load tests. Maven calls it.
#
#   build.sh OUTPUT_DIR
#
# Writes OUTPUT_DIR/resources/forge/<platform>/solidus-forge. The Go build cache decides what is compiled.
set -euo pipefail
# shellcheck source=../../scripts/tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/tools.sh"

[ $# -eq 1 ] || fail "usage: build.sh OUTPUT_DIR"
use_go
platform=$(native_platform)
mkdir -p "$1/resources/forge/$platform"
program="$(cd "$1/resources/forge/$platform" && pwd)/solidus-forge"
cd "$SOLIDUS_ROOT/prover-native"
export CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -trimpath -buildvcs=false"
"$GO" build -ldflags='-s -w' -o "$program" ./cmd/solidus-forge
