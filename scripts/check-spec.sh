#!/usr/bin/env bash
# Holds docs/spec against the code: every equation id of the specification stands at its place in the code or a test, and the
# code names no id that the specification lacks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ids_in() { grep -rhoE '\[[A-Z]-[0-9]{2}\]' "$@" | sort -u; }

# an id is defined where it starts a table row, a line or a sentence of the specification; every mention counts here
specified=$(ids_in docs/spec)
coded=$(find prover-native services -type d \( -name target -o -name node_modules \) -prune -o -type f \( -name '*.go' -o -name '*.java' -o -name '*.sql' \) -print0 |
  xargs -0 grep -hoE '\[[A-Z]-[0-9]{2}\]' | sort -u || true)

missing=$(comm -23 <(echo "$specified") <(echo "$coded"))
unknown=$(comm -13 <(echo "$specified") <(echo "$coded"))
status=0
if [ -n "$missing" ]; then
  echo "specified but nowhere in the code:" $missing >&2
  status=1
fi
if [ -n "$unknown" ]; then
  echo "named in the code but not specified:" $unknown >&2
  status=1
fi
[ "$status" = 0 ] && echo "spec: $(echo "$specified" | wc -l) ids, each with its place in the code"
exit "$status"
