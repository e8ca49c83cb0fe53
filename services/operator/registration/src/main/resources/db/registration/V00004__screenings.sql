-- contract after 0.1.0: a screening says against what, each match has a disposition of its own, and approvals need both
CREATE TABLE screening_basis (
    digest        bytea       PRIMARY KEY CHECK (octet_length(digest) = 32),
    lists         text        NOT NULL,
    matcher       text        NOT NULL,
    threshold     float8      NOT NULL,
    first_used_at timestamptz NOT NULL
);

-- Every screening of every case.
CREATE TABLE screening (
    sequence       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id        uuid        NOT NULL REFERENCES kyc_case (id),
    at             timestamptz NOT NULL,
    basis          bytea       NOT NULL REFERENCES screening_basis (digest),
    verdict        text        NOT NULL CHECK (verdict IN ('clear', 'match', 'unreadable')),
    sealed_matches bytea -- absent without matches, which are also earlier cases
);
CREATE INDEX screening_by_case ON screening (case_id, sequence);

-- The newest one, and how many of its matches nobody has called false.
CREATE TABLE newest_screening (
    case_id      uuid    PRIMARY KEY REFERENCES kyc_case (id),
    screening    bigint  NOT NULL REFERENCES screening (sequence),
    basis        bytea   NOT NULL REFERENCES screening_basis (digest),
    open_matches integer NOT NULL CHECK (open_matches >= 0)
);
CREATE INDEX newest_screening_open ON newest_screening (case_id) WHERE open_matches > 0;

-- The subject is a keyed hash of the person's details, the listed entry and its content: when one of them changes, the disposition is void.
CREATE TABLE match_disposition (
    sequence      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id       uuid        NOT NULL REFERENCES kyc_case (id),
    subject       bytea       NOT NULL CHECK (octet_length(subject) = 32),
    verdict       text        NOT NULL CHECK (verdict IN ('false-positive', 'true-match')),
    sealed_reason bytea       NOT NULL,
    officer       text        NOT NULL,
    at            timestamptz NOT NULL
);
CREATE INDEX match_disposition_by_case ON match_disposition (case_id, sequence);

CREATE TRIGGER screening_basis_is_final BEFORE UPDATE OR DELETE ON screening_basis FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER screening_is_final BEFORE UPDATE OR DELETE ON screening FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER screening_is_kept BEFORE TRUNCATE ON screening FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER match_disposition_is_final BEFORE UPDATE OR DELETE ON match_disposition FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER match_disposition_is_kept BEFORE TRUNCATE ON match_disposition FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();

-- As before, and an approval needs a kept screening without an open match.
CREATE OR REPLACE FUNCTION refuse_decision_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    filled record := NEW;
BEGIN
    IF OLD.birth_key IS NULL THEN
        filled.birth_key := NULL; -- of rows that were decided before the column came
    END IF;
    IF OLD.status IN ('approved', 'refused') AND filled IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'a decided case is never changed';
    END IF;
    IF NEW.status = 'approved' AND OLD.status <> 'approved' THEN
        IF EXISTS (
            SELECT 1 FROM possible_duplicate d JOIN kyc_case other ON other.id = d.other_id
            WHERE d.case_id = NEW.id AND other.status <> 'refused' AND d.verdict IS DISTINCT FROM 'other-person')
        THEN
            RAISE EXCEPTION 'two people first decide whether this person is registered already';
        END IF;
        IF NOT EXISTS (SELECT 1 FROM newest_screening n WHERE n.case_id = NEW.id AND n.open_matches = 0) THEN
            RAISE EXCEPTION 'an approval needs a screening without an open match';
        END IF;
    END IF;
    RETURN NEW;
END $$;
