-- contract after 0.1.0: payouts wait for the screening of their payees

-- Who pays in (the payer of a funding's line) and who is paid out is screened against the lists of the sanctions service. sealed is HPKE
-- ciphertext of the name and the matches; matches is a digest of what the lists say of them. status: passed; open, a match that nobody has
-- looked at; proposed, one person said what it is; other-person and listed, two persons did; superseded by a newer screening.
CREATE TABLE screening (
    screening_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject_kind text        NOT NULL CHECK (subject_kind IN ('funding', 'payout')),
    subject      text        NOT NULL,
    verdict      text        NOT NULL CHECK (verdict IN ('clear', 'match', 'unreadable')),
    basis        text        NOT NULL,
    matches      bytea       NOT NULL CHECK (octet_length(matches) = 32),
    sealed       bytea       NOT NULL,
    screened_at  timestamptz NOT NULL,
    status       text        NOT NULL CHECK (status IN ('passed', 'open', 'proposed', 'other-person', 'listed', 'superseded')),
    said         text        CHECK (said IN ('other-person', 'listed')),
    reason       text        CHECK (length(reason) BETWEEN 1 AND 500),
    proposed_by  text,
    proposed_at  timestamptz,
    decided_by   text,
    decided_at   timestamptz,
    CONSTRAINT proposed_with_reason CHECK ((said IS NULL) = (reason IS NULL) AND (said IS NULL) = (proposed_by IS NULL)),
    CONSTRAINT said_as_decided CHECK (status NOT IN ('proposed', 'other-person', 'listed') OR said IS NOT NULL),
    CONSTRAINT decided_as_said CHECK (status NOT IN ('other-person', 'listed') OR (said = status AND decided_by IS NOT NULL)),
    CONSTRAINT screening_four_eyes CHECK (decided_by <> proposed_by)
);
CREATE INDEX screening_by_subject ON screening (subject_kind, subject);
CREATE UNIQUE INDEX one_open_screening ON screening (subject_kind, subject) WHERE status IN ('open', 'proposed');

CREATE FUNCTION guard_screening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status NOT IN ('open', 'proposed')
       OR (NEW.screening_id, NEW.subject_kind, NEW.subject, NEW.verdict, NEW.basis, NEW.matches, NEW.sealed, NEW.screened_at)
       IS DISTINCT FROM
       (OLD.screening_id, OLD.subject_kind, OLD.subject, OLD.verdict, OLD.basis, OLD.matches, OLD.sealed, OLD.screened_at) THEN
        RAISE EXCEPTION 'a decided screening is never changed, nor what it found';
    END IF;
    IF NEW.status IN ('other-person', 'listed')
       AND (OLD.status <> 'proposed' OR (NEW.said, NEW.reason, NEW.proposed_by) IS DISTINCT FROM (OLD.said, OLD.reason, OLD.proposed_by)) THEN
        RAISE EXCEPTION 'what a match is, two persons say';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER screening_is_guarded BEFORE UPDATE ON screening FOR EACH ROW EXECUTE FUNCTION guard_screening();
CREATE TRIGGER screening_is_kept BEFORE DELETE ON screening FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER screening_not_truncated BEFORE TRUNCATE ON screening FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_new_screening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status NOT IN ('passed', 'open') OR NEW.said IS NOT NULL OR NEW.decided_by IS NOT NULL THEN
        RAISE EXCEPTION 'rows of screening begin undecided';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER screening_begins_undecided BEFORE INSERT ON screening FOR EACH ROW EXECUTE FUNCTION guard_new_screening();

ALTER TABLE payout
    DROP CONSTRAINT payout_hold_check,
    ADD CONSTRAINT payout_hold_check CHECK (hold IN ('unexamined', 'none', 'iban-invalid', 'agent-unknown', 'screening'));
