-- contract after 0.1.0: subjects that differ only in case or spaces are one person; one officer's opinion expires; a closed registration is not changed
-- As Operator.folded has it. Decisions from before stay as they are.
ALTER TABLE person_change ADD CONSTRAINT change_of_two_persons CHECK (verdict <> 'accepted'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
ALTER TABLE standing_step ADD CONSTRAINT step_of_two_persons CHECK (verdict <> 'accepted'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;

-- What the service does by itself is nobody's second word.
ALTER TABLE person_change ADD CONSTRAINT change_accepted_by_a_person
    CHECK (verdict <> 'accepted' OR NOT starts_with(lower(decided_by), 'system:')) NOT VALID;
ALTER TABLE standing_step ADD CONSTRAINT step_accepted_by_a_person
    CHECK (verdict <> 'accepted' OR NOT starts_with(lower(decided_by), 'system:')) NOT VALID;

CREATE OR REPLACE FUNCTION refuse_lonely_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM match_disposition d WHERE d.sequence = NEW.disposition AND (d.verdict <> 'false-positive'
        OR lower(regexp_replace(d.officer, '\s', '', 'g')) = lower(regexp_replace(NEW.officer, '\s', '', 'g'))))
    THEN
        RAISE EXCEPTION 'another person confirms that a match is not the person';
    END IF;
    RETURN NEW;
END $$;

-- An opinion that no second one followed in time expires, and its officer may give one again.
ALTER TABLE duplicate_opinion ADD COLUMN sequence bigint GENERATED ALWAYS AS IDENTITY;
ALTER TABLE duplicate_opinion DROP CONSTRAINT duplicate_opinion_pkey, ADD PRIMARY KEY (sequence);
CREATE INDEX duplicate_opinion_by_pair ON duplicate_opinion (case_id, other_id);
CREATE TRIGGER duplicate_opinion_is_kept BEFORE TRUNCATE ON duplicate_opinion FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();

CREATE TABLE expired_opinion (
    opinion bigint      PRIMARY KEY REFERENCES duplicate_opinion (sequence),
    at      timestamptz NOT NULL
);
CREATE FUNCTION refuse_expiry_of_verdict() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM duplicate_opinion o JOIN possible_duplicate d USING (case_id, other_id)
        WHERE o.sequence = NEW.opinion AND d.verdict IS NOT NULL) THEN
        RAISE EXCEPTION 'an opinion that decided stays';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER no_expiry_of_verdict BEFORE INSERT ON expired_opinion FOR EACH ROW EXECUTE FUNCTION refuse_expiry_of_verdict();
CREATE TRIGGER expired_opinion_is_final BEFORE UPDATE OR DELETE ON expired_opinion FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER expired_opinion_is_kept BEFORE TRUNCATE ON expired_opinion FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();

CREATE OR REPLACE FUNCTION refuse_lonely_verdict() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.verdict IS NOT NULL THEN
        RAISE EXCEPTION 'a verdict on two cases is never changed';
    END IF;
    IF NEW.verdict IS NOT NULL AND 2 > (
        SELECT count(DISTINCT lower(regexp_replace(officer, '\s', '', 'g'))) FROM duplicate_opinion o
        WHERE o.case_id = NEW.case_id AND o.other_id = NEW.other_id AND o.verdict = NEW.verdict
            AND NOT EXISTS (SELECT 1 FROM expired_opinion e WHERE e.opinion = o.sequence))
    THEN
        RAISE EXCEPTION 'a verdict on two cases needs two people';
    END IF;
    RETURN NEW;
END $$;

-- Changes and steps lock the case, so none slips in while a registration is closed.
CREATE FUNCTION refuse_change_of_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.verdict IS NOT DISTINCT FROM OLD.verdict OR NEW.verdict <> 'accepted' THEN
            RETURN NEW;
        END IF;
    END IF;
    IF EXISTS (
        SELECT 1 FROM standing_step s WHERE s.case_id = NEW.case_id AND s.kind = 'close' AND s.verdict = 'accepted')
    THEN
        RAISE EXCEPTION 'a closed registration is not changed';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER no_change_of_closed BEFORE INSERT OR UPDATE ON person_change FOR EACH ROW EXECUTE FUNCTION refuse_change_of_closed();
