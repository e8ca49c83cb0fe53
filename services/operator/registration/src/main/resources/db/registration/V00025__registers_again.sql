-- contract after 0.1.0: who lost her phrase registers again; a process of 0.1.0 takes one registration for all that a person can have
ALTER TABLE standing_step ADD COLUMN cause text CHECK (cause = 'phrase-lost'),
    ADD CONSTRAINT cause_of_a_closing CHECK (cause IS NULL OR kind = 'close');

-- How many registrations a person had with this one. Her first tag is in person; each later registration has one of its own.
ALTER TABLE kyc_case ADD COLUMN generation integer NOT NULL DEFAULT 1 CHECK (generation > 0);
DROP INDEX one_approved_case_per_person;
CREATE UNIQUE INDEX one_approved_case_per_generation ON kyc_case (person_id, generation) WHERE status = 'approved';

ALTER TABLE possible_duplicate DROP CONSTRAINT possible_duplicate_verdict_check,
    ADD CONSTRAINT possible_duplicate_verdict_check CHECK (verdict IN ('duplicate', 'other-person', 'registers-again'));
ALTER TABLE duplicate_opinion DROP CONSTRAINT duplicate_opinion_verdict_check,
    ADD CONSTRAINT duplicate_opinion_verdict_check CHECK (verdict IN ('duplicate', 'other-person', 'registers-again'));

CREATE FUNCTION is_phrase_lost(of_case uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM standing_step s
        WHERE s.case_id = of_case AND s.kind = 'close' AND s.verdict = 'accepted' AND s.cause = 'phrase-lost')
$$;

-- As before, and a person has one registration that is not closed because she lost her phrase.
CREATE OR REPLACE FUNCTION refuse_decision_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    filled record := NEW;
BEGIN
    IF OLD.birth_key IS NULL THEN
        filled.birth_key := NULL; -- of rows that were decided before the column came
    END IF;
    IF OLD.status = 'refused' THEN
        filled.person_id := OLD.person_id; -- of a duplicate of a duplicate
    END IF;
    IF OLD.status IN ('approved', 'refused') AND filled IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'a decided case is never changed';
    END IF;
    IF NEW.status = 'approved' AND OLD.status <> 'approved' THEN
        IF EXISTS (
            SELECT 1 FROM possible_duplicate d JOIN kyc_case other ON other.id = d.other_id
            WHERE d.case_id = NEW.id AND other.status <> 'refused' AND d.verdict IS DISTINCT FROM 'other-person'
                AND NOT (d.verdict IS NOT DISTINCT FROM 'registers-again' AND other.person_id = NEW.person_id))
        THEN
            RAISE EXCEPTION 'two people first decide whether this person is registered already';
        END IF;
        IF EXISTS (
            SELECT 1 FROM kyc_case other WHERE other.person_id = NEW.person_id AND other.id <> NEW.id AND other.status = 'approved'
                AND (other.generation >= NEW.generation OR NOT is_phrase_lost(other.id)))
        THEN
            RAISE EXCEPTION 'this person is registered already';
        END IF;
        IF NOT EXISTS (SELECT 1 FROM newest_screening n WHERE n.case_id = NEW.id AND n.open_matches = 0) THEN
            RAISE EXCEPTION 'an approval needs a screening without an open match';
        END IF;
    END IF;
    RETURN NEW;
END $$;
