#!/usr/bin/env bash
# ./solidus chaos: the fault suite. Sourced by the launcher; needs tools.sh, build.sh and commands.sh.

# command_chaos [--seed S] [--seconds N|--rounds N|--kills N] [--overlap N] [--faults A,B] [--json FILE] ...: see --help
# from jars alone: the archive of classes that --kills makes takes no folders
command_chaos() {
  build_loadtest loadtest/chaos "the fault suite" services/dev/sandbox-kafka
  use_java
  mapfile -t options < <(java_options)
  local jars=("$SOLIDUS_ROOT"/loadtest/chaos/target/solidus-chaos-*.jar)
  exec "$JAVA_HOME/bin/java" -Xmx1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${options[@]}" \
    -cp "${jars[0]}:$SOLIDUS_ROOT/loadtest/chaos/target/lib/*" \
    io.solidus.loadtest.chaos.run.ChaosMain --kafka-lib "$SOLIDUS_ROOT/services/dev/sandbox-kafka/target/lib" "$@"
}
