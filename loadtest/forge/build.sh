#!/usr/bin/env bash
# Builds the proof simulator of the load tests.
#
#   build.sh OUTPUT_DIR
#
# Leaves OUTPUT_DIR/resources/forge/<platform>/solidus-forge. The compiler's own cache decides what there is to do.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=/dev/null
. "$here/../../scripts/tools.sh"

[ $# -eq 1 ] || fail "usage: build.sh OUTPUT_DIR"
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) platform=linux-x86_64 ;;
  Linux-aarch64) platform=linux-aarch64 ;;
  *) fail "no build of the load-test forge for $(uname -s) on $(uname -m)" ;;
esac
go=$(find_go) || fail "Go 1.$MINIMUM_GO_MINOR or newer is needed. Install it and put 'go' on the PATH."
mkdir -p "$1/resources/forge/$platform"
program="$(cd "$1/resources/forge/$platform" && pwd)/solidus-forge"
cd "$here/../../prover-native"
export CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -trimpath -buildvcs=false"
"$go" build -ldflags='-s -w' -o "$program" ./cmd/solidus-forge
