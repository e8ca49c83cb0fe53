#!/usr/bin/env bash
# scripts/observability.sh check: rules, alerts, runbooks, dashboards and the reference of metrics against each other and the code, and
# the rules' own tests. The last need promtool, from the path or from $SOLIDUS_HOME/tools/bin.
# scripts/observability.sh promtool: builds it there, which takes minutes.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SOLIDUS_HOME=${SOLIDUS_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/solidus}
PROMTOOL_VERSION=v0.305.0
# shellcheck source=/dev/null
. "$ROOT/scripts/tools.sh"

# The path of promtool, or nothing.
find_promtool() {
  local own="$SOLIDUS_HOME/tools/bin/promtool"
  if command -v promtool; then return 0; fi
  [ ! -x "$own" ] || echo "$own"
}

build_promtool() {
  local go
  go=$(find_go) || fail "no Go found to build promtool with"
  mkdir -p "$SOLIDUS_HOME/tools/bin"
  GOBIN="$SOLIDUS_HOME/tools/bin" "$go" install "github.com/prometheus/prometheus/cmd/promtool@$PROMTOOL_VERSION"
}

check() {
  local observability="$ROOT/helm/observability" promtool
  command -v python3 >/dev/null || fail "the check needs python3"
  python3 "$observability/dashboards.py" --check
  python3 "$observability/check.py"
  promtool=$(find_promtool)
  if [ -z "$promtool" ]; then
    echo "SKIPPED: the rules' own tests, for there is no promtool here (scripts/observability.sh promtool builds it)"
    return 0
  fi
  "$promtool" check rules "$observability"/rules/*.yaml
  "$promtool" test rules "$observability"/tests/*.yaml
}

case "${1:-}" in
  check) check ;;
  promtool) build_promtool ;;
  *) echo "usage: scripts/observability.sh check|promtool" >&2; exit 64 ;;
esac
