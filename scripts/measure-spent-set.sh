#!/usr/bin/env bash
# ./solidus bench growth spent [ROWS...]: the size of a spent set of so many rows and the cost of inserts into it, for today's one table,
# for 64 hash partitions, and for a hash index instead of the B-tree (an exclusion constraint, since hash indexes cannot be unique). psql's usual variables (PGHOST, PGPORT, PGUSER, PGDATABASE) name the PostgreSQL. The script makes a
# schema growth_spent and drops it at the end. Disk: about 200 bytes a row while an index is built.
# The rows are loaded at once, and the index is built with the fill of a tree that grew by random inserts (ln 2). Then batches of 64
# transfers, which are 192 serial numbers, are inserted with the shard's statement, each in a transaction of its own.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SIZES=("${@:-1000000}")
BATCHES=200
BATCH=192
PARTITIONS=64

q() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }
value() { q -At -c "$1"; }
drop() { q -c 'SET client_min_messages = warning; DROP SCHEMA IF EXISTS growth_spent CASCADE'; }
trap drop EXIT

load() { # layout rows
  drop
  q -c 'CREATE SCHEMA growth_spent'
  if [ "$1" != partitions ]; then
    cat "$ROOT"/services/lib/platform/src/main/resources/db/outbox/V*.sql \
      "$ROOT"/services/authority/common/src/main/resources/db/validator/shard/V*.sql \
      | PGOPTIONS="-c search_path=growth_spent" q -1 -f - >/dev/null
    q -c "SET client_min_messages = warning; ALTER TABLE growth_spent.serials DROP CONSTRAINT serials_pkey CASCADE"
  else
    q -c 'CREATE TABLE growth_spent.serials (serial bytea NOT NULL CHECK (octet_length(serial) = 32), core bytea NOT NULL CHECK (octet_length(core) = 32)) PARTITION BY HASH (serial)'
    for ((i = 0; i < PARTITIONS; i++)); do
      q -c "CREATE TABLE growth_spent.serials_$i PARTITION OF growth_spent.serials FOR VALUES WITH (MODULUS $PARTITIONS, REMAINDER $i)"
    done
  fi
  q -c "INSERT INTO growth_spent.serials SELECT sha256(int8send(i)), sha256(int8send(-i / 3)) FROM generate_series(1, $2::bigint) AS i"
  if [ "$1" = hash ]; then
    q -c "SET maintenance_work_mem = '512MB'" -c 'ALTER TABLE growth_spent.serials ADD EXCLUDE USING hash (serial WITH =)'
  elif [ "$1" = table ]; then
    q -c "SET maintenance_work_mem = '512MB'" \
      -c 'CREATE UNIQUE INDEX serials_pkey ON growth_spent.serials (serial) WITH (fillfactor = 69)' \
      -c 'ALTER TABLE growth_spent.serials ADD CONSTRAINT serials_pkey PRIMARY KEY USING INDEX serials_pkey' \
      -c 'ALTER TABLE growth_spent.serials ALTER COLUMN core SET NOT NULL'
  else
    q -c "SET maintenance_work_mem = '512MB'" \
      -c 'ALTER TABLE growth_spent.serials ADD CONSTRAINT serials_pkey PRIMARY KEY (serial) WITH (fillfactor = 69)'
  fi
  q -c 'VACUUM (ANALYZE) growth_spent.serials' -c CHECKPOINT
}

counters() {
  value "SELECT extract(epoch FROM clock_timestamp()), pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
    (SELECT wal_fpi FROM pg_stat_wal),
    (SELECT sum(heap_blks_read) FROM pg_statio_user_tables WHERE schemaname = 'growth_spent' AND relname LIKE 'serials%'),
    (SELECT sum(idx_blks_read) FROM pg_statio_user_tables WHERE schemaname = 'growth_spent' AND relname LIKE 'serials%'),
    (SELECT sum(idx_blks_read + idx_blks_hit) FROM pg_statio_user_tables WHERE schemaname = 'growth_spent' AND relname LIKE 'serials%')" | tr '|' ' '
}

insert_batches() { # first number
  for ((i = 0; i < BATCHES; i++)); do
    echo "INSERT INTO growth_spent.serials (serial, core) SELECT sha256(int8send(n)), sha256(int8send(-n)) FROM generate_series($1 + $i * $BATCH, $1 + ($i + 1) * $BATCH - 1) AS n ORDER BY 1 ON CONFLICT DO NOTHING RETURNING serial;"
  done | q -o /dev/null -c "SET enable_seqscan = off" -f -
}

echo "PostgreSQL $(value 'SHOW server_version'), shared_buffers $(value 'SHOW shared_buffers'), full_page_writes $(value 'SHOW full_page_writes'); $BATCHES batches of $BATCH serial numbers"
printf '%-12s %-10s %8s %8s %10s %10s %10s %10s %10s %10s\n' rows layout 'B heap' 'B index' 'ms/batch' 'ms again' 'idx reads' 'idx pages' 'full pages' 'B log'
printf '%-12s %-10s %8s %8s %10s %10s %10s %10s %10s %10s\n' '' '' '/row' '/row' '' '' '/serial' '/serial' '/serial' '/serial'
for rows in "${SIZES[@]}"; do
  for layout in table partitions hash; do
    load "$layout" "$rows"
    heap=$(value "SELECT sum(pg_relation_size(c.oid)) / $rows FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'growth_spent' AND relname LIKE 'serials%' AND relkind = 'r'")
    index=$(value "SELECT sum(pg_relation_size(c.oid)) / $rows FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'growth_spent' AND relname LIKE 'serials%' AND relkind = 'i'")
    read -r t0 w0 f0 _ r0 p0 <<<"$(counters)"
    insert_batches $((rows + 1))
    sleep 2 # statistics arrive late
    read -r t1 w1 f1 _ r1 p1 <<<"$(counters)"
    # the same pages are not logged whole again until the next checkpoint
    s0=$(date +%s%N)
    insert_batches $((rows + 1 + BATCHES * BATCH))
    s1=$(date +%s%N)
    awk -v rows="$rows" -v layout="$layout" -v heap="$heap" -v index_="$index" -v t="$t0" -v u="$t1" -v w="$((w1 - w0))" -v f="$((f1 - f0))" \
      -v r="$((r1 - r0))" -v p="$((p1 - p0))" -v again="$((s1 - s0))" -v b="$BATCHES" -v n="$((BATCHES * BATCH))" \
      'BEGIN { printf "%-12s %-10s %8.1f %8.1f %10.2f %10.2f %10.2f %10.2f %10.2f %10.0f\n", rows, layout, heap, index_, (u - t - 2) * 1000 / b, again / 1e6 / b, r / n, p / n, f / n, w / n }'
  done
done
