-- Sanctions lists, one set of rows for each imported version.
CREATE TABLE list_head (
    list    text   PRIMARY KEY,
    version bigint NOT NULL
);
INSERT INTO list_head (list, version) VALUES ('un', 0), ('ofac', 0), ('ofac-alt', 0);

CREATE TABLE list_version (
    list         text        NOT NULL REFERENCES list_head (list),
    version      bigint      NOT NULL CHECK (version > 0),
    file_digest  bytea       NOT NULL CHECK (octet_length(file_digest) = 32),
    file_bytes   bigint      NOT NULL,
    published    text        NOT NULL,
    entries      integer     NOT NULL,
    names        integer     NOT NULL,
    malformed    integer     NOT NULL,
    malformed_at integer[]   NOT NULL,
    imported_by  text        NOT NULL,
    imported_at  timestamptz NOT NULL,
    PRIMARY KEY (list, version)
);

CREATE TABLE listed_entry (
    list       text      NOT NULL,
    version    bigint    NOT NULL,
    ordinal    integer   NOT NULL,
    reference  text      NOT NULL,
    kind       text      NOT NULL,
    names      text[]    NOT NULL,
    weak_names text[]    NOT NULL,
    birth_from integer[] NOT NULL,
    birth_to   integer[] NOT NULL,
    PRIMARY KEY (list, version, ordinal)
);

-- What one operator proposed and another decided.
CREATE TABLE proposal (
    sequence        bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    id              uuid        PRIMARY KEY,
    kind            text        NOT NULL,
    payload         text        NOT NULL,
    proposed_by     text        NOT NULL,
    proposed_at     timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    idempotency_key text,
    state           text        NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'refused')),
    decided_by      text,
    decided_at      timestamptz,
    outcome         text,
    UNIQUE (proposed_by, idempotency_key),
    CONSTRAINT proposal_decided CHECK ((state = 'pending') = (decided_by IS NULL)),
    -- no program error can let one person do both
    CONSTRAINT proposal_four_eyes CHECK (state <> 'approved' OR decided_by <> proposed_by)
);

-- Addresses that may neither pay nor be paid, by their comparison key.
CREATE TABLE sanctioned_address (
    key       bytea       PRIMARY KEY CHECK (octet_length(key) = 20),
    reason    text        NOT NULL,
    proposal  uuid        NOT NULL REFERENCES proposal (id),
    listed_at timestamptz NOT NULL
);

-- Published versions of that list. A version is never changed or removed.
CREATE TABLE checkpoint (
    version      bigint      PRIMARY KEY CHECK (version > 0),
    note         text        NOT NULL,
    list_digest  bytea       NOT NULL CHECK (octet_length(list_digest) = 32),
    size         integer     NOT NULL,
    keys         bytea       NOT NULL,
    published_by text        NOT NULL,
    published_at timestamptz NOT NULL,
    CHECK (octet_length(keys) = 20 * size)
);
-- the keys are digests of random points: compressing them is wasted work
ALTER TABLE checkpoint ALTER COLUMN keys SET STORAGE EXTERNAL;

-- Published limits. A version is never changed or removed.
CREATE TABLE policy (
    version             bigint      PRIMARY KEY CHECK (version > 0),
    note                text        NOT NULL,
    period              integer     NOT NULL,
    effective_at_millis bigint      NOT NULL,
    proposal            uuid        NOT NULL UNIQUE REFERENCES proposal (id),
    published_at        timestamptz NOT NULL
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME;
END $$;
CREATE TRIGGER checkpoint_is_final BEFORE UPDATE OR DELETE ON checkpoint FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER policy_is_final BEFORE UPDATE OR DELETE ON policy FOR EACH ROW EXECUTE FUNCTION refuse_change();
