-- expand: recovers, several of which may have one lead serial number, because they leave it to a core below them

-- Rows are only inserted. request: the whole recover with all requests below it, so that a seed phrase alone finds it again.
CREATE TABLE recovers (
    core        bytea       PRIMARY KEY CHECK (octet_length(core) = 32),
    lead_serial bytea       NOT NULL REFERENCES serials (serial),
    request     bytea       NOT NULL,
    reserved_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX recovers_by_lead ON recovers (lead_serial, reserved_at);

-- One answer for each recover and epoch of the shares, for all time.
CREATE TABLE recover_answers (
    core        bytea       NOT NULL CHECK (octet_length(core) = 32),
    lead_serial bytea       NOT NULL CHECK (octet_length(lead_serial) = 32),
    share_epoch integer     NOT NULL CHECK (share_epoch >= 0),
    reply       bytea       NOT NULL,
    signed_at   timestamptz NOT NULL,
    PRIMARY KEY (core, share_epoch)
);
CREATE INDEX recover_answers_by_lead ON recover_answers (lead_serial);

CREATE TRIGGER recovers_for_ever BEFORE UPDATE OR DELETE ON recovers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recovers_not_truncated BEFORE TRUNCATE ON recovers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recover_answers_for_ever BEFORE UPDATE OR DELETE ON recover_answers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER recover_answers_not_truncated BEFORE TRUNCATE ON recover_answers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
