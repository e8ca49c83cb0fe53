#!/usr/bin/env bash
# Builds the native library as an Android archive.
#
#   build.sh OUTPUT_DIR
#
# Writes OUTPUT_DIR/solidus.aar: libsolidus.so for arm64-v8a and x86_64, with segments aligned to pages of 16 KB, and the class
# io.solidus.prover.NativeLibrary. ANDROID_NDK_HOME names the NDK, r28 or later. SOLIDUS_GO and JAVA_HOME choose the tools.
set -euo pipefail
# shellcheck source=../../../scripts/tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/tools.sh"

[ $# -eq 1 ] || fail "usage: build.sh OUTPUT_DIR"
llvm="${ANDROID_NDK_HOME:-}/toolchains/llvm/prebuilt/linux-x86_64/bin"
[ -x "$llvm/clang" ] || fail "android: ANDROID_NDK_HOME names no NDK for Linux"
use_go
use_java
mkdir -p "$1"
output=$(cd "$1" && pwd)
here="$SOLIDUS_ROOT/prover-native/packages/android"
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# library ABI GOARCH COMPILER
library() {
  local file="$parts/aar/jni/$1/libsolidus.so"
  (cd "$SOLIDUS_ROOT/prover-native" \
    && GOOS=android GOARCH=$2 CGO_ENABLED=1 CC="$llvm/$3" CGO_CFLAGS=-O2 \
      "$GO" build -trimpath -buildvcs=false -tags jni -buildmode=c-shared \
      -ldflags='-s -w -extldflags=-Wl,-z,max-page-size=16384' -o "$file" ./cabi/jni)
  rm -f "${file%.so}.h"
  # the last column of a LOAD segment is its alignment
  if "$llvm/llvm-readelf" -lW "$file" | awk '$1 == "LOAD" && $NF != "0x4000" {wrong = 1} END {exit !wrong}'; then
    fail "android: a segment of $1/libsolidus.so is not aligned to 16 KB"
  fi
}

library arm64-v8a arm64 aarch64-linux-android28-clang
library x86_64 amd64 x86_64-linux-android28-clang
"$JAVA_HOME/bin/javac" --release 11 -d "$parts/classes" "$here/java/io/solidus/prover/NativeLibrary.java"
"$JAVA_HOME/bin/jar" --create --file "$parts/aar/classes.jar" --no-manifest -C "$parts/classes" .
cp "$here/AndroidManifest.xml" "$parts/aar/"
"$JAVA_HOME/bin/jar" --create --file "$output/solidus.aar" --no-manifest -C "$parts/aar" .
say "android: $output/solidus.aar"
