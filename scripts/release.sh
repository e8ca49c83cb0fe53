# ./solidus release VERSION: the commit and the tag of a release. See docs/how-to/release.md.

RELEASED_MIGRATIONS=services/dev/testkit/src/test/resources/released-migrations.txt

command_release() {
  [ $# -le 1 ] || usage_error "release takes one version, and got '$2'"
  local version=${1:-} charts
  [[ "$version" =~ ^([0-9]+)\.([0-9]+)\.[0-9]+$ ]] || usage_error "release takes a version such as 1.2.3, and got '$version'"
  local following="${BASH_REMATCH[1]}.$((BASH_REMATCH[2] + 1)).0-SNAPSHOT"
  cd "$SOLIDUS_ROOT" || exit
  charts=$(sed -n 's/^version: //p' helm/solidus-common/Chart.yaml)
  [ -z "$(git status --porcelain)" ] || fail "the working tree has changes; commit them first"
  if git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then fail "the tag v$version exists"; fi
  [ "$(printf '%s\n' "$charts" "$version" | sort -V | tail -n 1)" = "$version" ] || fail "$version is older than the charts' version $charts"
  awk '/^## / { mine = ($0 == "## [Unreleased]") } mine && /^- / { found = 1 } END { exit !found }' CHANGELOG.md \
    || fail "CHANGELOG.md has no entry under [Unreleased]"

  release_pom "$version"
  release_charts "$charts" "$version"
  release_migrations
  sed -i "s/^## \[Unreleased\]\$/&\n\n## [$version] - $(date -u +%F)/" CHANGELOG.md
  git commit -qam "release: $version"
  git tag -a "v$version" -m "Solidus $version"
  release_pom "$following"
  git commit -qam "release: begin $following"
  say "solidus: tagged v$version; to publish it: git push --follow-tags"
}

release_pom() { sed -i "s,<revision>.*</revision>,<revision>$1</revision>," pom.xml; }

# release_charts FROM TO: the charts, their dependencies on each other, and the image tag that they name
release_charts() {
  local from=${1//./\\.}
  sed -Ei "s/^( *(version|appVersion|tag): )$from\$/\1$2/" helm/*/Chart.yaml helm/*/values.yaml
  sed -i "s/^\(| global.image.tag | string | \`\"\)$from\"/\1$2\"/" helm/*/README.md
}

# Pins the migrations that this release brings: databases run them from now on
release_migrations() {
  local file kind
  for file in $(git ls-files 'services/**/src/main/resources/db/*.sql'); do
    if grep -qF " $file" "$RELEASED_MIGRATIONS"; then continue; fi
    kind=$(sed -nE '1s/^-- (expand|contract).*/\1/p' "$file")
    printf '%-8s %s %s\n' "$kind" "$(sha256sum "$file" | cut -d' ' -f1)" "$file" >>"$RELEASED_MIGRATIONS"
  done
}
