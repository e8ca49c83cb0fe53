-- One shard: the serial numbers of its range, and the cores it coordinates.

-- What this schema owns. Read FOR SHARE by every reservation, so that fencing it waits for reservations under way.
CREATE TABLE ownership (
    only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    map_version  bigint  NOT NULL,
    lo           bytea   NOT NULL CHECK (octet_length(lo) = 32),
    hi_exclusive bytea            CHECK (octet_length(hi_exclusive) = 32),
    fenced       boolean NOT NULL DEFAULT false
);

-- One core per serial number, for all time: the primary key is the rule.
CREATE TABLE serials (
    serial bytea PRIMARY KEY CHECK (octet_length(serial) = 32),
    core   bytea NOT NULL    CHECK (octet_length(core) = 32)
);

-- request: the whole request, sealed memo included, so that a seed phrase alone recovers a transfer in flight.
-- reply: the exact bytes of the answer; once there they never change.
CREATE TABLE cores (
    core        bytea       PRIMARY KEY CHECK (octet_length(core) = 32),
    family      smallint    NOT NULL,
    lead_serial bytea       NOT NULL UNIQUE REFERENCES serials (serial),
    request     bytea       NOT NULL,
    reply       bytea,
    share_epoch integer,
    signed_at   timestamptz,
    CHECK ((reply IS NULL) = (share_epoch IS NULL) AND (reply IS NULL) = (signed_at IS NULL))
);

-- Signed cores that no `spent` event has counted yet.
CREATE TABLE uncounted (
    core bytea PRIMARY KEY
);

CREATE TABLE signed_total (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    signed   bigint  NOT NULL
);
INSERT INTO signed_total (signed) VALUES (0);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are for ever', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION keep_reply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.reply IS NOT NULL OR NEW.core <> OLD.core OR NEW.lead_serial <> OLD.lead_serial OR NEW.family <> OLD.family THEN
        RAISE EXCEPTION 'an answered core cannot be rewritten' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER serials_for_ever BEFORE UPDATE OR DELETE ON serials FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER serials_not_truncated BEFORE TRUNCATE ON serials FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER cores_keep_reply BEFORE UPDATE ON cores FOR EACH ROW EXECUTE FUNCTION keep_reply();
CREATE TRIGGER cores_for_ever BEFORE DELETE ON cores FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER cores_not_truncated BEFORE TRUNCATE ON cores FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
