#!/usr/bin/env bash
# Builds the shared library and the command-line tools.
#
#   build.sh OUTPUT_DIR
#
# Leaves OUTPUT_DIR/resources/native/<platform>/libsolidus.so and OUTPUT_DIR/bin/solidus-keys. Nothing is done while the Go
# sources, the compilers and the results are what they were at the last run.
#
# Looks for Go 1.25 or newer ($SOLIDUS_GO, the PATH, the usual folders), a JDK of version 21 or newer for jni.h ($JAVA_HOME,
# the usual folders, javac on the PATH) and a C compiler ($CC, cc, gcc, clang).
set -euo pipefail

readonly go_minimum=25 jdk_minimum=21
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

die() {
  printf 'prover-native: %s\n' "$1" >&2
  exit 1
}

go_minor() { "$1" version 2>/dev/null | sed -n 's/^go version go1\.\([0-9]*\).*/\1/p'; }

find_go() {
  local candidate minor
  for candidate in "${SOLIDUS_GO:-}" "$(command -v go || true)" /usr/local/go/bin/go /usr/lib/go/bin/go "${HOME:-/root}/go/bin/go"; do
    [ -n "$candidate" ] && [ -x "$candidate" ] || continue
    minor="$(go_minor "$candidate")"
    if [ -n "$minor" ] && [ "$minor" -ge "$go_minimum" ]; then
      printf '%s' "$candidate"
      return
    fi
  done
  die "Go 1.$go_minimum or newer is needed. Install it and put 'go' on the PATH, or set SOLIDUS_GO to its path."
}

jdk_major() { "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'; }

find_jdk() {
  local candidate major on_path=""
  if command -v javac >/dev/null; then
    on_path="$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")"
  fi
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/java/* "$on_path"; do
    [ -n "$candidate" ] && [ -x "$candidate/bin/javac" ] && [ -f "$candidate/include/jni.h" ] || continue
    major="$(jdk_major "$candidate")"
    if [ -n "$major" ] && [ "$major" -ge "$jdk_minimum" ]; then
      printf '%s' "$candidate"
      return
    fi
  done
  die "A JDK of version $jdk_minimum or newer with its include folder (jni.h) is needed. Install one and set JAVA_HOME."
}

find_cc() {
  local candidate
  for candidate in "${CC:-}" cc gcc clang; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  die "A C compiler is needed (cc, gcc or clang). On Debian and Ubuntu: install the package build-essential."
}

# everything that decides what the results are
fingerprint() {
  {
    "$go" version
    printf '%s\n%s\n' "$jdk" "$cc"
    cat "${BASH_SOURCE[0]}"
    cd "$here"
    find . -name '*.go' ! -name '*_test.go' -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
    sha256sum go.mod go.sum
  } | sha256sum | cut -d' ' -f1
}

platform() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) printf 'linux-x86_64' ;;
    Linux-aarch64) printf 'linux-aarch64' ;;
    *) die "no build for $(uname -s) on $(uname -m): the library is built for Linux on x86_64 and aarch64." ;;
  esac
}

[ $# -eq 1 ] || die "usage: build.sh OUTPUT_DIR"
mkdir -p "$1"
output="$(cd "$1" && pwd)"
library="$output/resources/native/$(platform)/libsolidus.so"
keys="$output/bin/solidus-keys"
stamp="$output/fingerprint"

go="$(find_go)"
jdk="$(find_jdk)"
cc="$(find_cc)"

now="$(fingerprint)"
if [ -f "$library" ] && [ -x "$keys" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$now" ]; then
  exit 0
fi

printf 'prover-native: building with %s, JDK %s\n' "$("$go" version | cut -d' ' -f3)" "$jdk"
rm -f "$stamp"
mkdir -p "$(dirname "$library")" "$(dirname "$keys")"
cd "$here"
export CGO_ENABLED=1 CC="$cc" GOFLAGS="${GOFLAGS:-} -trimpath -buildvcs=false"
CGO_CFLAGS="-O2 -I$jdk/include -I$jdk/include/linux" \
  "$go" build -tags jni -buildmode=c-shared -ldflags='-s -w' -o "$library" ./cabi/jni
rm -f "${library%.so}.h"
"$go" build -o "$keys" ./cmd/solidus-keys
printf '%s\n' "$now" > "$stamp"
