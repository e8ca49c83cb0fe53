# Third-party notices: THIRD-PARTY-NOTICES.md from what the build resolves. Sourced by the launcher; needs tools.sh and images.sh.

notices_help() {
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
    check) shift; no_arguments "notices check" "$@"; notices_check ;;
    -h|--help) notices_help ;;
    *) usage_error "notices takes nothing or check, and got '$1'" ;;
  esac
}

notices_make() {
  use_tools
  (
    flock 8
    cd "$SOLIDUS_ROOT"
    show_progress "$SOLIDUS_HOME/build-notices.log" "$MAVEN" -B -ntp -DskipTests -T1 package \
      "org.cyclonedx:cyclonedx-maven-plugin:$IMAGES_CYCLONEDX:makeBom" -DoutputFormat=json -DoutputName=notices-sbom \
      -DincludeTestScope=false -DincludeProvidedScope=false
  ) 8>"$SOLIDUS_HOME/build.lock" || fail "the build failed; its log is $SOLIDUS_HOME/build-notices.log"
  images_tool notices --go "$GO"
}

notices_check() {
  images_tool check-notices || return 1
  say "notices: every declared dependency is in THIRD-PARTY-NOTICES.md, under a licence of the list"
}
