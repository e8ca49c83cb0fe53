# ./solidus ceremony: key ceremonies, and a key share in a PKCS#11 token's custody.

CEREMONY="$SOLIDUS_ROOT/prover-native/target/bin/solidus-ceremony"

# of the sources and the compiler
ceremony_digest() { echo "$("$GO" env GOVERSION GOOS GOARCH | paste -sd' ') $(digest_of prover-native)"; }

# The program is built without cgo and with trimmed paths. Participants with the same compiler and sources therefore get the
# same bytes, and compare their digests.
build_ceremony() {
  use_go
  if [ -x "$CEREMONY" ] && is_built "$CEREMONY.built" ceremony_digest; then return 0; fi
  say "solidus: building the ceremony program"
  mkdir -p "$(dirname "$CEREMONY")"
  (cd "$SOLIDUS_ROOT/prover-native" && CGO_ENABLED=0 "$GO" build -trimpath -buildvcs=false -o "$CEREMONY" ./cmd/solidus-ceremony) \
    || fail "the ceremony program does not build"
  ceremony_digest >"$CEREMONY.built"
}

# ceremony_custody COMMAND...: see docs/how-to/keep-keys-in-a-token.md. It uses the token as the signer does, through the JDK.
ceremony_custody() {
  local custody="$SOLIDUS_ROOT/services/authority/custody"
  build_once "$custody/target/.built" platform_digest build-custody "the custody command" -pl services/authority/custody -am package
  run_java -Xmx256m -XX:TieredStopAtLevel=1 -cp "$custody/target/classes:$custody/target/lib/*" io.solidus.authority.custody.CustodyCommand "$@"
}

# see docs/how-to/run-a-ceremony.md
command_ceremony() {
  case "${1:-}" in
    "")
      help_of ceremony
      exit 64
      ;;
    token-key | wrap | rewrap | unwrap | unwrap-check) ceremony_custody "$@" ;;
  esac
  build_ceremony
  if [ "$1" = digest ]; then
    sha256sum "$CEREMONY" | cut -d' ' -f1
  else
    exec "$CEREMONY" "$@"
  fi
}
