-- A person, by her keyed tag, and an address register once each and for ever [V-15]. No identity is here. The request is kept so that
-- its coin can be signed again after a refresh of the key shares.
CREATE TABLE registration (
    core        bytea       PRIMARY KEY CHECK (octet_length(core) = 32),
    person_tag  bytea       NOT NULL UNIQUE CHECK (octet_length(person_tag) = 32),
    apk         bytea       NOT NULL UNIQUE CHECK (octet_length(apk) = 32),
    request     bytea       NOT NULL,
    attestation text        NOT NULL,
    reserved_at timestamptz NOT NULL
);

-- What this authority answered, once per share epoch.
CREATE TABLE answer (
    core        bytea       NOT NULL REFERENCES registration (core),
    share_epoch integer     NOT NULL,
    partial     bytea       NOT NULL,
    answered_at timestamptz NOT NULL,
    PRIMARY KEY (core, share_epoch)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are for ever', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER registration_for_ever BEFORE UPDATE OR DELETE ON registration FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER registration_is_kept BEFORE TRUNCATE ON registration FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER answer_for_ever BEFORE UPDATE OR DELETE ON answer FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER answer_is_kept BEFORE TRUNCATE ON answer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
