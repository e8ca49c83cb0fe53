# ./solidus images test: the images under podman, with PostgreSQL and Kafka beside them. Sourced by scripts/images.sh.

# Why containers cannot run here, or nothing
images_test_obstacle() {
  local tool
  for tool in podman runc; do
    if ! command -v "$tool" >/dev/null; then
      echo "$tool is missing (Debian: apt-get install podman runc)"
      return
    fi
  done
  [ "$(id -u)" = 0 ] || echo "the test gives secrets to the images' user, so it has to run as root"
}

images_test() {
  local obstacle out="$SOLIDUS_ROOT/target/images"
  obstacle=$(images_test_obstacle)
  if [ -n "$obstacle" ]; then
    say "solidus: SKIPPED, the images were not run: $obstacle"
    return
  fi
  images_build
  build_platform
  use_tools
  test_java_module services/dev/acceptance ImagesTest -q "-Dsolidus.images=$out"
}
