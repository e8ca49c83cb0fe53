-- contract after 0.1.0: writers wait while an index is built; a second person confirms that a match is not the person
CREATE TABLE disposition_confirmation (
    disposition   bigint      PRIMARY KEY REFERENCES match_disposition (sequence),
    officer       text        NOT NULL,
    sealed_reason bytea       NOT NULL,
    at            timestamptz NOT NULL
);
CREATE FUNCTION refuse_lonely_confirmation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM match_disposition d WHERE d.sequence = NEW.disposition
        AND (d.verdict <> 'false-positive' OR lower(btrim(d.officer)) = lower(btrim(NEW.officer))))
    THEN
        RAISE EXCEPTION 'another person confirms that a match is not the person';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER confirmation_of_another BEFORE INSERT ON disposition_confirmation FOR EACH ROW EXECUTE FUNCTION refuse_lonely_confirmation();
CREATE TRIGGER disposition_confirmation_is_final BEFORE UPDATE OR DELETE ON disposition_confirmation FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER disposition_confirmation_is_kept BEFORE TRUNCATE ON disposition_confirmation FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();

-- Matches that one officer has called false and nobody has confirmed; they are open as well.
ALTER TABLE newest_screening ADD COLUMN unconfirmed integer NOT NULL DEFAULT 0 CHECK (unconfirmed >= 0);
CREATE INDEX newest_screening_unconfirmed ON newest_screening (case_id) WHERE unconfirmed > 0;
