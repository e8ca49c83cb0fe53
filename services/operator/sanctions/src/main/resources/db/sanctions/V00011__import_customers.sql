-- expand: which customers an import would hit, as the registration found before the second person decides
CREATE TABLE import_customers (
    proposal uuid        PRIMARY KEY REFERENCES list_import (proposal),
    screened bigint      NOT NULL CHECK (screened >= 0),
    hit      bigint      NOT NULL CHECK (hit BETWEEN 0 AND screened),
    -- the first of them, ids of cases
    cases    uuid[]      NOT NULL,
    found_at timestamptz NOT NULL
);
CREATE TRIGGER import_customers_is_final BEFORE UPDATE OR DELETE ON import_customers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER import_customers_stays BEFORE TRUNCATE ON import_customers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
