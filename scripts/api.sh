# ./solidus api: the descriptions of the APIs in docs/reference, made anew from the services

API_MODULES="services/edge/gateway,services/operator/registration,services/operator/sanctions,services/operator/issuance"

command_api() {
  local selected module status=0
  no_arguments api "$@"
  use_tools
  selected=$(mktemp -d)
  for module in ${API_MODULES//,/ }; do mkdir -p "$selected$SOLIDUS_ROOT/$module"; done
  # each service starts once, and its test writes the document instead of comparing it
  maven -pl "$API_MODULES" -am "-Dsolidus.selected=$selected" -Dsolidus.api.update=true -Dtest='*#theCommittedDescriptionIsTheServedOne' \
    -Dsurefire.failIfNoSpecifiedTests=false test || status=$?
  rm -r "$selected"
  [ "$status" = 0 ] || return "$status"
  "$SOLIDUS_ROOT/scripts/api-reference.py"
  say "api: docs/reference/api, wallet-api.md and admin-api.md are those of the services"
}
