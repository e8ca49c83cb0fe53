# ./solidus targets: the native library for other processors, from the same sources

help_targets() {
  cat <<'HELP'
usage: ./solidus targets [TARGET...]

Builds the native library for TARGET, by default for all, and runs the test vectors on it.

  linux-arm64    target/targets/linux-arm64/libsolidus.so; needs aarch64-linux-gnu-gcc, and qemu-aarch64 for the vectors
  android-arm64  target/targets/android-arm64/libsolidus.so; needs the NDK that ANDROID_NDK_HOME names, else compiles without linking
  wasm           target/targets/wasm/solidus.wasm (WASI preview 1); needs Node.js for the vectors

A part that this machine lacks a program for is SKIPPED by name.
HELP
}

TARGETS=(linux-arm64 android-arm64 wasm)
# what vectors and the circuits' arithmetic are tested in; quick on an emulator
TARGET_TESTS=(./vectors ./jubjub ./hash)

# target_tests OS ARCHITECTURE RUNNER...: the vectors on another processor
target_tests() {
  local os=$1 architecture=$2 package runner
  runner=$(printf '%s ' "${@:3}")
  for package in "${TARGET_TESTS[@]}"; do
    (cd "$SOLIDUS_ROOT/prover-native" && GOOS=$os GOARCH=$architecture CGO_ENABLED=0 "$GO" test -short -count=1 -exec "${runner% }" "$package")
  done
}

target_linux_arm64() {
  local library="$1/libsolidus.so"
  if command -v aarch64-linux-gnu-gcc >/dev/null; then
    (cd "$SOLIDUS_ROOT/prover-native" \
      && GOOS=linux GOARCH=arm64 CGO_ENABLED=1 CC=aarch64-linux-gnu-gcc CGO_CFLAGS="-O2 -I$JAVA_HOME/include -I$JAVA_HOME/include/linux" \
        "$GO" build -trimpath -buildvcs=false -tags jni -buildmode=c-shared -ldflags='-s -w' -o "$library" ./cabi/jni)
    say "targets: $library"
  else
    echo "SKIPPED: linux-arm64 is not linked, no aarch64-linux-gnu-gcc"
  fi
  if command -v qemu-aarch64 >/dev/null; then
    target_tests linux arm64 qemu-aarch64
  else
    echo "SKIPPED: linux-arm64 runs no vectors, no qemu-aarch64"
  fi
}

target_android_arm64() {
  local compiler="${ANDROID_NDK_HOME:-}/toolchains/llvm/prebuilt/linux-x86_64/bin/aarch64-linux-android28-clang" library="$1/libsolidus.so"
  cd "$SOLIDUS_ROOT/prover-native" || exit
  if [ -x "$compiler" ]; then
    GOOS=android GOARCH=arm64 CGO_ENABLED=1 CC=$compiler CGO_CFLAGS="-O2 -I$JAVA_HOME/include -I$JAVA_HOME/include/linux" \
      "$GO" build -trimpath -buildvcs=false -tags jni -buildmode=c-shared -ldflags='-s -w -extldflags=-Wl,-z,max-page-size=16384' -o "$library" ./cabi/jni
    say "targets: $library"
  else
    GOOS=android GOARCH=arm64 CGO_ENABLED=0 "$GO" build ./cabi ./suite ./keys
    echo "SKIPPED: android-arm64 is compiled and not linked, no NDK in ANDROID_NDK_HOME"
  fi
}

# wasm_module FILE: builds the library as a WebAssembly module
wasm_module() {
  (cd "$SOLIDUS_ROOT/prover-native" \
    && GOOS=wasip1 GOARCH=wasm "$GO" build -trimpath -buildvcs=false -buildmode=c-shared -ldflags='-s -w' -o "$1" ./cabi/wasm)
}

target_wasm() {
  wasm_module "$1/solidus.wasm"
  say "targets: $1/solidus.wasm"
  if command -v node >/dev/null; then
    SOLIDUS_WASM=$1/solidus.wasm node --test "$SOLIDUS_ROOT/prover-native/cabi/wasm/wallet.test.mjs"
    target_tests js wasm "$("$GO" env GOROOT)/lib/wasm/go_js_wasm_exec"
  else
    echo "SKIPPED: wasm runs no vectors, no Node.js"
  fi
}

command_targets() {
  local target folder
  [ $# -gt 0 ] || set -- "${TARGETS[@]}"
  for target in "$@"; do
    case " ${TARGETS[*]} " in *" $target "*) ;; *) usage_error "targets takes ${TARGETS[*]}, and got '$target'" ;; esac
  done
  use_java
  use_go
  for target in "$@"; do
    folder="$SOLIDUS_ROOT/prover-native/target/targets/$target"
    mkdir -p "$folder"
    (target_"${target//-/_}" "$folder")
  done
}
