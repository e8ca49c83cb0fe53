# Messages, the tools that a build needs, and the digest of its sources.
# Sourced by ./solidus, prover-native/build.sh and loadtest/forge/build.sh.

SOLIDUS_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$SOLIDUS_ROOT/scripts/versions.sh"

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "solidus: $*"
  exit 69
}

# usage_error TEXT: what is wrong with the arguments
usage_error() {
  say "solidus: $*; see ./solidus help"
  exit 64
}

# wants_help "$@": whether the first argument asks for help
wants_help() { [[ "${1:-}" = -h || "${1:-}" = --help ]]; }

# no_arguments COMMAND "$@": fails when COMMAND, which takes no argument, got one
no_arguments() { [ $# -le 1 ] || usage_error "$1 takes no argument, and got '$2'"; }

# first_of CONDITION CANDIDATE...: the first candidate for which the command CONDITION succeeds
first_of() {
  local condition=$1 candidate
  shift
  for candidate in "$@"; do
    if "$condition" "$candidate"; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

is_file() { [ -f "$1" ]; }

# version_of_java HOME -> the feature release of the JDK there; nothing for a JRE, which has no compiler
version_of_java() {
  [ -x "$1/bin/javac" ] || return 0
  "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'
}

# The native library needs the JDK's jni.h.
is_jdk() {
  local release
  [ -f "$1/include/jni.h" ] || return 1
  release=$(version_of_java "$1")
  [ -n "$release" ] && [ "$release" -ge "$MINIMUM_JAVA" ]
}

find_jdk() {
  local javac
  javac=$(readlink -f "$(command -v javac)" || true)
  first_of is_jdk "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/java/* /opt/jdk* /Library/Java/JavaVirtualMachines/*/Contents/Home "${javac%/bin/javac}"
}

is_go() {
  local minor
  [ -x "$1" ] || return 1
  minor=$("$1" env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
  [ -n "$minor" ] && [ "$minor" -ge "$MINIMUM_GO_MINOR" ]
}

find_go() {
  first_of is_go "${SOLIDUS_GO:-}" "$(command -v go || true)" /usr/local/go/bin/go /usr/lib/go/bin/go "${HOME:-/root}/go/bin/go"
}

find_cc() { command -v "${CC:-cc}" || command -v gcc || command -v clang; }

# The library of SoftHSM2, a PKCS#11 token in software that tests of key custody use. Its tool has to be installed too.
find_softhsm() {
  command -v softhsm2-util >/dev/null || return 1
  first_of is_file {/usr/lib/softhsm,/usr/lib/x86_64-linux-gnu/softhsm,/usr/lib64/softhsm,/usr/lib64/pkcs11,/usr/local/lib/softhsm}/libsofthsm2.so
}

# The browser that drives the operators' console in tests: SOLIDUS_CHROMIUM, or Debian's Chromium.
find_chromium() {
  first_of is_program "${SOLIDUS_CHROMIUM:-}" "$(command -v chromium || true)" "$(command -v chromium-browser || true)"
}

is_program() { [ -x "$1" ]; }

# use_chromium: sets SOLIDUS_CHROMIUM. Installs Debian's Chromium where root may; without it the tests that need it are skipped.
use_chromium() {
  SOLIDUS_CHROMIUM=$(find_chromium || true)
  if [ -z "$SOLIDUS_CHROMIUM" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    local log="$SOLIDUS_HOME/chromium.log"
    say "solidus: installing Chromium (once) for the tests of the console"
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium fonts-dejavu-core; } >"$log" 2>&1 </dev/null; then
      say "solidus: Chromium could not be installed ($log): the tests of the console are skipped"
    fi
    SOLIDUS_CHROMIUM=$(find_chromium || true)
  fi
  export SOLIDUS_CHROMIUM
}

# The pinned Maven, or one on the PATH that is as new. Any Maven 3 can download the pinned one.
find_maven() {
  local tools="$SOLIDUS_HOME/tools" system
  local pinned="$tools/apache-maven-$MAVEN_VERSION/bin/mvn"
  if [ -x "$pinned" ]; then
    echo "$pinned"
    return 0
  fi
  system=$(command -v mvn) || return 1
  if "$system" -v 2>/dev/null | grep -q "Apache Maven 3\.9\.\([6-9]\|1[0-9]\)"; then
    echo "$system"
    return 0
  fi
  say "solidus: downloading Maven $MAVEN_VERSION (once)"
  mkdir -p "$tools"
  (cd "$tools" && "$system" -B -q dependency:copy -Dartifact="org.apache.maven:apache-maven:$MAVEN_VERSION:tar.gz:bin" -DoutputDirectory="$tools" \
    && tar -xzf "apache-maven-$MAVEN_VERSION-bin.tar.gz" && rm "apache-maven-$MAVEN_VERSION-bin.tar.gz") >"$tools/maven.log" 2>&1 || return 1
  echo "$pinned"
}

# use_go: sets GO and puts it on the PATH
use_go() {
  GO=$(find_go) || fail "Go 1.$MINIMUM_GO_MINOR or later was not found: put it on the PATH, or set SOLIDUS_GO"
  PATH="$(dirname "$GO"):$PATH"
  export GO PATH
}

# use_java: sets JAVA_HOME
use_java() {
  JAVA_HOME=$(find_jdk) || fail "a JDK $MINIMUM_JAVA or later with javac and include/jni.h was not found: install one, or set JAVA_HOME"
  export JAVA_HOME
}

# use_cc: sets CC
use_cc() {
  CC=$(find_cc) || fail "no C compiler was found: install gcc or clang (Debian: build-essential)"
  export CC
}

# native_platform -> the folder of the jar from which the Java side loads what Go has built
native_platform() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo linux-x86_64 ;;
    Linux-aarch64) echo linux-aarch64 ;;
    *) fail "native code is built for Linux on x86_64 and aarch64, not for $(uname -s) on $(uname -m)" ;;
  esac
}

# use_tools: sets all that a build needs: JAVA_HOME, GO, CC and MAVEN
use_tools() {
  use_java
  use_go
  use_cc
  mkdir -p "$SOLIDUS_HOME"
  MAVEN=$(find_maven) || fail "no Maven was found, or it could not download Maven $MAVEN_VERSION ($SOLIDUS_HOME/tools/maven.log)"
  export MAVEN
}

# go_tools -> lines: NAME, PACKAGE, VERSION and the commands that use the program. In PACKAGE a // ends the path of a module whose go.mod
# replaces other modules.
go_tools() {
  cat <<TOOLS
buf github.com/bufbuild/buf/cmd/buf $BUF_VERSION check protobuf
golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint $GOLANGCI_LINT_VERSION check go
govulncheck golang.org/x/vuln/cmd/govulncheck $GOVULNCHECK_VERSION check vulnerabilities
helm helm.sh/helm/v3/cmd/helm $HELM_VERSION check charts, cluster
helm-docs github.com/norwoodj/helm-docs/cmd/helm-docs $HELM_DOCS_VERSION check charts, cluster update
k6 go.k6.io/k6 $K6_VERSION load run, check k6
osv-scanner github.com/google/osv-scanner/v2/cmd/osv-scanner $OSV_SCANNER_VERSION check vulnerabilities
promtool github.com/prometheus/prometheus//cmd/promtool $PROMTOOL_VERSION check observability
shfmt mvdan.cc/sh/v3/cmd/shfmt $SHFMT_VERSION check shell
terraform-config-inspect github.com/hashicorp/terraform-config-inspect $TERRAFORM_CONFIG_INSPECT_VERSION check terraform, cluster update
tflint github.com/terraform-linters/tflint $TFLINT_VERSION check terraform
TOOLS
}

# tool_path NAME -> where a program of go_tools is, or will be; the name without a version links to the one built last
tool_path() { echo "$SOLIDUS_HOME/tools/bin/$1-$(go_tools | awk -v name="$1" '$1 == name {print $3}')"; }

# go_build PACKAGE VERSION OUTPUT: builds a program of another module. `go install` refuses a module whose go.mod replaces others, so a module
# of ours repeats the replacements. (Those of Kubernetes by folders are published with a leading 0 in their version.)
go_build() {
  local module=${1%%//*} folder mod
  folder=$(mktemp -d)
  if [ "$module" = "$1" ]; then
    GOBIN=$folder GOFLAGS='' "$GO" install -v "$1@$2" && mv "$folder/${1##*/}" "$3"
  else
    mod=$(GOFLAGS='' "$GO" mod download -json "$module@$2" | sed -n 's/.*"GoMod": "\(.*\)",\{0,1\}$/\1/p') && (
      cd "$folder" || exit
      {
        printf 'module build\n\n%s\n\nrequire %s %s\n\nreplace (\n' "$(grep '^go ' "$mod")" "$module" "$2"
        awk -v staging="v0.${2#v1.}" '{sub(/^replace /, "")} / => \.\// {print $1 " => " $1 " " staging} / => [^.]/ {print}' "$mod"
        printf ')\n'
      } >go.mod
      GOFLAGS=-mod=mod "$GO" build -v -ldflags "${4:-}" -o "$3" "${1/\/\///}"
    )
  fi
  rm -r "$folder"
  [ -x "$3" ]
}

# tool NAME -> the path of a program of go_tools, which is built on first use by one process at a time
tool() {
  local path package version bin="$SOLIDUS_HOME/tools/bin" log="$SOLIDUS_HOME/tools/$1.log"
  path=$(tool_path "$1")
  if [ ! -x "$path" ]; then
    use_go
    mkdir -p "$bin"
    read -r _ package version _ < <(go_tools | grep "^$1 ")
    (
      flock 9
      [ ! -x "$path" ] || exit 0
      say "solidus: building $1 $version with Go (once; may take minutes) ..."
      go_build "$package" "$version" "$path" 2>&1 | tee "$log" | awk 'NR % 250 == 0 {print "  " NR " packages"; fflush()}' >&2
      [ -x "$path" ] && ln -sfn "${path##*/}" "$bin/$1"
    ) 9>"$bin/$1.lock" || fail "$1 could not be built; the log is $log. Go needs its module proxy; or put the program at $path"
  fi
  echo "$path"
}

# python_environment -> a folder bin/ with python, ruff and shellcheck: scripts/requirements.txt, installed on first use
python_environment() {
  local requirements="$SOLIDUS_ROOT/scripts/requirements.txt" log="$SOLIDUS_HOME/tools/python.log" folder
  folder="$SOLIDUS_HOME/tools/python-$(sha256sum "$requirements" | cut -c1-12)"
  if [ ! -f "$folder/complete" ]; then
    mkdir -p "$SOLIDUS_HOME/tools"
    command -v python3 >/dev/null || fail "Python 3.11 or later is needed (Debian: python3, python3-venv)"
    (
      flock 9
      [ ! -f "$folder/complete" ] || exit 0
      say "solidus: installing the Python packages of scripts/requirements.txt (once) ..."
      python3 -m venv --clear "$folder" && "$folder/bin/pip" install --no-deps -r "$requirements" && "$folder/bin/pip" check && touch "$folder/complete"
    ) 9>"$folder.lock" >"$log" || fail "the Python packages could not be installed; the log is $log (Debian: python3-venv)"
  fi
  echo "$folder/bin"
}

# is_checkout: whether git tracks this tree; a source archive has no git data, even inside another repository
is_checkout() { git -C "$SOLIDUS_ROOT" ls-files --error-unmatch pom.xml >/dev/null 2>&1; }

# source_files PATH... -> the files there that a build reads, each ended by NUL: tracked files and new files that git does not ignore,
# without tests.
# Without git: every file outside build folders.
source_files() {
  cd "$SOLIDUS_ROOT" || return 1
  if is_checkout; then
    # no :(exclude) of git: for a folder whose name is longer than the pattern, git 2.39 leaves out every file
    git ls-files -z --cached --others --exclude-standard -- "$@" \
      | while IFS= read -r -d '' file; do
        case "/$file" in */src/test/* | *_test.go) continue ;; esac
        # a deleted file is still tracked until the deletion is committed
        if [ -f "$file" ]; then printf '%s\0' "$file"; fi
      done
  else
    find "$@" \( -name target -o -name .git -o -name __pycache__ -o -path '*/src/test' \) -prune -o -type f ! -name '*_test.go' -print0
  fi
}

# digest_of PATH... -> one digest of the sources there; it decides whether the build results are up to date. No sources have no digest.
digest_of() {
  local sums
  sums=$(source_files "$@" | LC_ALL=C sort -zu | (cd "$SOLIDUS_ROOT" && xargs -0 -r sha256sum) ) || return
  [ -n "$sums" ] || fail "no sources in $*"
  sha256sum <<<"$sums" | cut -d' ' -f1
}
