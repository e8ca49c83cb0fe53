#!/usr/bin/env bash
# ./solidus ceremony: key ceremonies. Sourced by the launcher; needs tools.sh.

CEREMONY="$SOLIDUS_ROOT/prover-native/target/bin/solidus-ceremony"
CEREMONY_STAMP="$CEREMONY.built"

# One digest over what the program is built from, the compiler included.
ceremony_digest() {
  (cd "$SOLIDUS_ROOT/prover-native" && "$GO" env GOVERSION GOOS GOARCH && \
    find . -name target -prune -o -type f \( -name '*.go' -o -name 'go.mod' -o -name 'go.sum' \) -not -name '*_test.go' -print0 | LC_ALL=C sort -z |
    xargs -0 sha256sum) | sha256sum | cut -d' ' -f1
}

# The program is built without cgo and with trimmed paths, so that two participants with the same compiler and sources get the
# same bytes and can compare their digests.
build_ceremony() {
  GO=$(find_go) || fail "no Go 1.$MINIMUM_GO_MINOR or later found (./solidus doctor tells more)"
  local digest
  digest=$(ceremony_digest)
  if [ -x "$CEREMONY" ] && [ "$(cat "$CEREMONY_STAMP" 2>/dev/null)" = "$digest" ]; then return 0; fi
  say "solidus: building the ceremony program"
  mkdir -p "$(dirname "$CEREMONY")"
  (cd "$SOLIDUS_ROOT/prover-native" && CGO_ENABLED=0 "$GO" build -trimpath -buildvcs=false -o "$CEREMONY" ./cmd/solidus-ceremony) ||
    fail "the ceremony program does not build"
  echo "$digest" >"$CEREMONY_STAMP"
}

# ceremony_custody token-key|wrap|rewrap|unwrap|unwrap-check ...: a share into a token's custody, see docs/how-to/keep-keys-in-a-token.md. It talks to
# the token as the signer will, through the JDK.
ceremony_custody() {
  local custody="$SOLIDUS_ROOT/services/authority/custody"
  build_once "$custody/target/.built" source_digest build-custody "the custody command" services/authority/custody
  use_java
  mapfile -t options < <(java_options)
  exec "$JAVA_HOME/bin/java" -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${options[@]}" \
    -cp "$custody/target/classes:$custody/target/lib/*" io.solidus.authority.custody.CustodyCommand "$@"
}

# command_ceremony key|setup|committee|refresh|recover|rehearse|token-key|wrap|rewrap|unwrap|unwrap-check ...: see docs/how-to/run-a-ceremony.md
command_ceremony() {
  if [ $# -eq 0 ] || wants_help "$@"; then
    help_of ceremony
    [ $# -gt 0 ] || exit 64
    return 0
  fi
  case "${1:-}" in token-key|wrap|rewrap|unwrap|unwrap-check) ceremony_custody "$@" ;; esac
  build_ceremony
  if [ "${1:-}" = digest ]; then
    sha256sum "$CEREMONY" | cut -d' ' -f1
    return 0
  fi
  exec "$CEREMONY" "$@"
}
