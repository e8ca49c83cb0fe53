-- Gives a service's database and tables to another role, so that the service's own role owns nothing. The service goes on meanwhile.
-- An administrator of the server runs it once, connected to the service's database; both roles exist:
--   psql "host=... dbname=issuance user=..." -v ON_ERROR_STOP=1 -v service=issuance -v owner=issuance_owner -v schema=public -f scripts/hand-over-tables.sql
-- schema is registration for the registration, and public for the others.
-- An administrator who is no superuser is first made a member of both: GRANT issuance, issuance_owner TO CURRENT_USER.
BEGIN;
SET LOCAL lock_timeout = '10s';
REASSIGN OWNED BY :"service" TO :"owner";
ALTER DATABASE :"DBNAME" OWNER TO :"owner";
-- where PostgreSQL 14 or an older one made the cluster, everybody may create objects there
REVOKE CREATE ON SCHEMA public FROM PUBLIC, :"service";
GRANT USAGE, CREATE ON SCHEMA :"schema" TO :"owner";
GRANT USAGE ON SCHEMA :"schema" TO :"service";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA :"schema" TO :"service";
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA :"schema" TO :"service";
COMMIT;
