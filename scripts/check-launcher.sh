#!/usr/bin/env bash
# Calls every command of ./solidus with stand-ins for the JDK, Go, Maven and the programs they make, in a copy of the tree's outline. It
# tests what the launcher does with arguments, and what it runs. It builds nothing. The stand-ins refuse a main class, an option, a
# module, a test or a folder that the sources do not have. CommandLineTest, WalletCliTest and TestUsage test that the programs
# themselves answer --help and refuse unknown options. The last part tests the digest that decides what is rebuilt.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
COPY="$WORK/tree with a space"
CALLS="$WORK/calls"
FAILURES=0 CASES=0
export ROOT COPY CALLS

# The outline links to the sources, so that searches are quick and every written file stays in the copy.
outline() {
  local module part
  mkdir -p "$COPY/scripts"
  cp -r "$ROOT/solidus" "$ROOT/pom.xml" "$ROOT/THIRD-PARTY-NOTICES.md" "$COPY"
  cp "$ROOT"/scripts/* "$COPY/scripts"
  mkdir -p "$COPY/tools/images" && cp "$ROOT"/tools/images/*.sh "$ROOT"/tools/images/*.go "$COPY/tools/images"
  for module in prover-native prover-native/java "$ROOT"/services/*/*/pom.xml "$ROOT"/loadtest/*/pom.xml; do
    module=${module%/pom.xml}
    module=${module#"$ROOT/"}
    mkdir -p "$COPY/$module/target"
    for part in src pom.xml cmd go.mod hash suite cabi jubjub vectors; do
      [ ! -e "$ROOT/$module/$part" ] || ln -s "$ROOT/$module/$part" "$COPY/$module/$part"
    done
  done
  for part in web/{build.mjs,package-lock.json,src,static} typescript/{package-lock.json,src}; do
    mkdir -p "$COPY/services/wallet/${part%%/*}"
    ln -s "$ROOT/services/wallet/$part" "$COPY/services/wallet/$part"
  done
  ln -s "$ROOT/loadtest/k6" "$COPY/loadtest/k6"
  ln -s "$ROOT/docs" "$COPY/docs"
}

# stand_in PATH: an executable out of standard input, which can note its call and refuse
stand_in() {
  mkdir -p "$(dirname "$1")"
  {
    cat <<'SHELL'
#!/usr/bin/env bash
set -euo pipefail
note() { printf '%s' "${0##*/}" >>"$CALLS"; printf ' %s' "$@" >>"$CALLS"; echo >>"$CALLS"; }
refuse() { echo "stand-in ${0##*/}: $*" >&2; exit 99; }
SHELL
    cat
  } >"$1"
  chmod +x "$1"
}

stand_ins() {
  mkdir -p "$WORK/jdk/include" && touch "$WORK/jdk/include/jni.h"
  stand_in "$WORK/jdk/bin/javac" <<<'echo "javac 25.0.1"'
  stand_in "$WORK/jdk/bin/java" <<'SHELL'
main='' path=''
while [ $# -gt 0 ] && [ -z "$main" ]; do
  case "$1" in
    -cp) path=$2; shift 2 ;;
    -*) shift ;;
    *) main=$1; shift ;;
  esac
done
[ -n "$main" ] || refuse "there is no main class"
note "$main" "$@"
if [[ "$main" = *.java ]]; then
  [ -f "$main" ] || refuse "$main is not there"
else
  { compgen -G "$ROOT/*/*/src/main/java/${main//.//}.java" || compgen -G "$ROOT/*/*/*/src/main/java/${main//.//}.java"; } >/dev/null || refuse "no module has $main"
fi
IFS=: read -ra places <<<"$path"
for place in "${places[@]}"; do
  [ -f "${place%%/target/*}/pom.xml" ] || refuse "$place is in no module"
