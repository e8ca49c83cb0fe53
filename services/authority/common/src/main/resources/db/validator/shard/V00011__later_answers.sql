-- expand: answers in other epochs than a core's first one, which is beside its request

-- One answer for each core and epoch of the shares, for all time. A release before this one gives the first answer only.
CREATE TABLE later_answers (
    lead_serial bytea       NOT NULL CHECK (octet_length(lead_serial) = 32),
    share_epoch integer     NOT NULL CHECK (share_epoch >= 0),
    reply       bytea       NOT NULL,
    signed_at   timestamptz NOT NULL,
    PRIMARY KEY (lead_serial, share_epoch)
);

CREATE TRIGGER later_answers_for_ever BEFORE UPDATE OR DELETE ON later_answers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER later_answers_not_truncated BEFORE TRUNCATE ON later_answers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
