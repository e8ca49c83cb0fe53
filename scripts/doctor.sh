# ./solidus doctor: what is missing on this machine

# required NAME FOUND HOW: FOUND describes the tool, or is empty, and then HOW says how to install it
required() {
  if [ -n "$2" ]; then
    printf '  ok       %-14s %s\n' "$1" "$2"
  else
    printf '  MISSING  %-14s %s\n' "$1" "$3"
    DOCTOR_STATUS=1
  fi
}

# optional NAME FOUND COMMAND HOW: the same for a tool that only COMMAND needs
optional() {
  if [ -n "$2" ]; then printf '  ok       %-14s %s, for %s\n' "$1" "$2" "$3"; else printf '  without  %-14s for %s: %s\n' "$1" "$3" "$4"; fi
}

# on_path NAME [FOLDER...]: the path of a program on the PATH or in one of the folders, or nothing
on_path() {
  local name=$1
  shift
  command -v "$name" || first_of is_file "${@/%//$name}" || true
}

# at_least NUMBER LIMIT TEXT: TEXT when the number reaches the limit
at_least() { [ "$1" -lt "$2" ] || echo "$3"; }

doctor_optional() {
  local name version command
  echo "only for some commands:"
  optional Python "$(on_path python3)" "check, format, test, size, cluster" "Python 3.11 or later (Debian: python3, python3-venv)"
  while read -r name _ version command; do
    optional "$name" "$([ ! -x "$(tool_path "$name")" ] || tool_path "$name")" "$command" "$version is built when it is first used"
  done < <(go_tools)
  optional SoftHSM2 "$(find_softhsm || true)" "the tests of shares in a token" "Debian: softhsm2; without it they are skipped"
  optional OpenSC "$(on_path pkcs11-tool)" "approving with a key in a token" "Debian: opensc; without it its test is skipped"
  optional Chromium "$(find_chromium || true)" "the tests of the console" "Debian: chromium; ./solidus test installs it as root; without it they are skipped"
  optional Terraform "$(on_path terraform)" "check terraform" "1.9 or later; without it that part is skipped"
  optional etcd "$(on_path etcd "$SOLIDUS_HOME/tools/simulate/bin")" "cluster simulate" "Debian: etcd-server, downloaded where apt is"
  optional openssl "$(on_path openssl)" "cluster boot and simulate" "Debian: openssl"
  optional PostgreSQL "$(on_path pg_dump /usr/lib/postgresql/*/bin /usr/pgsql-*/bin)" "cluster boot, and pg_dump in drill restore" \
    "Debian: postgresql; the sandbox has its own"
  optional dpkg-deb "$(on_path dpkg-deb)" "images" "Debian: dpkg"
  optional podman "$(on_path podman)" "images test" "Debian: podman; without it the test is skipped"
  optional runc "$(on_path runc)" "images test" "Debian: runc; without it the test is skipped"
}

command_doctor() {
  no_arguments doctor "$@"
  local go free memory tool DOCTOR_STATUS=0
  required JDK "$(find_jdk || true)" "a JDK $MINIMUM_JAVA or later with javac and include/jni.h: install one (Debian: openjdk-21-jdk, or Temurin) or set JAVA_HOME"
  go=$(find_go || true)
  required Go "${go:+$go ($("$go" env GOVERSION))}" "Go 1.$MINIMUM_GO_MINOR or later: install it and put it on the PATH"
  required "C compiler" "$(find_cc || true)" "gcc or clang (Debian: apt-get install gcc libc6-dev)"
  required Maven "$(on_path mvn)" "any Maven 3 (Debian: apt-get install maven); the launcher downloads $MAVEN_VERSION with it"
  for tool in git tar sed find sha256sum flock; do
    required "$tool" "$(on_path "$tool")" "install $tool (Debian: util-linux, coreutils, findutils, git)"
  done
  mkdir -p "$SOLIDUS_HOME" "$SOLIDUS_DATA"
  free=$(df -Pk "$SOLIDUS_HOME" | awk 'NR==2 {print $4}')
  required disk "$(at_least "$free" 4000000 "$((free / 1024 / 1024)) GiB free")" "4 GiB free under $SOLIDUS_HOME"
  memory=$(awk '/MemAvailable/ {print $2}' /proc/meminfo 2>/dev/null || echo 0)
  required memory "$(at_least "$memory" 4000000 "$((memory / 1024 / 1024)) GiB available")" "4 GiB of available memory for the sandbox"
  if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
    required platform "" "Linux on x86_64 (seen: $(uname -s) $(uname -m))"
  elif ldd --version 2>&1 | grep -qi musl; then
    required platform "" "a glibc system (the native library does not load on musl)"
  else
    required platform "Linux x86_64, glibc" ""
  fi
  is_checkout || echo "  sources  not a git checkout: every file outside build folders counts as a source; checks of documents and protocol files need git"
  if platform_is_built; then echo "  built    yes"; else echo "  built    not yet (./solidus build)"; fi
  doctor_optional
  return "$DOCTOR_STATUS"
}