done
for argument in "$@"; do
  case "$argument" in
    --|--help|--no-such-option) ;;
    --*) grep -rqF --include='*.java' "\"$argument\"" "$ROOT"/services/*/*/src/main "$ROOT"/loadtest/*/src/main || refuse "no program takes $argument" ;;
  esac
done
# the folder of the load-test keys
if [ "$main ${1:-}" = "io.solidus.loadtest.driver.LoadMain keys" ]; then echo "/keys"; fi
SHELL
  # shellcheck disable=SC2016 # the stand-in expands them
  stand_in "$WORK/bin/program" <<<'note "$@"; [ "${1:-}" != version ] || echo "k6 v0 stand-in"'
  stand_in "$WORK/bin/go" <<'SHELL'
case "$1" in
  env) [ $# -gt 2 ] || case "$2" in GOVERSION) echo go1.26.0 ;; *) echo "$WORK/go" ;; esac ;;
  build)
    [ -d "${!#}" ] || refuse "there is no ${!#} in $PWD"
    while [ "$1" != -o ]; do shift; done
    mkdir -p "$(dirname "$2")"
    cp "$(dirname "$0")/program" "$2" ;;
  install)
    name=${!#}
    name=${name%@*}
    mkdir -p "$GOBIN"
    cp "$(dirname "$0")/program" "$GOBIN/${name##*/}"
    ;;
  run) [ -f main.go ] || refuse "no program in $PWD"; echo "wallet services/wallet/cli" ;;
  test | vet) note "$@" ;;
  *) refuse "$*" ;;
esac
SHELL
  stand_in "$HOME_OF_TOOLS/tools/apache-maven-$MAVEN_VERSION/bin/mvn" <<'SHELL'
