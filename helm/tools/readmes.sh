#!/usr/bin/env bash
# Writes the README of each chart with helm-docs. With --check it prints the differences and fails if there are any.
#
#   readmes.sh HELM_DOCS [--check]
set -euo pipefail
charts=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
for chart in solidus-authority solidus-operator solidus-pilot solidus-relay; do
  text=$("$1" --chart-search-root "$charts" --chart-to-generate "$charts/$chart" --template-files ./README.md.gotmpl \
    --sort-values-order file --log-level error --dry-run)
  if [ "${2:-}" = --check ]; then
    diff -u "$charts/$chart/README.md" - <<<"$text"
  else
    printf '%s\n' "$text" >"$charts/$chart/README.md"
  fi
done
