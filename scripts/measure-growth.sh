#!/usr/bin/env bash
# ./solidus bench growth [TRANSFERS]: the bytes by which the databases of an authority and of the gateway grow, per transfer and per
# message, measured with the real schema. psql's usual variables (PGHOST, PGPORT, PGUSER, PGDATABASE) name the PostgreSQL. The script
# makes three schemas named growth_* and drops them at the end. Rows have the sizes of a regulated transfer (docs/spec, page 1) and
# random content; batches are of 64, as on two cores at full load.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TRANSFERS=${1:-100000}
BATCH=64
# statement 412, evidence 1769, sealed blocks 1542 bytes, and their frames in protobuf; three serial numbers and a core of 32
REQUEST_BYTES=3732
# two points of 96 bytes, a vote of 64 and numbers
REPLY_BYTES=264
MESSAGES=20000

q() { psql -X -q -v ON_ERROR_STOP=1 "$@"; }
value() { q -At -c "$1"; }

drop() { q -c 'SET client_min_messages = warning; DROP SCHEMA IF EXISTS growth_authority, growth_shard, growth_gateway CASCADE'; }
trap drop EXIT
drop

migrate() {
  local schema=$1
  shift
  q -c "CREATE SCHEMA $schema"
  cat "$@" | PGOPTIONS="-c search_path=$schema" q -1 -f - >/dev/null
}
services="$ROOT/services"
migrate growth_authority "$services"/authority/common/src/main/resources/db/validator/authority/V*.sql
migrate growth_shard "$services"/lib/platform/src/main/resources/db/outbox/V*.sql "$services"/authority/common/src/main/resources/db/validator/shard/V*.sql
migrate growth_gateway "$services"/edge/gateway/src/main/resources/db/gateway/V*.sql

q >/dev/null <<SQL
SET search_path = growth_shard;
CREATE EXTENSION IF NOT EXISTS pgcrypto SCHEMA public;
CREATE FUNCTION growth_shard.some(n integer) RETURNS bytea LANGUAGE sql VOLATILE AS \$\$
  SELECT substring(string_agg(public.gen_random_bytes(1000), ''::bytea) FROM 1 FOR n) FROM generate_series(1, (n + 999) / 1000) \$\$;
-- a batch as the shard writes it: serial numbers and cores in one transaction, answers in a second one
CREATE PROCEDURE growth_shard.load(batches integer, size integer) LANGUAGE plpgsql AS \$\$
BEGIN
  FOR i IN 1..batches LOOP
    CREATE TEMP TABLE batch ON COMMIT PRESERVE ROWS AS
      SELECT public.gen_random_bytes(32) AS core, public.gen_random_bytes(32) AS lead, public.gen_random_bytes(32) AS one,
             public.gen_random_bytes(32) AS two FROM generate_series(1, size);
    INSERT INTO growth_shard.serials
      SELECT s, core FROM batch, unnest(ARRAY[lead, one, two]) AS s ORDER BY s ON CONFLICT DO NOTHING;
    INSERT INTO growth_shard.cores (core, family, lead_serial, request)
      SELECT core, 3, lead, growth_shard.some($REQUEST_BYTES) FROM batch ORDER BY core;
    COMMIT;
    UPDATE growth_shard.cores c SET reply = growth_shard.some($REPLY_BYTES), share_epoch = 0, signed_at = now()
      FROM batch WHERE c.core = batch.core;
    DROP TABLE batch;
    COMMIT;
  END LOOP;
END \$\$;
SQL

before=$(value 'SELECT pg_current_wal_insert_lsn()')
q -c "CALL growth_shard.load($((TRANSFERS / BATCH)), $BATCH)"
written=$(value "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '$before')")
rows=$(value 'SELECT count(*) FROM growth_shard.cores')
q -c 'VACUUM (ANALYZE) growth_shard.cores; ' -c 'VACUUM (ANALYZE) growth_shard.serials'

per() { value "SELECT round($1::numeric / $rows)"; }
echo "PostgreSQL $(value 'SHOW server_version'), full_page_writes $(value 'SHOW full_page_writes'), $rows transfers of three serial numbers"
echo "bytes per transfer:"
echo "  serials, with their index            $(per "pg_total_relation_size('growth_shard.serials')")"
echo "  cores, without requests and indexes  $(per "pg_relation_size('growth_shard.cores')")"
echo "  cores, indexes                       $(per "pg_indexes_size('growth_shard.cores')")"
echo "  cores, requests                      $(per "pg_total_relation_size((SELECT reltoastrelid FROM pg_class WHERE oid = 'growth_shard.cores'::regclass))")"
echo "  together                             $(per "(pg_total_relation_size('growth_shard.serials') + pg_total_relation_size('growth_shard.cores'))")"
echo "  write-ahead log                      $(value "SELECT round($written / $rows)")"

q -c "INSERT INTO growth_gateway.mailbox (blob) SELECT growth_shard.some(1200) FROM generate_series(1, $MESSAGES)"
echo "bytes per message in the mailbox       $(value "SELECT round(pg_total_relation_size('growth_gateway.mailbox')::numeric / $MESSAGES)")"