note "$@"
[ -f pom.xml ] || refuse "no pom.xml in $PWD"
while [ $# -gt 0 ]; do
  case "$1" in
    -pl) for module in ${2//,/ }; do [ -f "$module/pom.xml" ] || refuse "there is no module $module"; done; shift ;;
    -Dtest=*)
      tests=${1#-Dtest=}
      for test in ${tests//,/ }; do
        test=${test%%#*}
        [[ "$test" = */* || -n "$(find "$ROOT"/services/*/*/src/test "$ROOT"/loadtest/*/src/test -name "$test.java")" ]] || refuse "there is no test $test"
      done
      ;;
  esac
  shift
done
echo built
SHELL
  stand_in "$WORK/bin/git" <<<'case " $* " in *" rev-parse "*) echo 0123456789abcdef0123456789abcdef01234567 ;; *" log "*) echo 1700000000 ;; *" ls-files -z "*) find -L services/lib -name "*.proto" -print0 ;; esac'
  stand_in "$WORK/bin/psql" <<<'note "$@"; [[ "$*" != *"-f -" ]] || cat >/dev/null'
  stand_in "$WORK/bin/node" <<<':'
  stand_in "$WORK/bin/npm" <<'SHELL'
note "$@"
case "$1" in ci) mkdir -p node_modules ;; run) mkdir -p dist/page ;; *) refuse "$*" ;; esac
SHELL
  stand_in "$WORK/bin/cc" <<<':'
  stand_in "$WORK/bin/dpkg-deb" <<<':'
}

wrong() {
  FAILURES=$((FAILURES + 1))
  printf 'launcher: ./solidus %s: %s\n%s\n' "$LINE" "$1" "$SAID" | sed '2,$s/^/    /' >&2
}

# solidus STATUS TEXT [ARGUMENT...]: runs the launcher; its exit status must be one of STATUS, and its output or its calls must contain
# TEXT
solidus() {
  local wanted=$1 text=$2 status=0
  shift 2
  LINE="$*" CASES=$((CASES + 1))
  TRIED="${TRIED:-} ${1:-help}"
  : >"$CALLS"
  SAID=$(cd "$WORK" && env -i PATH="$WORK/bin:/usr/bin:/bin:/usr/sbin:/sbin" HOME="$WORK/home" JAVA_HOME="$WORK/jdk" SOLIDUS_HOME="$HOME_OF_TOOLS" \
    SOLIDUS_DATA="$WORK/data" ROOT="$ROOT" CALLS="$CALLS" WORK="$WORK" "$COPY/solidus" "$@" 2>&1 </dev/null) || status=$?
  SAID+=$'\n'$(cat "$CALLS")
  [[ "$status" =~ ^($wanted)$ ]] || wrong "exit status $status and not $wanted"
  [[ "$SAID" = *"$text"* ]] || wrong "it does not say '$text'"
  if grep -qE "unbound variable|command not found|No such file|syntax error|parameter null|stand-in " <<<"$SAID"; then wrong "an error inside the launcher"; fi
}

# passes TEXT ARGUMENT...: the launcher succeeds, and its output or its calls contain TEXT
passes() { solidus 0 "$@"; }

# refuses WORD ARGUMENT...: the launcher prints an error with WORD and runs nothing
refuses() {
  local word=$1
  shift
  solidus 64 "$word" "$@"
  [ ! -s "$CALLS" ] || wrong "it ran something before it looked at its arguments"
}

platform() {
  local sandbox="--data $WORK/data/sandbox --keys $HOME_OF_TOOLS/keys/solidus-dev-4 --kafka-lib $COPY/services/dev/sandbox-kafka/target/lib"
  passes "SandboxMain up $sandbox --web-wallet $COPY/services/wallet/web/dist/page" up
  [[ "$SAID" = *"npm ci --ignore-scripts"*"npm run --silent build"* ]] || wrong "it serves a web wallet that it did not build"
  passes "SandboxMain up $sandbox --web-wallet" up
  [[ "$SAID" != *npm* ]] || wrong "it builds the web wallet again"
  passes "SandboxMain up $sandbox --no-such-option" up --no-such-option
  passes "SandboxMain up $sandbox --private-queries --web-wallet" up --private-queries
  passes "SandboxMain demo $sandbox --json f" demo --json f
  passes "SandboxMain demo $sandbox --unregulated" demo --unregulated
  passes "SandboxMain token $sandbox --sub x --role y" token --sub x --role y
  passes "SandboxMain token $sandbox --sub x --role y --bank second" token --sub x --role y --bank second
  passes "SandboxMain operator cases $sandbox" operator cases
  passes "SandboxMain operator cases $sandbox --help" operator cases --help
  passes "ApproveMain --help" approve --help
  passes "ApproveMain waiting --token-file f" approve waiting --token-file f
  passes "ApproveMain mint M --funding F --value 1" approve mint M --funding F --value 1
  passes "WalletMain --help" wallet --help
  passes "WalletMain pay a 1" wallet pay a 1
  refuses "''" operator
  refuses "'nothing'" operator nothing
  while read -r action; do
    passes "SandboxMain operator $action" operator "$action"
  done < <(sed -nE 's/^  @Command\(name = "([a-z-]+)".*/\1/p' "$ROOT/services/dev/sandbox/src/main/java/io/solidus/dev/sandbox/cli/OperatorCommand.java")
  for command in up demo token operator build doctor test simulate example bench ceremony chaos drill; do
    case "$command" in chaos | drill) passes "--help" "$command" --help ;; *) passes "usage: ./solidus $command" "$command" --help ;; esac
  done
  mkdir -p "$WORK/data/sandbox"
  solidus 69 "there is no sandbox" example
  solidus 69 "there is no sandbox" cluster payment
  refuses "'x'" cluster payment x
  echo /dev-keys >"$WORK/data/sandbox/keys-dir"
  echo 1 >"$WORK/data/sandbox/sandbox.json"
  passes "WalletExample.java $COPY/solidus /dev-keys http://127.0.0.1:8080" example
  refuses "'x'" example x
  passes "" build
  refuses "'--no-such-option'" build --no-such-option
  solidus '0|1' "built    yes" doctor
  for tool in Python k6 promtool golangci-lint SoftHSM2 helm Terraform tflint etcd openssl PostgreSQL dpkg-deb podman runc; do
    grep -qE "^  (ok|without) +$tool " <<<"$SAID" || wrong "says nothing of $tool"
  done
  [[ "$SAID" = *"without  k6             for load run, check k6: "* ]] || wrong "load run does not need k6"
  refuses "'--no-such-option'" doctor --no-such-option
}

checks_and_tests() {
  passes "notices" check --list
  refuses "'nothing'" check nothing
  passes "ok           notices" check notices
  refuses "'x'" format x
  refuses "the modules are: acceptance" test nothing
  refuses "'--no-such-option'" test spend --no-such-option
  refuses "takes a module" test spend x y
  solidus 64 "'NoSuchTest'" test spend NoSuchTest
  passes "mvn -B -ntp -pl services/authority/spend -am -Dsolidus.selected=" test spend
  passes "-DexcludedGroups=process -Dx=y test" test services/authority/spend --fast -- -Dx=y
  passes "-Dtest=MailboxTest#x -DexcludedGroups= test" test gateway 'MailboxTest#x'
  passes "-Dtest=io/solidus/edge/gateway/load/** -DexcludedGroups= test" test gateway io.solidus.edge.gateway.load
  passes "-DexcludedGroups= test" test chaos --long
  passes "go test -timeout 40m -short ./suite/..." test prover-native ./suite/... --fast
  passes "go test -timeout 40m ./..." test images
  passes "-pl prover-native/java -am" test java
  passes "mvn -B -ntp -version" mvn -version
  passes "usage: ./solidus mutants" mutants --help
  refuses "'--no-such-option'" mutants --no-such-option
  refuses "--only lacks its value" mutants --only
  refuses "'gateway'" mutants --pit gateway
  passes "pitest-maven:mutationCoverage" mutants --pit spend
  solidus 1 "no guard and no circuit matches 'no such guard'" mutants --only 'no such guard'
  solidus 1 "nothing cannot be read" audit verify nothing
  solidus 1 "belong together" audit verify nothing --notes nothing
  passes "cores" size --per-day 2000000
  passes "bytes per transfer" bench growth 6400
  passes "full pages" bench growth spent 20000
}

# A step that is killed (kill 0 reaches its process group), or that skips without a reason, fails the check.
steps_without_result() {
  local step
  for step in 'kill -KILL 0' 'exit 77' false; do
    LINE="check with the step: $step" CASES=$((CASES + 1))
    # shellcheck disable=SC2016 # the inner shell expands them
    if SAID=$(STEP=$step bash -c 'set -euo pipefail; . "$1/scripts/check.sh"; check_steps() { echo "sample always - x"; }; step_sample() { eval "$STEP"; }; command_check' check "$ROOT" 2>&1); then
      wrong "a step without a result passes"
    elif [[ "$SAID" != *"check: 1 FAILED"* ]]; then
      wrong "the failed step is not counted"
    fi
  done
}

# A failure of Go's vet or tests, of a check or of Maven fails ./solidus test; what follows is not run. Java's tests do not wait for Go's.
failures_of_all_tests() {
  local ci broken
  for ci in '' 1; do
    for broken in vet test late compile check maven nothing; do
      LINE="CI=$ci test with a failure of: $broken" CASES=$((CASES + 1))
      rm -f "$WORK/java"
      # shellcheck disable=SC2016 # the inner shell expands them
      SAID=$(TMPDIR=$WORK CI=$ci BROKEN=$broken bash -c 'set -euo pipefail
        . "$1/scripts/tools.sh"; . "$1/scripts/test.sh"
        SOLIDUS_ROOT=$1 GO=go FAST_GO=()
        # Go that fails late does so when the tests of Java run
        go() {
          case "$BROKEN" in
            late) until [ -e "$TMPDIR/java" ]; do sleep 0.01; done; false ;;
            *) [ "$1" != "$BROKEN" ] ;;
          esac
        }
        command_check() { [ "$BROKEN" = late ] || wait; [ "$BROKEN" != check ]; }
        maven() {
          echo "maven $*"
          case "$BROKEN $1" in
            "compile package" | "maven verify") false ;;
            "late verify") touch "$TMPDIR/java" ;;
          esac
        }
        skipped_tests() { :; }
        use_chromium() { :; }
        use_web_wallet() { :; }
        test_all
        echo PASSED' all "$ROOT" 2>&1) || SAID+=" FAILED"
      case "$broken $SAID" in
        nothing*"maven package -q -DskipTests -T 2"*"maven verify -Dsurefire.timeout="*" -T 2"*PASSED) ;;
        compile*"maven package"*FAILED) [[ "$SAID" != *checks* && "$SAID" != *verify* ]] || wrong "checks or tests run all the same" ;;
        maven*"maven verify"*FAILED) ;;
        vet*"the tests of Go failed"*FAILED | test*"the tests of Go failed"*FAILED | check*FAILED) [[ "$SAID" != *"maven verify"* ]] || wrong "the tests of Java run all the same" ;;
        late*"maven verify"*"the tests of Go failed"*FAILED) ;;
        *) wrong "the result is wrong" ;;
      esac
    done
  done
}

