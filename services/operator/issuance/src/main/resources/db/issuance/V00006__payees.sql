-- expand: corrected accounts of payouts

-- A payee that two persons put in the place of the wallet's instruction, from an attempt on. sealed is HPKE ciphertext of name and account.
CREATE TABLE payee_correction (
    correction_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lead_serial   bytea       NOT NULL REFERENCES payout (lead_serial),
    attempt       integer     NOT NULL,
    sealed        bytea       NOT NULL,
    reason        text        NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
    status        text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
    proposed_by   text        NOT NULL,
    proposed_at   timestamptz NOT NULL,
    decided_by    text,
    decided_at    timestamptz,
    CONSTRAINT correction_decided CHECK ((status = 'pending') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT correction_four_eyes CHECK (status <> 'approved' OR decided_by <> proposed_by)
);
CREATE INDEX payee_correction_by_payout ON payee_correction (lead_serial, correction_id);
CREATE UNIQUE INDEX one_open_correction ON payee_correction (lead_serial) WHERE status = 'pending';

CREATE FUNCTION guard_correction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR (NEW.correction_id, NEW.lead_serial, NEW.attempt, NEW.sealed, NEW.reason, NEW.proposed_by, NEW.proposed_at)
       IS DISTINCT FROM (OLD.correction_id, OLD.lead_serial, OLD.attempt, OLD.sealed, OLD.reason, OLD.proposed_by, OLD.proposed_at) THEN
        RAISE EXCEPTION 'a decided correction is never changed, nor what a correction is';
    END IF;
    IF NEW.status = 'approved' AND NOT EXISTS (
        SELECT 1 FROM payout WHERE lead_serial = NEW.lead_serial AND state = 'accepted' AND batch_id IS NULL AND attempt = NEW.attempt) THEN
        RAISE EXCEPTION 'a payee is corrected before the payout is in a batch';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payee_correction_is_guarded BEFORE UPDATE ON payee_correction FOR EACH ROW EXECUTE FUNCTION guard_correction();
CREATE TRIGGER payee_correction_begins_undecided BEFORE INSERT ON payee_correction FOR EACH ROW EXECUTE FUNCTION guard_beginning();
CREATE TRIGGER payee_correction_is_kept BEFORE DELETE ON payee_correction FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payee_correction_not_truncated BEFORE TRUNCATE ON payee_correction FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
