# ./solidus test and ./solidus mvn

help_test() {
  cat <<'HELP'
usage: ./solidus test [--fast|--long] [-- MAVEN OPTION...]
       ./solidus test MODULE [CLASS|PACKAGE] [--fast|--long] [-- MAVEN OPTION...]

  Without MODULE: compiles all, then every check of ./solidus check, then all Java tests, and beside them those of Go.
  MODULE is a module's folder, by its name or path: builds what it needs and runs its tests alone.

  ./solidus test spend                               the tests of services/authority/spend
  ./solidus test gateway MailboxTest                 one class; MailboxTest#method is one method
  ./solidus test gateway io.solidus.edge.gateway.load    one package
  ./solidus test prover-native ./suite/...           Go packages; java is prover-native/java, images is tools/images

  --fast   leaves out the tests that start processes (JUnit tag `process`) and Go tests that take long (go test -short)
  --long   runs the tests too that take minutes and whose subject has a shorter one (JUnit tag `long`); so does the name of a class

CI=1: generated code is made anew, known vulnerabilities are looked for, and what was skipped is listed at the end.
HELP
}

# modules -> the folders of all modules
modules() {
  sed -n 's|.*<module>\(.*\)</module>.*|\1|p' "$SOLIDUS_ROOT/pom.xml"
  printf '%s\n' prover-native tools/images
}

# module_folder MODULE -> its folder
module_folder() {
  modules | awk -v name="${1%/}" '$0 == name || substr($0, length($0) - length(name)) == "/" name {print; found = 1} END {exit !found}' \
    || usage_error "there is no module '$1'; the modules are: $(modules | sed 's|.*/||' | sort | paste -sd' ')"
}