measurements() {
  passes "solidus-bench prover --cache" bench prover --runs 1
  passes "solidus-bench shapes --cache" bench shapes --runs 1
  passes "solidus-bench verify --rounds 1" bench verify --rounds 1
  passes "BenchMain validator --chart" bench validator --json f --plot f.svg
  [[ "$SAID" = *"solidus-bench plot --chart"* ]] || wrong "nothing was drawn"
  passes "--help" bench committee --help
  passes "BenchMain restart --chart" bench restart --json f
  passes "BenchMain mailbox --chart" bench mailbox --json f
  passes "BenchMain abuse --json f" bench abuse --json f
  passes "SpendStoreBenchmark" bench pieces
  passes "ScreeningBenchmark" bench screening --json f --data "$COPY"
  passes "RescreeningBenchmark" bench screening --rescreen 5 --data "$COPY"
  refuses "'--x'" bench screening --x y
  passes "solidus-bench device" bench device --runs 1
  passes "SandboxMain measure-wallet" bench wallet --json f
  refuses "'x'" targets x
  passes "usage: ./solidus targets" targets --help
  passes "solidus.wasm" targets wasm
  refuses "'x'" bench pieces x
  refuses "'nothing'" bench nothing
  refuses "''" bench
  passes "ChaosMain --kafka-lib $COPY/services/dev/sandbox-kafka/target/lib --seed 1" chaos --seed 1
  passes "DrillMain restore" drill restore
  passes "DrillMain upgrade --json f" drill upgrade --json f
  passes "DrillMain keys --json f" drill keys --json f
  passes "DrillMain --help" drill
  passes "seeds=10000" simulate
  passes "seed=5" simulate --seed 5
  refuses "simulate takes" simulate --seed
  refuses "simulate takes" simulate --no-such-option
  refuses "simulate takes" simulate 5 6
  passes "usage: ./solidus fuzz" fuzz --help
  passes "executions" fuzz --only go --seconds 1 --per-route 3 --target none
  solidus 64 "'--no-such-option'" fuzz --no-such-option 1
  solidus 64 "'--seconds'" fuzz --seconds
}

