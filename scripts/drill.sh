#!/usr/bin/env bash
# ./solidus drill: restores and upgrades. Sourced by the launcher; needs tools.sh, build.sh and commands.sh.

# installed_postgres: the newest PostgreSQL installation of this machine that has pg_dump, or nothing
installed_postgres() {
  local found
  found=$(ls -d /usr/lib/postgresql/*/bin/pg_dump /usr/pgsql-*/bin/pg_dump 2>/dev/null | sort -V | tail -n 1)
  [ -n "$found" ] && [ -x "$(dirname "$found")/initdb" ] && dirname "$(dirname "$found")"
  return 0
}

# command_drill restore|upgrade [--seed S] [--json FILE] ...: see ./solidus drill restore --help
command_drill() {
  if [ $# -eq 0 ]; then set -- --help; fi
  build_loadtest loadtest/chaos "the fault suite" services/dev/sandbox-kafka
  use_java
  mapfile -t options < <(java_options)
  local jars=("$SOLIDUS_ROOT"/loadtest/chaos/target/solidus-chaos-*.jar) postgres
  if [ "$1" = restore ] && [[ " $* " != *" --postgres"* ]]; then
    postgres=$(installed_postgres)
    if [ -n "$postgres" ]; then set -- "$@" --postgres "$postgres"; fi
  fi
  exec "$JAVA_HOME/bin/java" -Xmx1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${options[@]}" \
    -cp "${jars[0]}:$SOLIDUS_ROOT/loadtest/chaos/target/lib/*" io.solidus.loadtest.chaos.drill.DrillMain "$@"
}
