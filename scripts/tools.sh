# Finds the tools a build needs, and says plainly what to install when one is missing.
# Sourced by ./solidus and by .ci/run.

MINIMUM_JAVA=21
MINIMUM_GO_MINOR=25
MAVEN_VERSION=3.9.16

say() { printf '%s\n' "$*" >&2; }
fail() { say "solidus: $*"; exit 69; }

# usage_error TEXT: what is wrong with the arguments
usage_error() { say "solidus: $*; see ./solidus help"; exit 64; }

# wants_help "$@": whether the first argument asks for help
wants_help() { case "${1:-}" in -h|--help) return 0 ;; *) return 1 ;; esac; }

# no_arguments COMMAND "$@": stops when something follows a command that takes nothing
no_arguments() { [ $# -le 1 ] || usage_error "$1 takes no argument, and got '$2'"; }

# version_of_java HOME -> the feature release of the JDK there, or nothing when it has no compiler
version_of_java() {
  [ -x "$1/bin/javac" ] || return 0
  "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'
}

# The first JDK with a compiler of at least the minimum release: $JAVA_HOME, the usual folders, the path.
find_jdk() {
  local candidate found
  for candidate in "${JAVA_HOME:-}" /usr/lib/jvm/*/ /opt/java/*/ /opt/jdk*/ /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$(dirname "$(dirname "$(readlink -f "$(command -v javac 2>/dev/null || echo /nowhere/bin/javac)")")")"; do
    [ -n "$candidate" ] && [ -d "$candidate" ] || continue
    found=$(version_of_java "${candidate%/}")
    if [ -n "$found" ] && [ "$found" -ge "$MINIMUM_JAVA" ]; then
      echo "${candidate%/}"
      return 0
    fi
  done
  return 1
}

# go_is_new_enough GO -> true when that Go is new enough
go_is_new_enough() {
  local minor
  minor=$("$1" env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
  [ -n "$minor" ] && [ "$minor" -ge "$MINIMUM_GO_MINOR" ]
}

find_go() {
  local candidate
  for candidate in "$(command -v go 2>/dev/null || true)" /usr/local/go/bin/go "$HOME/go/bin/go" /usr/lib/go/bin/go; do
    if [ -n "$candidate" ] && [ -x "$candidate" ] && go_is_new_enough "$candidate"; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

find_cc() { command -v "${CC:-cc}" 2>/dev/null || command -v gcc 2>/dev/null || command -v clang 2>/dev/null; }

# The library of SoftHSM2, a token in software, where its tool is installed as well; only tests of key custody need it.
find_softhsm() {
  local candidate
  command -v softhsm2-util >/dev/null 2>&1 || return 1
  for candidate in /usr/lib/softhsm /usr/lib/x86_64-linux-gnu/softhsm /usr/lib64/softhsm /usr/lib64/pkcs11 /usr/local/lib/softhsm; do
    if [ -f "$candidate/libsofthsm2.so" ]; then
      echo "$candidate/libsofthsm2.so"
      return 0
    fi
  done
  return 1
}

# Maven of the wanted version: what is on the path when it fits, else the distribution brought in as an ordinary artifact.
find_maven() {
  local cached="$SOLIDUS_HOME/tools/apache-maven-$MAVEN_VERSION/bin/mvn" system
  if [ -x "$cached" ]; then echo "$cached"; return 0; fi
  system=$(command -v mvn 2>/dev/null) || return 1
  if "$system" -v 2>/dev/null | grep -q "Apache Maven 3\.9\.\([6-9]\|1[0-9]\)"; then echo "$system"; return 0; fi
  say "solidus: bringing in Maven $MAVEN_VERSION (once)"
  mkdir -p "$SOLIDUS_HOME/tools"
  (cd "$SOLIDUS_HOME/tools" && "$system" -B -q dependency:unpack \
    -Dartifact="org.apache.maven:apache-maven:$MAVEN_VERSION:tar.gz:bin" \
    -DoutputDirectory="$SOLIDUS_HOME/tools" -DmarkersDirectory="$SOLIDUS_HOME/tools/markers" >"$SOLIDUS_HOME/tools/maven.log" 2>&1) || return 1
  chmod +x "$cached" && echo "$cached"
}

# use_tools: sets JAVA_HOME, GO, MAVEN, or stops with what is missing
use_tools() {
  JAVA_HOME=$(find_jdk) || fail "no JDK $MINIMUM_JAVA or later with javac found; set JAVA_HOME (./solidus doctor tells more)"
  export JAVA_HOME
  GO=$(find_go) || fail "no Go 1.$MINIMUM_GO_MINOR or later found (./solidus doctor tells more)"
  export GO
  find_cc >/dev/null || fail "no C compiler found (./solidus doctor tells more)"
  mkdir -p "$SOLIDUS_HOME"
  MAVEN=$(find_maven) || fail "no Maven found, or Maven $MAVEN_VERSION could not be brought in (./solidus doctor tells more)"
  PATH="$(dirname "$GO"):$PATH"
  export MAVEN PATH
}

# use_java: what running what is already built needs
use_java() {
  JAVA_HOME=$(find_jdk) || fail "no JDK $MINIMUM_JAVA or later found; set JAVA_HOME (./solidus doctor tells more)"
  export JAVA_HOME
}
