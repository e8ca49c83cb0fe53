-- contract after 0.1.0: who registers again is a customer, whose earlier registration at the same bank is not erased
CREATE OR REPLACE FUNCTION refuse_early_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM kyc_case c WHERE c.id = NEW.case_id AND (c.status = 'refused' OR (c.status = 'approved' AND EXISTS (
            SELECT 1 FROM standing_step s WHERE s.case_id = c.id AND s.kind = 'close' AND s.verdict = 'accepted'))))
    THEN
        RAISE EXCEPTION 'only a refused case or a closed registration is erased';
    END IF;
    IF EXISTS (
        SELECT 1 FROM kyc_case c JOIN kyc_case other ON other.person_id = c.person_id AND other.bank = c.bank AND other.status <> 'refused'
        WHERE c.id = NEW.case_id AND NOT EXISTS (
            SELECT 1 FROM standing_step s WHERE s.case_id = other.id AND s.kind = 'close' AND s.verdict = 'accepted'))
    THEN
        RAISE EXCEPTION 'a customer is not erased';
    END IF;
    IF NEW.rule = 'request' AND NOT EXISTS (
        SELECT 1 FROM kyc_case c JOIN kyc_case asked ON asked.person_id = c.person_id AND asked.bank = c.bank JOIN standing_step s ON s.case_id = asked.id
        WHERE c.id = NEW.case_id AND s.kind = 'erase' AND s.verdict = 'accepted')
    THEN
        RAISE EXCEPTION 'two people erase at a request';
    END IF;
    RETURN NEW;
END $$;