loads() {
  passes "usage: ./solidus load" load
  passes "usage: ./solidus load" load --help
  passes "usage: ./solidus load" load run --help
  passes "LoadMain run smoke --out" load run smoke
  [[ "$SAID" = *"--k6 $HOME_OF_TOOLS/tools/bin/k6-"* ]] || wrong "k6 is not named"
  passes "--tool gatling --seed 1" load run load --tool gatling --seed 1 --out "$WORK/report"
  refuses "'nothing'" load run nothing
  refuses "''" load run
  refuses "'wrk'" load run smoke --tool wrk
  refuses "--out" load run smoke --out
  passes "LoadMain forge --development-keys /dev-keys --count 1" load forge --count 1
  passes "LoadMain feed --dir d" load feed --dir d
  passes "LoadMain feed --help" load feed --help
  passes "SandboxMain up --load-test --data $WORK/data/load-sandbox --keys /keys" load sandbox
  passes "inspect" load check
  refuses "'x'" load check x
  refuses "'nothing'" load nothing
}

operators() {
  solidus 64 "usage: ./solidus ceremony" ceremony
  passes "solidus-ceremony rehearse --dir d" ceremony rehearse --dir d
  passes "" ceremony digest
  for command in token-key wrap rewrap unwrap unwrap-check; do passes "CustodyCommand $command --help" ceremony "$command" --help; done
  passes "usage: ./solidus cluster" cluster --help
  solidus 64 "usage: ./solidus cluster" cluster --no-such-option
  passes "usage: ./solidus images" images --help
  passes "tool build --root" images --out "$WORK/images" wallet
  passes "tool lock" images lock
  refuses "'--no-such-option'" images --no-such-option
  refuses "--out needs a folder" images --out
  refuses "'x'" images test x
  refuses "'x'" images reproduce x
  passes "-Dsolidus.api.update=true" api
  refuses "'x'" api x
  passes "usage: ./solidus notices" notices --help
  passes "check-notices" notices check
  passes "tool notices" notices
  refuses "'nothing'" notices nothing
  passes "usage: ./solidus release" release --help
  refuses "'1.2'" release 1.2
  refuses "'x'" release 1.2.3 x
}

