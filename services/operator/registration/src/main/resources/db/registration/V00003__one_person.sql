-- contract after 0.1.0: a person is no longer the hash of a document, and two people decide who registers twice
-- A person outlives her documents, her name and her cases. The tag, which she gets with her approval and keeps, is all that compliance
-- issuers know of her.
CREATE TABLE person (
    id         uuid        PRIMARY KEY,
    tag        bytea       UNIQUE CHECK (octet_length(tag) = 32),
    created_at timestamptz NOT NULL
);
INSERT INTO person (id, tag, created_at) SELECT gen_random_uuid(), person_tag, min(created_at) FROM kyc_case GROUP BY person_tag;

ALTER TABLE kyc_case ADD COLUMN person_id uuid, ADD COLUMN birth_key bytea CHECK (octet_length(birth_key) = 32);
ALTER TABLE kyc_case DISABLE TRIGGER kyc_decision_is_final;
UPDATE kyc_case SET person_id = person.id FROM person WHERE person.tag = kyc_case.person_tag;
ALTER TABLE kyc_case ENABLE TRIGGER kyc_decision_is_final;

-- The documents that a person has shown, each with the case that holds it sealed.
CREATE TABLE person_document (
    person_id    uuid        NOT NULL REFERENCES person (id),
    document_key bytea       NOT NULL CHECK (octet_length(document_key) = 32),
    case_id      uuid        NOT NULL REFERENCES kyc_case (id),
    added_at     timestamptz NOT NULL,
    PRIMARY KEY (person_id, document_key)
);
CREATE INDEX person_document_by_key ON person_document (document_key);
INSERT INTO person_document (person_id, document_key, case_id, added_at)
    SELECT DISTINCT ON (person_id, document_key) person_id, document_key, id, created_at FROM kyc_case
    ORDER BY person_id, document_key, created_at;

-- The indexes on these columns go with them.
ALTER TABLE kyc_case DROP COLUMN person_tag, DROP COLUMN identity_key, DROP COLUMN document_key,
    ALTER COLUMN person_id SET NOT NULL,
    ADD CONSTRAINT case_of_a_person FOREIGN KEY (person_id) REFERENCES person (id) DEFERRABLE INITIALLY DEFERRED,
    DROP CONSTRAINT kyc_case_status_check,
    ADD CONSTRAINT kyc_case_status_check
        CHECK (status IN ('pending-screening', 'pending', 'review', 'possible-duplicate', 'approved', 'refused')),
    DROP CONSTRAINT screened_before_decided,
    ADD CONSTRAINT screened_before_decided
        CHECK (status NOT IN ('pending', 'review', 'possible-duplicate', 'approved') OR screened_at IS NOT NULL);
CREATE UNIQUE INDEX one_approved_case_per_person ON kyc_case (person_id) WHERE status = 'approved';
CREATE INDEX kyc_case_by_person ON kyc_case (person_id);
CREATE INDEX kyc_case_by_birth ON kyc_case (birth_key);
-- The service fills older rows; until it has, it takes no registration.
CREATE INDEX kyc_case_without_birth_key ON kyc_case (id) WHERE birth_key IS NULL;

-- A later case that may be of the person of an earlier one.
CREATE TABLE possible_duplicate (
    case_id       uuid        NOT NULL REFERENCES kyc_case (id),
    other_id      uuid        NOT NULL REFERENCES kyc_case (id),
    same_document boolean     NOT NULL,
    likeness      float8      NOT NULL CHECK (likeness BETWEEN 0 AND 1),
    found_at      timestamptz NOT NULL,
    verdict       text        CHECK (verdict IN ('duplicate', 'other-person')),
    decided_at    timestamptz,
    PRIMARY KEY (case_id, other_id),
    CONSTRAINT two_cases CHECK (case_id <> other_id),
    CONSTRAINT decided_with_verdict CHECK ((verdict IS NULL) = (decided_at IS NULL))
);
CREATE INDEX possible_duplicate_by_other ON possible_duplicate (other_id);

CREATE TABLE duplicate_opinion (
    case_id       uuid        NOT NULL,
    other_id      uuid        NOT NULL,
    officer       text        NOT NULL,
    verdict       text        NOT NULL CHECK (verdict IN ('duplicate', 'other-person')),
    sealed_reason bytea       NOT NULL,
    at            timestamptz NOT NULL,
    PRIMARY KEY (case_id, other_id, officer),
    FOREIGN KEY (case_id, other_id) REFERENCES possible_duplicate (case_id, other_id)
);
CREATE TRIGGER duplicate_opinion_is_final BEFORE UPDATE OR DELETE ON duplicate_opinion
    FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

-- No program error can decide alone, or undo a verdict.
CREATE FUNCTION refuse_lonely_verdict() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.verdict IS NOT NULL THEN
        RAISE EXCEPTION 'a verdict on two cases is never changed';
    END IF;
    IF NEW.verdict IS NOT NULL AND 2 > (
        SELECT count(DISTINCT lower(btrim(officer))) FROM duplicate_opinion o
        WHERE o.case_id = NEW.case_id AND o.other_id = NEW.other_id AND o.verdict = NEW.verdict)
    THEN
        RAISE EXCEPTION 'a verdict on two cases needs two people';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER duplicate_verdict_of_two BEFORE UPDATE OR DELETE ON possible_duplicate
    FOR EACH ROW EXECUTE FUNCTION refuse_lonely_verdict();

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
    IF NEW.status = 'approved' AND OLD.status <> 'approved' AND EXISTS (
        SELECT 1 FROM possible_duplicate d JOIN kyc_case other ON other.id = d.other_id
        WHERE d.case_id = NEW.id AND other.status <> 'refused' AND d.verdict IS DISTINCT FROM 'other-person')
    THEN
        RAISE EXCEPTION 'two people first decide whether this person is registered already';
    END IF;
    RETURN NEW;
END $$;
