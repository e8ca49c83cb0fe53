# ./solidus mutants: removes guards of the production code, and expects the tests to notice

help_mutants() {
  cat <<'HELP'
usage: ./solidus mutants [--only PATTERN] [--json FILE [--again]] [--deadline SECONDS]
       ./solidus mutants --pit spend|shard|signer

  Removes each guard of scripts/guards.toml from the source, one at a time, and runs the tests that have to notice. The tree is
  compiled, copied and never edited. Then the circuits' own mutation tests leave out each assertion.
  It fails when a mutant survives or does not compile. A test that runs too long has noticed its mutant. Logs are in target/mutants.

  --only PATTERN      only guards whose name contains or matches PATTERN; `circuit: ` names the circuits
  --few               only the guards that CI tries, and no circuit
  --json FILE         writes the result of each guard when it is known: which test noticed, at which commit. A guard in FILE is not tried
                      again while its entry, its source file and its test classes are the same; a circuit, while all Go code is
  --again             tries them all the same
  --deadline SECONDS  what a test may take with a mutant, besides ten times what it takes without (60)
  --pit MODULE        statement by statement with PIT, in the module's packages that keep money safe; the report is in
                      services/authority/MODULE/target/pit-reports
HELP
}

# mutants_console -> the path of JUnit's console launcher, in the version that the build uses; downloaded once
mutants_console() {
  local version path
  version=$(sed -n 's|.*/junit-platform-engine-\([0-9.]*\)\.jar.*|\1|p' "$SOLIDUS_ROOT/${1%%,*}/target/mutants.classpath")
  path="$SOLIDUS_HOME/tools/junit-platform-console-standalone-$version.jar"
  [ -f "$path" ] || maven -N -q dependency:copy -Dartifact="org.junit.platform:junit-platform-console-standalone:$version" \
    -DoutputDirectory="${path%/*}" >&2 || fail "JUnit's console launcher could not be downloaded"
  echo "$path"
}

mutants_list() { python3 "$SOLIDUS_ROOT/scripts/mutants.py" "$@"; }

command_mutants() {
  local options=() modules console='' pit='' all=("$@")
  while [ $# -gt 0 ]; do
    case "$1" in
      --again) ;;
      --few) options+=("$1") ;;
      --only | --json | --deadline | --pit)
        [ $# -gt 1 ] || usage_error "mutants: $1 lacks its value"
        case "$1" in --pit) pit=$2 ;; --only) options+=("$1" "$2") ;; esac
        shift
        ;;
      *) usage_error "mutants has no option '$1'" ;;
    esac
    shift
  done
  if [ -n "$pit" ]; then
    case "$pit" in spend | shard | signer) ;; *) usage_error "mutants: --pit takes spend, shard or signer, and got '$pit'" ;; esac
    mutants_pit "$pit"
    return
  fi
  modules=$(mutants_list modules "${options[@]}")
  use_tools
  if [ -n "$modules" ]; then
    say "solidus: compiling $modules"
    maven -q -pl "$modules" -am test-compile dependency:build-classpath -Dmdep.outputFile=target/mutants.classpath
    console=$(mutants_console "$modules")
  fi
  mutants_list run --console "$console" "${all[@]}"
}

# pit_of MODULE -> the classes that PIT mutates there, the tests that it runs, and those that it leaves out
pit_of() {
  local p=io.solidus.authority.$1
  case "$1" in
    spend) echo "$p.* $p.* $p.simulation.*" ;;
    shard) echo "$p.SerialStore*,$p.CoreStore*,$p.SqlSpendStore*,$p.RecoverStore*,$p.Stored*,$p.HolderRequests*,$p.Reservations*,$p.Ownership*,$p.DailyMintCap*,$p.WithdrawnMoney* $p.SqlSpendStoreTest,$p.RecoverStoreTest,$p.MoneyTotalsTest,$p.FenceTest none" ;;
    signer) echo "$p.FinishRule*,$p.*Checker*,$p.SigningShares*,$p.TransferCache,$p.*Evidence*,$p.log.* $p.*Test $p.AdaptiveBatchSizeTest,$p.BoundsTest,$p.VerificationPoolTest,$p.log.FailoverTest,$p.log.PowerLossTest" ;;
  esac
}

mutants_pit() {
  local classes tests left_out folder status=0
  read -r classes tests left_out < <(pit_of "$1")
  use_tools
  folder=$(mktemp -d)
  one_module "services/authority/$1" "-DtargetClasses=$classes" "-DtargetTests=$tests" "-DexcludedTestClasses=$left_out" \
    "-DjvmArgs=-Djava.io.tmpdir=$folder" test-compile org.pitest:pitest-maven:mutationCoverage || status=$?
  # PIT kills the process of a test that runs too long, and leaves its servers behind
  pkill -KILL -f -- "-D $folder/" || true
  rm -rf "$folder"
  return "$status"
}
