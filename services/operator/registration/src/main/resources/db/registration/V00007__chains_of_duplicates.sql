-- contract after 0.1.0: a refused case becomes one of another person, when its own person is found to be that one
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
