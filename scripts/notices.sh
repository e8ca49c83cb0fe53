# ./solidus notices: THIRD-PARTY-NOTICES.md from what the build resolves.

help_notices() {
  cat <<'HELP'
usage: ./solidus notices [check]

  notices          writes THIRD-PARTY-NOTICES.md anew from what Maven and Go resolve (minutes: all modules are packaged); fails when a
                   licence is not on the list in tools/images/notices/licence.go
  notices check    holds it against what poms, go.mod and base.lock declare, without building and without a network
HELP
}

command_notices() {
  case "${1:-}" in
    "") notices_make ;;
    check) no_arguments "notices check" "${@:2}" && notices_check ;;
    *) usage_error "notices takes nothing or check, and got '$1'" ;;
  esac
}

notices_make() {
  use_go
  build_once "$SOLIDUS_ROOT/target/.notices-built" loadtest_digest build-notices "all modules" package "${CYCLONEDX[@]}" -DoutputName=notices-sbom
  images_tool notices --go "$GO"
}

notices_check() {
  images_tool check-notices
  say "notices: every declared dependency is in THIRD-PARTY-NOTICES.md, under a licence of the list"
}
