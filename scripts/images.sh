# ./solidus images: container images of the services, made without a container engine. See docs/how-to/build-images.md.

help_images() {
  cat <<'HELP'
usage: ./solidus images [--out DIR] [SERVICE...]

  Makes the images as an OCI layout in DIR/oci (default: target/images), each with a list of its parts (SERVICE.cdx.json, CycloneDX) and a
  statement of its origin (SERVICE.provenance.json, in-toto with an SLSA predicate). DIR/digests.txt names their digests, DIR/layers.json
  the layers. DIR is replaced. Services: compliance-issuer, console, gateway, issuance, prover, registration, relay, replica, sanctions, shard, signer, wallet; all by default.

  images lock        writes down the Debian packages that apt offers now as the ones to use
  images reproduce   makes the images of the last commit in two ways (here, and from a fresh clone with empty caches) and compares digests
  images test        runs the images under podman, unprivileged, and makes payments through them; says so and leaves when podman is missing

SOURCE_DATE_EPOCH: the build time recorded in the images (default: the time of the commit).
SOLIDUS_IMAGE_DEBS: a folder of Debian packages, for machines without apt or when apt offers other versions by now.
HELP
}

# the goal that lists a module's parts
CYCLONEDX=("org.cyclonedx:cyclonedx-maven-plugin:$CYCLONEDX_VERSION:makeBom" -DoutputFormat=json -DincludeTestScope=false -DincludeProvidedScope=false)
IMAGES_CACHE=${SOLIDUS_IMAGES_CACHE:-$SOLIDUS_HOME/images}
IMAGES_STAMP="$SOLIDUS_ROOT/services/wallet/cli/target/.images-built"

command_images() {
  case "${1:-}" in
    lock | reproduce) no_arguments "images $1" "${@:2}" && "images_$1" ;;
    test)
      no_arguments "images test" "${@:2}"
      # shellcheck source=../tools/images/test.sh
      . "$SOLIDUS_ROOT/tools/images/test.sh"
      images_test
      ;;
    *) images_build "$@" ;;
  esac
}

images_lock() { images_tool lock --cache "$IMAGES_CACHE"; }

# images_tool ACTION [OPTIONS] [SERVICE...]: the program that writes layers, layouts, lists and statements
images_tool() {
  use_go
  mkdir -p "$IMAGES_CACHE"
  (cd "$SOLIDUS_ROOT/tools/images" && "$GO" build -trimpath -buildvcs=false -o "$IMAGES_CACHE/tool" .) || fail "the image writer does not compile"
  local action=$1
  shift
  "$IMAGES_CACHE/tool" "$action" --root "$SOLIDUS_ROOT" "$@"
}

images_build() {
  local out="$SOLIDUS_ROOT/target/images"
  if [ "${1:-}" = --out ]; then
    [ $# -gt 1 ] || usage_error "--out needs a folder"
    out=$(realpath -m "$2")
    shift 2
  fi
  case "${1:-}" in -*) usage_error "images has no option '$1' here" ;; esac
  is_checkout || fail "images name the commit that they are made from: make them in a git checkout"
  # the folder is replaced, so it has to hold images or nothing
  if [ -e "$out" ] && [ ! -f "$out/digests.txt" ] && [ -n "$(ls -A "$out")" ]; then
    fail "$out is there and holds other files than images"
  fi
  [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail "images are made on Linux on x86_64"
  command -v dpkg-deb >/dev/null || fail "dpkg-deb is missing (Debian: dpkg)"
  images_package
  mkdir -p "$(dirname "$out")"
  images_tool build --cache "$IMAGES_CACHE" --out "$out" --jdk "$JAVA_HOME" --revision "$(images_revision)" --version "$(images_version)" \
    --epoch "${SOURCE_DATE_EPOCH:-$(git -C "$SOLIDUS_ROOT" log -1 --format=%ct)}" "$@"
}

# The jars, the class path of each, and the list of its parts
images_package() {
  local modules closed
  # jars keep the modes of the files in them: of resources those in this folder, of classes those that the umask of the build gives
  closed=$(cd "$SOLIDUS_ROOT" && find services prover-native -path '*/src/main/*' -type f ! -perm -444 -print -quit)
  [ -z "$closed" ] || fail "$closed is not readable by all users, and images would keep that mode: chmod -R a+rX services prover-native"
  use_tools
  is_built "$IMAGES_STAMP" platform_digest || remove_protobuf
  modules=$(cd "$SOLIDUS_ROOT/tools/images" && "$GO" run . names | cut -d' ' -f2 | paste -sd,)
  build_once "$IMAGES_STAMP" platform_digest build-images "the services" -pl "$modules" -am package \
    dependency:build-classpath -Dmdep.outputFile=target/image-classpath.txt -DincludeScope=runtime "${CYCLONEDX[@]}" -DoutputName=image-sbom
}

# The commit, and whether what goes into images differs from it.
images_revision() {
  local revision
  revision=$(git -C "$SOLIDUS_ROOT" rev-parse HEAD)
  if [ -n "$(git -C "$SOLIDUS_ROOT" status --porcelain -- pom.xml services prover-native tools/images THIRD-PARTY-NOTICES.md)" ]; then revision+="-modified"; fi
  echo "$revision"
}

images_version() { sed -n 's,.*<revision>\(.*\)</revision>.*,\1,p' "$SOLIDUS_ROOT/pom.xml"; }

# The same commit twice: in this folder with its caches, and elsewhere with none, another umask, time zone and language.
images_reproduce() {
  case "$(images_revision)" in *-modified) fail "what goes into images differs from the last commit; commit it first" ;; esac
  local elsewhere status=0
  elsewhere=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "chmod -R u+w '$elsewhere'; rm -rf '$elsewhere'" EXIT
  images_build --out "$elsewhere/here"
  git clone -q --shared "$SOLIDUS_ROOT" "$elsewhere/clone"
  git -C "$elsewhere/clone" checkout -q "$(git -C "$SOLIDUS_ROOT" rev-parse HEAD)"
  say "solidus: and again, from a fresh clone with empty caches"
  (
    umask 027
    export TZ=Pacific/Auckland LC_ALL=C GOCACHE="$elsewhere/go" SOLIDUS_IMAGES_CACHE="$elsewhere/cache" SOLIDUS_IMAGE_DEBS="$IMAGES_CACHE/debs"
    "$elsewhere/clone/solidus" images --out "$elsewhere/there"
  ) || fail "the second build failed"
  local file
  for file in "$elsewhere"/here/*.txt "$elsewhere"/here/*.json "$elsewhere/here/oci/index.json"; do
    if ! cmp "$file" "${file/"$elsewhere/here"/"$elsewhere/there"}"; then status=1; fi
  done
  cat "$elsewhere/here/digests.txt"
  if [ "$status" = 0 ]; then say "solidus: both builds made the same images, lists and statements"; else say "solidus: the builds DIFFER"; fi
  return "$status"
}