# test_pattern FOLDER NAME -> Maven's pattern for a class, Class#method or package of the module's tests
test_pattern() {
  local class=${2%%#*} sources="$SOLIDUS_ROOT/$1/src/test/java"
  if [ -d "$sources/${2//.//}" ]; then
    echo "${2//.//}/**"
  elif [ -n "$(find "$sources" -path "*/${class//.//}.java" -print -quit)" ]; then
    echo "$2"
  else
    usage_error "$1 has no test class or package '$2'"
  fi
}

# one_module FOLDER ARGUMENT...: Maven on a module and what it needs; the profile `one-module` of the root POM skips the tests of every other
# module
one_module() {
  local selected status=0
  selected=$(mktemp -d)
  mkdir -p "$selected$SOLIDUS_ROOT/$1"
  maven -pl "$1" -am "-Dsolidus.selected=$selected" "${@:2}" || status=$?
  rm -r "$selected"
  return "$status"
}

# test_java_module FOLDER PATTERN OPTION...
test_java_module() {
  local pattern=''
  [ -z "$2" ] || pattern=$(test_pattern "$1" "$2")
  one_module "$1" ${pattern:+"-Dtest=$pattern"} "${@:3}" test
}

# test_go FOLDER ARGUMENT...: the tests of a Go module; with CI=1, test_all gets the names of skipped ones
test_go() (
  cd "$SOLIDUS_ROOT/$1" || exit
  shift
  "$GO" vet ./...
  if [ -n "${CI:-}" ] && [ -n "${SKIPPED:-}" ]; then
    "$GO" test -v -timeout 40m "$@" | tee -a "$SKIPPED.go" | sed -E '/^(=== (RUN|PAUSE|CONT|NAME)|\s*--- PASS)/d'
  else
    "$GO" test -timeout 40m "$@"
  fi
)

# skipped_tests -> the tests since the file $SKIPPED was made that were skipped. A class whose @BeforeAll found no tool has a report of no test.
skipped_tests() {
  # shellcheck disable=SC2154 # of command_test
  [ "${TAGS[*]}" = "$EVERY_TAG" ] || find "$SOLIDUS_ROOT" -path '*/src/test/java/*.java' -exec sed -n '/^@Tag("long")/F' {} + \
    | sed 's|.*/\(.*\).java|  \1: LEFT OUT, takes minutes (--long)|'
  sed -n 's/^ *--- SKIP: \([^ ]*\).*/  \1: SKIPPED/p' "$SKIPPED.go"
  find "$SOLIDUS_ROOT" -path '*/surefire-reports/TEST-*.xml' -newer "$SKIPPED" -exec awk '
    function attribute(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
    /<testsuite / && attribute("tests") == 0 { print "  " attribute("name") ": SKIPPED, all its tests" }
    /<testcase / { test = attribute("classname") "." attribute("name") }
    /<skipped/ { print "  " test ": SKIPPED, " attribute("message") }' {} +
}

# test_all_go: the tests of both Go modules, with their output in $SKIPPED.log and the exit status in $SKIPPED.status. They take the time that
# checks and Java leave.
test_all_go() {
  renice -n 10 "$BASHPID" >/dev/null 2>&1 || true
  # not `||`, because `set -e` has no effect to its left
  set +e
  (
    set -e
    test_go prover-native "${FAST_GO[@]}" ./...
    test_go tools/images "${FAST_GO[@]}" ./...
  ) >"$SKIPPED.log" 2>&1 </dev/null
  echo $? >"$SKIPPED.status"
}

# require_go: fails when the tests of Go have failed
require_go() {
  [ "$(cat "$SKIPPED.status")" = 0 ] && return
  cat "$SKIPPED.log" >&2
  fail "the tests of Go failed"
}

test_all() {
  SKIPPED=$(mktemp)
  touch "$SKIPPED.go"
  say "solidus: all modules are compiled, and beside it the tests of Go run"
  # a process group of its own, which this trap ends, and later that of run_steps
  set -m
  # shellcheck disable=SC2154 # the trap sets job
  trap 'for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || true; done' EXIT
  test_all_go &
  GO_TESTS=$!
  set +m
  # before the checks, because one of them tries guards of the compiled tree; and as far as jars, because a jar that is made later makes
  # Maven compile again what depends on it
  maven package -q -DskipTests "$@" -T 2
  say "solidus: checks"
  command_check
  [ ! -s "$SKIPPED.status" ] || require_go
  say "solidus: Java"
  use_chromium
  use_web_wallet || true
  # two modules at a time, because many tests wait for a process; a module's tests that hang fail after 40 minutes
  maven verify -Dsurefire.timeout=2400 "$@" -T 2
  say "solidus: Go"
  wait "$GO_TESTS" || true
  require_go
  cat "$SKIPPED.log" >&2
  say "solidus: all checks and tests passed; these were skipped:"
  printf '%s\n' "${CHECK_SKIPPED:-  no check}" "$(skipped_tests)" >&2
  rm -f "$SKIPPED" "$SKIPPED".*
}

command_test() {
  local module='' selection='' folder TAGS=() FAST_GO=() EVERY_TAG=-DexcludedGroups=
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case "$1" in
      --fast) TAGS=(-DexcludedGroups=process) FAST_GO=(-short) ;;
      --long) TAGS=("$EVERY_TAG") ;;
      -*) usage_error "test has no option '$1'; Maven's options go after --" ;;
      *)
        if [ -z "$module" ]; then module=$1; elif [ -z "$selection" ]; then selection=$1; else usage_error "test takes a module and one class or package"; fi
        ;;
    esac
    shift
  done
  [ $# -eq 0 ] || shift
  if [ -z "$module" ]; then
    use_tools
    test_all "${TAGS[@]}" "$@"
    return
  fi
  folder=$(module_folder "$module")
  if [ -n "$selection" ] && [ ${#TAGS[@]} = 0 ]; then TAGS=("$EVERY_TAG"); fi
  use_tools
  case "$folder" in
    prover-native | tools/images) test_go "$folder" "${FAST_GO[@]}" "${selection:-./...}" ;;
    services/dev/acceptance)
      use_second_wallet || true
      use_web_wallet || true # the story runs the WebAssembly module that comes with it
      test_java_module "$folder" "$selection" "${TAGS[@]}" "$@"
      ;;
    services/dev/browser) use_chromium && { use_web_wallet || true; } && test_java_module "$folder" "$selection" "${TAGS[@]}" "$@" ;;
    *) test_java_module "$folder" "$selection" "${TAGS[@]}" "$@" ;;
  esac
}

command_mvn() {
  use_tools
  maven "$@"
}
