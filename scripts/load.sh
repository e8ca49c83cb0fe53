# ./solidus load: load tests of a whole platform.

help_load() {
  cat <<'HELP'
usage: ./solidus load run SCENARIO [--tool k6|gatling] [--url URL] [--rate R] [--seconds N] [--seed S] [--out DIR]
                                   [--pool DIR] [--keys DIR] [--proved]
       ./solidus load forge --count N --out DIR [--url URL] [--seed S] [--first I] [--keys DIR]
       ./solidus load forge --proved K --out DIR [--url URL] [--seed S] [--keys DIR]
       ./solidus load feed --dir DIR [--port P]
       ./solidus load sandbox
       ./solidus load check

  run      runs smoke, load, stress, soak or spike against the gateway at URL, or a sandbox on load-test keys that it starts, and leaves
           a folder with report.json, plots and the tool's own output
  forge    makes distinct valid transfers for a running platform: N with simulated proofs (load-test keys), or K with real ones
  feed     hands out a pool's transfers, each once, to a k6 that was started by hand
  sandbox  starts the platform on load-test keys and runs until Ctrl-C or SIGTERM
  check    whether k6 understands every scenario

SOLIDUS_ADMIN_TOKEN (./solidus token) lets Gatling's run load the admin API of the platform at URL too.
HELP
}

load_java() {
  local target="$SOLIDUS_ROOT/loadtest/gatling/target"
  (run_java -Xmx768m -cp "$target/classes:$target/lib/*" io.solidus.loadtest.driver.LoadMain "$@")
}

# The commit, and whether the tree differs from it
load_commit() {
  (cd "$SOLIDUS_ROOT" && printf '%s%s' "$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)" \
    "$([ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || echo ' with changes')")
}

# Draws the charts of a report folder.
load_plots() {
  local chart
  for chart in routes phases; do
    [ ! -f "$1/chart-$chart.json" ] || solidus_bench plot --chart "$1/chart-$chart.json" --out "$1/$chart.svg" >/dev/null
  done
}

load_run() {
  local scenario=${1:-} out='' tool=k6 k6 arguments=() status=0
  [ -f "$SOLIDUS_ROOT/loadtest/k6/$scenario.js" ] || usage_error "load run takes a scenario (smoke, load, stress, soak or spike), and got '$scenario'"
  shift
  while [ $# -gt 0 ]; do
    case "$1" in
      --out | --tool) [ $# -gt 1 ] || usage_error "$1 needs a value" ;;&
      --out) out=$2 && shift ;;
      --tool)
        [[ "$2" = k6 || "$2" = gatling ]] || usage_error "--tool takes k6 or gatling, and got '$2'"
        tool=$2
        arguments+=("$1" "$2")
        shift
        ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  out=${out:-"$SOLIDUS_DATA/load/$(date -u +%Y%m%dT%H%M%SZ)-$scenario"}
  mkdir -p "$out"
  out=$(cd "$out" && pwd)
  build_platform
  build_loadtest loadtest/gatling "the load test"
  if [ "$tool" = k6 ]; then
    k6=$(tool k6)
    arguments+=(--k6 "$k6" --k6-version "k6 $("$k6" version | cut -d" " -f2)")
  fi
  load_java run "$scenario" --out "$out" --root "$SOLIDUS_ROOT" --data "$SOLIDUS_DATA/load-sandbox-$$" \
    --development-keys "$(keys_dir)" --commit "$(load_commit)" "${arguments[@]}" || status=$?
  load_plots "$out"
  return "$status"
}

load_forge() {
  build_loadtest loadtest/gatling "the load test"
  local keys=()
  [ ! -f "$SOLIDUS_DATA/sandbox/keys-dir" ] || keys=(--development-keys "$(cat "$SOLIDUS_DATA/sandbox/keys-dir")")
  load_java forge "${keys[@]}" "$@"
}

load_sandbox() {
  build_platform
  build_loadtest loadtest/gatling "the load test"
  local keys
  keys=$(load_java keys)
  sandbox_java up --load-test --data "$SOLIDUS_DATA/load-sandbox" --keys "$keys" \
    --kafka-lib "$SOLIDUS_ROOT/services/dev/sandbox-kafka/target/lib" "$@"
}

load_check() {
  local scenario k6
  k6=$(tool k6)
  for scenario in "$SOLIDUS_ROOT"/loadtest/k6/*.js; do
    "$k6" inspect "$scenario" >/dev/null || fail "k6 does not understand $scenario"
    say "  ok  $(basename "$scenario" .js)"
  done
}

command_load() {
  local action=${1:-help}
  [ $# -eq 0 ] || shift
  # forge and feed print their program's help
  case " $action $* " in " run"*" --help "* | " run"*" -h "* | " sandbox --help "* | " sandbox -h "*) action=help ;; esac
  case "$action" in
    run) load_run "$@" ;;
    forge) load_forge "$@" ;;
    feed) build_loadtest loadtest/gatling "the load test" && load_java feed "$@" ;;
    sandbox) load_sandbox "$@" ;;
    check) no_arguments "load check" "$@" && load_check ;;
    help) help_load ;;
    *) usage_error "load has no action '$action'" ;;
  esac
}
