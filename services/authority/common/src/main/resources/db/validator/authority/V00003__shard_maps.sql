-- Every shard map this authority ever signed; the newest is in force. A version comes in together with the ownership rows
-- it describes, in one transaction.
CREATE TABLE shard_maps (
    version   bigint      PRIMARY KEY CHECK (version > 0),
    note      text        NOT NULL,
    signed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER shard_maps_for_ever BEFORE UPDATE OR DELETE ON shard_maps FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER shard_maps_not_truncated BEFORE TRUNCATE ON shard_maps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Splits of a shard's range, one at a time. A split that was stopped goes on from its last step.
-- copied_to: rows of the step under way are copied up to here.
CREATE TABLE range_splits (
    new_shard    integer     PRIMARY KEY CHECK (new_shard > 0),
    shard        integer     NOT NULL CHECK (shard >= 0),
    base_version bigint      NOT NULL REFERENCES shard_maps (version),
    at           bytea       NOT NULL CHECK (octet_length(at) = 32),
    hi_exclusive bytea                CHECK (octet_length(hi_exclusive) = 32),
    step         text        NOT NULL,
    copied_to    bytea,
    started_at   timestamptz NOT NULL DEFAULT now(),
    finished_at  timestamptz
);
CREATE UNIQUE INDEX one_split_at_a_time ON range_splits ((true)) WHERE finished_at IS NULL;
