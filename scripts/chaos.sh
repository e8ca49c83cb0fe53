#!/usr/bin/env bash
# ./solidus chaos: the fault suite. Sourced by the launcher; needs tools.sh, build.sh and commands.sh.

CHAOS_STAMP="$SOLIDUS_ROOT/loadtest/chaos/target/.built"

# One digest over everything that goes into the fault suite.
chaos_digest() {
  (source_digest; cd "$SOLIDUS_ROOT" && find loadtest -name target -prune -o -type f \
      \( -name '*.java' -o -name '*.xml' -o -name '*.sh' \) -not -path '*/src/test/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -d' ' -f1
}

build_chaos() {
  if [ -f "$CHAOS_STAMP" ] && [ "$(cat "$CHAOS_STAMP")" = "$(chaos_digest)" ]; then return 0; fi
  use_tools
  say "solidus: building the fault suite (the first time takes some minutes) ..."
  local log="$SOLIDUS_HOME/build-chaos.log"
  mkdir -p "$SOLIDUS_HOME"
  (
    flock 8
    cd "$SOLIDUS_ROOT"
    show_progress "$log" "$MAVEN" -B -ntp -DskipTests -T1 -pl loadtest/chaos -am package
    chaos_digest >"$CHAOS_STAMP"
  ) 8>"$SOLIDUS_HOME/build.lock" || fail "the build failed; its log is $log"
}

# command_chaos [--seed S] [--seconds N] [--faults A,B] [--json FILE] ...: see --help
command_chaos() {
  build_chaos
  use_java
  mapfile -t options < <(java_options)
  exec "$JAVA_HOME/bin/java" -Xmx700m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${options[@]}" \
    -cp "$SOLIDUS_ROOT/loadtest/chaos/target/classes:$SOLIDUS_ROOT/loadtest/chaos/target/lib/*" io.solidus.chaos.ChaosMain "$@"
}