# Every command of the launcher is in its help and was tried.
nothing_forgotten() {
  local command
  passes "usage: ./solidus COMMAND" help
  local help=$SAID
  passes "usage: ./solidus COMMAND"
  passes "usage: ./solidus COMMAND" --help
  refuses "'nothing'" nothing
  LINE=help SAID=
  while read -r command; do
    grep -qE "^  $command( |$)" <<<"$help" || wrong "$command is not in the help"
    [[ " $TRIED " = *" $command "* ]] || wrong "$command was not tried"
  done < <(sed -n 's/^command_\([a-z]*\)() .*/\1/p' "$ROOT"/scripts/*.sh | grep -v '^help$')
}

# changes yes|no COMMAND...: whether the digest of the tree in DIGESTED is another after the command
changes() {
  local wanted=$1 before after changed=no
  shift
  LINE="digest: $*" SAID='' CASES=$((CASES + 1))
  before=$(digest_of_copy)
  (cd "$DIGESTED" && "$@")
  after=$(digest_of_copy)
  [ "$before" = "$after" ] || changed=yes
  [ "$changed" = "$wanted" ] || wrong "the digest changes: $changed"
}

# shellcheck disable=SC2016 # the inner shell expands $1 and $@
digest_of_copy() {
  (cd / && bash -c '. "$1/scripts/tools.sh" && shift && digest_of "$@"' digest "$DIGESTED" "${DIGESTED_PATHS[@]}")
}

write() { mkdir -p "$(dirname "$1")" && echo x >>"$1"; }

# Every file that goes into a build changes the digest, whatever its name ends with; tests and build results do not. The same holds in a
# checkout and in a source archive.
digests() {
  local module=services/lib/platform main=services/lib/platform/src/main/resources
  DIGESTED="$WORK/a source tree" DIGESTED_PATHS=(pom.xml services prover-native)
  mkdir -p "$DIGESTED/$main" "$DIGESTED/prover-native" "$DIGESTED/scripts"
  cp "$ROOT"/scripts/{tools,versions}.sh "$DIGESTED/scripts"
  cp "$ROOT"/{pom.xml,.gitignore} "$DIGESTED"
  cp -r "$ROOT/$main/META-INF" "$DIGESTED/$main"
  (cd "$DIGESTED" && git init -q . && git add .)
  changes yes write "$main/META-INF/spring.factories"
  changes yes write "$main/new.json"
  changes yes write "$main/static/new page.html"
  changes yes write prover-native/new.bin
  changes yes rm "$main/META-INF/spring.factories"
  changes no write "$module/src/test/resources/new.json"
  changes no write prover-native/new_test.go
  changes no write "$module/target/classes/new.json"
  changes no write "$module/new.log"
  changes no write docs/new.md
  # git compares a pattern with what follows the folder that all paths share
  DIGESTED_PATHS=(prover-native/circuits/transfer prover-native/circuits/register)
  write "$DIGESTED/prover-native/circuits/transfer/circuit.go"
  (cd "$DIGESTED" && git add .)
  changes yes write prover-native/circuits/transfer/circuit.go
  changes yes write prover-native/circuits/register/circuit.go
  changes no write prover-native/circuits/register/circuit_test.go
  DIGESTED_PATHS=(pom.xml services prover-native)
  rm -rf "$DIGESTED/.git"
  changes yes write "$main/META-INF/spring.factories"
  changes yes write "$main/static/new page.html"
  changes yes rm "$main/new.json"
  changes no write "$module/src/test/resources/new.json"
  changes no write prover-native/new_test.go
  changes no write "$module/target/classes/new.json"
}

HOME_OF_TOOLS="$WORK/home of tools"
# shellcheck source=tools.sh
MAVEN_VERSION=$(. "$ROOT/scripts/tools.sh" && echo "$MAVEN_VERSION")
outline
stand_ins
platform
checks_and_tests
steps_without_result
failures_of_all_tests
measurements
loads
operators
nothing_forgotten
digests
[ "$FAILURES" = 0 ] || {
  echo "launcher: $FAILURES of $CASES cases went wrong" >&2
  exit 1
}
echo "launcher: $CASES cases, each as it should be"
