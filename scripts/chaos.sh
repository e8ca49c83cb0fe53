# ./solidus chaos and ./solidus drill: the fault suite, restores, upgrades and changes of keys.

# chaos_java MAIN ARGUMENT...: the class path has jars alone, because the class archive that --kills makes accepts no folders
chaos_java() {
  local jars=("$SOLIDUS_ROOT"/loadtest/chaos/target/solidus-chaos-*.jar)
  run_java -Xmx1g -XX:TieredStopAtLevel=1 -cp "${jars[0]}:$SOLIDUS_ROOT/loadtest/chaos/target/lib/*" "$@"
}

command_chaos() {
  build_loadtest loadtest/chaos "the fault suite" services/dev/sandbox-kafka
  chaos_java io.solidus.loadtest.chaos.run.ChaosMain --kafka-lib "$SOLIDUS_ROOT/services/dev/sandbox-kafka/target/lib" "$@"
}

# installed_postgres -> the newest PostgreSQL installation of this machine that has pg_dump, or nothing
installed_postgres() {
  local found
  found=$(printf '%s\n' /usr/lib/postgresql/*/bin/pg_dump /usr/pgsql-*/bin/pg_dump | sort -V | while read -r dump; do
    if [ -x "$dump" ] && [ -x "${dump%pg_dump}initdb" ]; then echo "${dump%/bin/pg_dump}"; fi
  done)
  tail -n 1 <<<"$found"
}

command_drill() {
  local postgres
  if [ $# -eq 0 ]; then set -- --help; fi
  build_loadtest loadtest/chaos "the fault suite" services/dev/sandbox-kafka
  if [ "$1" = restore ] && [[ " $* " != *" --postgres"* ]]; then
    postgres=$(installed_postgres)
    if [ -n "$postgres" ]; then set -- "$@" --postgres "$postgres"; fi
  fi
  chaos_java io.solidus.loadtest.chaos.drill.DrillMain "$@"
}
