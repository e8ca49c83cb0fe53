-- expand: two people change the details of a registered person, whose tag stays
CREATE TABLE person_change (
    id            uuid        PRIMARY KEY,
    sequence      bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,
    case_id       uuid        NOT NULL REFERENCES kyc_case (id),
    sealed_person bytea       NOT NULL,
    birth_key     bytea       NOT NULL CHECK (octet_length(birth_key) = 32),
    document_key  bytea       NOT NULL CHECK (octet_length(document_key) = 32),
    sealed_reason bytea       NOT NULL,
    proposed_by   text        NOT NULL,
    proposed_at   timestamptz NOT NULL,
    verdict       text        CHECK (verdict IN ('accepted', 'refused')),
    decided_by    text,
    decided_at    timestamptz,
    CONSTRAINT change_decided_by_somebody
        CHECK ((verdict IS NULL) = (decided_by IS NULL) AND (verdict IS NULL) = (decided_at IS NULL)),
    CONSTRAINT change_accepted_by_another CHECK (verdict <> 'accepted' OR lower(btrim(decided_by)) <> lower(btrim(proposed_by)))
);
CREATE INDEX person_change_by_case ON person_change (case_id, sequence);
CREATE INDEX person_change_by_birth ON person_change (birth_key) WHERE verdict = 'accepted';
CREATE UNIQUE INDEX one_open_change_per_case ON person_change (case_id) WHERE verdict IS NULL;

-- What was proposed is what is decided.
CREATE FUNCTION refuse_other_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    same record := NEW;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.verdict IS NULL THEN
        same.verdict := NULL;
        same.decided_by := NULL;
        same.decided_at := NULL;
        IF same IS NOT DISTINCT FROM OLD THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'a proposed change is decided once and never changed';
END $$;
CREATE TRIGGER person_change_is_final BEFORE UPDATE OR DELETE ON person_change FOR EACH ROW EXECUTE FUNCTION refuse_other_change();
CREATE TRIGGER person_change_is_kept BEFORE TRUNCATE ON person_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();
