# ./solidus help. A command NAME is a function command_NAME; its own help is a function help_NAME, or its lines below.

command_help() {
  cat <<'HELP'
usage: ./solidus COMMAND [options]

  up                 builds what is missing and starts the whole platform on this machine; Ctrl-C stops it, data is kept
      --shapes           the network also has claims of up to 16 coins, and payments to eight, with one proof
      --private-queries  the web wallet reads its mail with private queries
      --port-shift N     every port is N higher (300 or more beside another sandbox); operator takes the same option, and wallets --gateway http://127.0.0.1:(8080 + N)
  demo               plays the story of a private, regulated payment (starts the platform when it is not running)
      --unregulated      plays the paper's second variant instead: no registration, no limits
      --json FILE        also writes the outcome of each step
      --un-list FILE     UN consolidated list (XML) to import instead of the invented persons
      --ofac-list FILE   OFAC SDN list (CSV) to import instead of the invented persons
  check [STEP...]    format, lint, documents, charts: less than a minute when tools are built (--list names the steps)
  format             applies every formatter
  test               all checks and tests; test MODULE [CLASS|PACKAGE] runs one module's (./solidus test --help)
  mvn ...            Maven of the pinned version, with the JDK and Go that the build uses
  bench prover       our transfer circuit against the paper's construction, in one run
  bench shapes       transfers that claim 16 coins or pay eight payees, beside one of two coins and one payee, on one core
  bench verify       a validator's computation per transfer by batch size, on one core, against one-by-one verification
  bench validator    a whole validator under load: latency against offered rate, the highest rate with p99 under 500 ms, a model
                     --against REVISION [--runs PAIRS] compares with another commit
  bench committee    whole committees on this machine
  bench restart      what payers notice while one authority of four restarts
  bench mailbox      a day of mail: what a wallet reads and computes, and what private retrieval costs a server
      --json FILE        writes the figures
      --plot FILE        draws them (SVG)
  bench abuse        honest payments through a gateway, alone and while strangers flood it and its authorities
      --json FILE --floods NAME,... --payments N --flood N --seconds N --rounds N
  bench screening    how well names are found on published lists, and how many common names are flagged
      --json FILE --un-list FILE --ofac-list FILE --ofac-alt-list FILE --data FOLDER
      --rescreen PERSONS  instead: the time until so many persons are screened against a list that changed in 100 entries
  bench pieces       hashes, signatures, database and sign-log, each alone
  bench device       what a proof takes on a wallet's device: one, two and four cores, arm64 in an emulator, WebAssembly
  bench wallet       what paying, receiving and restoring takes beside 10, 1,000 and 100,000 messages of others, in time and bytes
  bench plot         draws the figures of a --json file (./solidus bench plot --help)
  bench growth [N]   bytes that databases grow by per transfer, measured with N transfers on the PostgreSQL that PGHOST etc. name
  bench growth spent [ROWS..]  size of a spent set of so many rows, and the cost of inserts into it
  targets [TARGET..] the native library for linux-arm64, android-arm64 and wasm, with the test vectors on each
  size               how large a network has to be, from measured figures (./solidus size --help)
  chaos              real processes killed, frozen and cut off under load; ends with the invariants (./solidus chaos --help)
      --seed S --seconds N --json FILE
  drill restore      an authority loses its database and restores it from backups, under load
  drill upgrade      every process is replaced by one of the next build, under load
  drill refresh      the shares of a committee are refreshed, under load
  drill keys         an authority's note key, the policy key and the sanctions key change, under load
      --json FILE        writes the figures
  load run SCENARIO  a load test of the whole platform with k6 or Gatling (./solidus load --help)
  simulate [SEEDS]   the deterministic simulation of spending (--seed S replays one)
  fuzz               fuzzers (--seconds N, --only go|java|api, --seed S)
  mutants            removes each guard that keeps money safe, and expects a test to fail (./solidus mutants --help)
  ceremony ...       key ceremonies: setup, committee, refresh, recover, services; "ceremony rehearse" tries most of them;
                     token-key, wrap, rewrap, unwrap, unwrap-check: a share in a PKCS#11 token's custody
  wallet ...         the wallet's command line (./solidus wallet --help)
  operator ACTION    acts as the bank's staff of a running sandbox: cases, approve-case, refuse-case, fund, approve-mints, pay-out, supply,
                     import-list, accept-import
                     (./solidus operator ACTION --help)
  approve COMMAND    approves mints with an approver's own key, in a file or a PKCS#11 token (./solidus approve --help)
  audit verify FILE  names the first row of an exported audit log that was touched (--notes FILE --key KEY: the signed daily notes)
  token              a development access token for the admin API (--sub NAME --role ROLE [--bank BANK])
  cluster ACTION     check, boot, render, update, payment, simulate: what runs on many machines (./solidus cluster help)
  example            runs the program of docs/how-to/write-a-wallet.md against a running sandbox
  doctor             what is missing on this machine, and how to install it
  build              builds only
  images             container images of the services, without a container engine (./solidus images --help)
  api                writes docs/reference/api, wallet-api.md and admin-api.md from what the services say of themselves
  notices [check]    third-party notices from what the build resolves; check compares them with what is declared
  release VERSION    writes VERSION into POM, charts and changelog, commits and tags it (docs/how-to/release.md)

SOLIDUS_HOME (caches: tools, development keys) and SOLIDUS_DATA (databases, wallets) name the folders of what is kept;
by default ~/.cache/solidus and ~/.local/share/solidus.
HELP
}

# help_of COMMAND: its own help, or its lines of the list of commands
help_of() {
  if declare -F "help_$1" >/dev/null; then
    "help_$1"
  else
    printf 'usage: ./solidus %s ...\n\n' "$1"
    command_help | awk -v name="$1" '/^  [a-z]/ { mine = ($1 == name) } /^$/ { mine = 0 } mine'
  fi
}
