-- expand: what the signer has signed, in a schema of its own, so that no shard's rows can make it sign a second core

-- One core for each serial number that it ever signed, for all time: the primary key is the rule. A row takes about 180 bytes with its index.
CREATE TABLE signed (
    serial bytea PRIMARY KEY CHECK (octet_length(serial) = 32),
    core   bytea NOT NULL    CHECK (octet_length(core) = 32)
);

-- How many records of the sign-log are in the table. The authority's anchor has the same number: one schema that was dropped, or
-- restored without the other, is noticed.
CREATE TABLE signed_position (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    sequence bigint  NOT NULL CHECK (sequence >= 0)
);
INSERT INTO signed_position (sequence) VALUES (0);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are for ever', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER signed_for_ever BEFORE UPDATE OR DELETE ON signed FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER signed_not_truncated BEFORE TRUNCATE ON signed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER signed_position_stays BEFORE DELETE ON signed_position FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER signed_position_not_truncated BEFORE TRUNCATE ON signed_position FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
