# What Node.js builds: the second implementation and the web wallet.

WEB_WALLET="$SOLIDUS_ROOT/services/wallet/web"
SECOND_WALLET="$SOLIDUS_ROOT/services/wallet/typescript"
GENERATED_CLIENT="$SOLIDUS_ROOT/services/wallet/clients/typescript"
NEEDED_NODE='Node.js 20.19 or later with npm is not on the PATH'

has_node() {
  { command -v node && command -v npm; } >/dev/null \
    && node --eval 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major * 100 + minor < 2019 ? 1 : 0)'
}

# npm_packages FOLDER: the packages of its lock file, again when that changes. Returns 75 when they cannot be fetched.
npm_packages() {
  local output status=0
  if cmp -s "$1/package-lock.json" "$1/node_modules/lock-of-install.json"; then return; fi
  output=$(cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline 2>&1) || status=$?
  if [ "$status" != 0 ]; then
    echo "$output"
    ! grep -qE '^npm (error|ERR!) code (E[45][0-9][0-9]|EAI_AGAIN|ECONN[A-Z]+|E(HOST|NET)UNREACH|ENOTFOUND|E(RR_SOCKET_)?TIME(D)?OUT)$' <<<"$output" \
      || return 75
    return 1
  fi
  cp "$1/package-lock.json" "$1/node_modules/lock-of-install.json"
}

typescript_packages() { npm_packages "$SECOND_WALLET" && npm_packages "$GENERATED_CLIENT"; }

# The page is made of both folders.
web_packages() { npm_packages "$SECOND_WALLET" && npm_packages "$WEB_WALLET"; }

web_digest() {
  digest_of services/wallet/web/{build.mjs,package-lock.json,src,static} services/wallet/typescript/{package-lock.json,src} prover-native THIRD-PARTY-NOTICES.md
}

# start_build_in_node: one process at a time in the subshell that calls it, which ends with 75 on a machine without Node.js
start_build_in_node() {
  if ! has_node; then
    echo "$NEEDED_NODE"
    exit 75
  fi
  mkdir -p "$SOLIDUS_HOME"
  exec 7>"$SOLIDUS_HOME/typescript.lock"
  flock 7
}

# build_web_wallet: the page in dist/page, one process at a time. Returns 75 on a machine that cannot build it.
build_web_wallet() (
  stamp="$WEB_WALLET/dist/.built"
  if is_built "$stamp" web_digest; then exit 0; fi
  start_build_in_node
  now=$(web_digest) || exit
  [ "$(cat "$stamp" 2>/dev/null)" != "$now" ] || exit 0
  rm -f "$stamp"
  web_packages || exit
  module="$SOLIDUS_ROOT/prover-native/target/targets/wasm/solidus.wasm"
  mkdir -p "$(dirname "$module")"
  use_go
  wasm_module "$module" || exit
  (cd "$WEB_WALLET" && npm run --silent build -- --prover "$module") || exit
  echo "$now" >"$stamp"
)

# use_web_wallet: builds the page if this machine can, and says if it cannot
use_web_wallet() {
  local said status=0
  said=$(build_web_wallet 2>&1) || status=$?
  [ "$status" = 0 ] || say "solidus: there is no web wallet: $said"
  return "$status"
}

# build_second_wallet: the second implementation and the generated client that it pays by, as check typescript builds them. Returns 75 on a
# machine that cannot build them.
build_second_wallet() (
  start_build_in_node
  typescript_packages || exit
  for folder in "$SECOND_WALLET" "$GENERATED_CLIENT"; do
    (cd "$folder" && npm run --silent build) || exit
  done
)

# use_second_wallet: builds them if this machine can, and says if it cannot
use_second_wallet() {
  local said status=0
  said=$(build_second_wallet 2>&1) || status=$?
  [ "$status" = 0 ] || say "solidus: there is no second implementation of a wallet: $said"
  return "$status"
}
