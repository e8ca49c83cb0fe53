#!/usr/bin/env bash
# Builds the native library for iOS, on a Mac with Xcode and Go.
#
#   build.sh OUTPUT_DIR
#
# Writes OUTPUT_DIR/Solidus: a Swift package with CSolidus.xcframework (devices: arm64; simulators: arm64 and x86_64).
set -euo pipefail

[ $# -eq 1 ] || {
  echo "usage: build.sh OUTPUT_DIR" >&2
  exit 2
}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)/Solidus
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# archive SDK ARCHITECTURE GOARCH LEAST
archive() {
  local flags clang
  clang=$(xcrun --sdk "$1" --find clang)
  flags="-isysroot $(xcrun --sdk "$1" --show-sdk-path) -arch $2 $4"
  (cd "$here/../.." \
    && GOOS=ios GOARCH=$3 CGO_ENABLED=1 CC="$clang" CGO_CFLAGS="-O2 $flags" CGO_LDFLAGS="$flags" \
      go build -trimpath -buildvcs=false -tags capi -buildmode=c-archive -ldflags='-s -w' -o "$parts/$1-$2.a" ./cabi/capi)
}

archive iphoneos arm64 arm64 -miphoneos-version-min=15.0
archive iphonesimulator arm64 arm64 -mios-simulator-version-min=15.0
archive iphonesimulator x86_64 amd64 -mios-simulator-version-min=15.0
mkdir "$parts/devices" "$parts/simulators"
mv "$parts/iphoneos-arm64.a" "$parts/devices/libsolidus.a"
xcrun lipo -create "$parts"/iphonesimulator-*.a -output "$parts/simulators/libsolidus.a"

rm -rf "$output"
mkdir "$output"
cp -R "$here/Package.swift" "$here/Sources" "$output/"
xcodebuild -create-xcframework \
  -library "$parts/devices/libsolidus.a" -headers "$here/include" \
  -library "$parts/simulators/libsolidus.a" -headers "$here/include" \
  -output "$output/CSolidus.xcframework"
echo "ios: $output"
