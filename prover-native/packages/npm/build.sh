#!/usr/bin/env bash
# Builds the native library as an npm package.
#
#   build.sh OUTPUT_DIR
#
# Writes OUTPUT_DIR/solidus-native-VERSION.tgz: the WebAssembly module, what loads it in Node.js and browsers, and the host of a
# wallet's core. SOLIDUS_GO chooses the tool; npm packs, and asks no registry.
set -euo pipefail
# shellcheck source=../../../scripts/tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/tools.sh"

[ $# -eq 1 ] || fail "usage: build.sh OUTPUT_DIR"
use_go
mkdir -p "$1"
output=$(cd "$1" && pwd)
native="$SOLIDUS_ROOT/prover-native"
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

cp "$native/packages/npm/package.json" "$native"/cabi/wasm/{solidus.mjs,solidus.d.mts,wasi.mjs,wallet.mjs} "$parts/"
(cd "$native" && GOOS=wasip1 GOARCH=wasm "$GO" build -trimpath -buildvcs=false -buildmode=c-shared -ldflags='-s -w' -o "$parts/solidus.wasm" ./cabi/wasm)
(cd "$parts" && npm pack --silent --offline --ignore-scripts --pack-destination "$output")
say "npm: $output"
