-- contract after 0.1.0: organisations register, and two people approve each; a release from before cannot read their cases
ALTER TABLE kyc_case ADD COLUMN kind text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'organisation'));

-- Who has approved an organisation, and why. The second one decides.
CREATE TABLE case_approval (
    sequence      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id       uuid        NOT NULL REFERENCES kyc_case (id),
    officer       text        NOT NULL,
    sealed_reason bytea       NOT NULL,
    at            timestamptz NOT NULL
);
CREATE INDEX case_approval_by_case ON case_approval (case_id, sequence);
CREATE TRIGGER case_approval_is_final BEFORE UPDATE OR DELETE ON case_approval FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER case_approval_is_kept BEFORE TRUNCATE ON case_approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();

-- No program error can approve an organisation alone, or make it a person first.
CREATE FUNCTION refuse_lonely_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind IS DISTINCT FROM OLD.kind THEN
        RAISE EXCEPTION 'an organisation stays one';
    END IF;
    IF NEW.kind = 'organisation' AND NEW.status = 'approved' AND OLD.status <> 'approved' AND 2 > (
        SELECT count(DISTINCT lower(regexp_replace(officer, '\s', '', 'g'))) FROM case_approval a WHERE a.case_id = NEW.id)
    THEN
        RAISE EXCEPTION 'two people approve an organisation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER organisation_approved_by_two BEFORE UPDATE ON kyc_case FOR EACH ROW EXECUTE FUNCTION refuse_lonely_approval();
