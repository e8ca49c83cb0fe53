-- contract after 0.1.0: each case is sealed under a key of its own, and who destroys the key erases the case; a process of 0.1.0 cannot read what is sealed so
-- A key is sealed under the master key, whose id is beside it.
CREATE TABLE data_key (
    case_id    uuid  PRIMARY KEY REFERENCES kyc_case (id),
    sealed_key bytea NOT NULL,
    master     bytea NOT NULL CHECK (octet_length(master) = 8)
);
CREATE INDEX data_key_by_master ON data_key (master, case_id);

-- Cases that are sealed under the master key itself, as 0.1.0 did; the service seals them anew and takes them off.
CREATE TABLE case_to_seal (
    case_id uuid PRIMARY KEY REFERENCES kyc_case (id)
);
INSERT INTO case_to_seal (case_id) SELECT id FROM kyc_case;

-- What two people may do to a registration or a refused case.
ALTER TABLE standing_step DROP CONSTRAINT standing_step_kind_check,
    ADD CONSTRAINT standing_step_kind_check CHECK (kind IN ('suspend', 'resume', 'close', 'erase'));

-- Why a case was erased: its time was over after the refusal or the closing, or two people did it at the person's request.
CREATE TABLE erasure (
    case_id uuid        PRIMARY KEY REFERENCES kyc_case (id),
    at      timestamptz NOT NULL,
    rule    text        NOT NULL CHECK (rule IN ('refused', 'closed', 'request'))
);
CREATE TRIGGER erasure_is_final BEFORE UPDATE OR DELETE ON erasure FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER erasure_stays BEFORE TRUNCATE ON erasure FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();

-- No program error erases a customer or an open case, or at one person's word.
CREATE FUNCTION refuse_early_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM kyc_case c WHERE c.id = NEW.case_id AND (c.status = 'refused' OR (c.status = 'approved' AND EXISTS (
            SELECT 1 FROM standing_step s WHERE s.case_id = c.id AND s.kind = 'close' AND s.verdict = 'accepted'))))
    THEN
        RAISE EXCEPTION 'only a refused case or a closed registration is erased';
    END IF;
    IF NEW.rule = 'request' AND NOT EXISTS (
        SELECT 1 FROM kyc_case c JOIN kyc_case asked ON asked.person_id = c.person_id JOIN standing_step s ON s.case_id = asked.id
        WHERE c.id = NEW.case_id AND s.kind = 'erase' AND s.verdict = 'accepted')
    THEN
        RAISE EXCEPTION 'two people erase at a request';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER erasure_has_a_ground BEFORE INSERT ON erasure FOR EACH ROW EXECUTE FUNCTION refuse_early_erasure();

-- A key is destroyed by an erasure alone.
CREATE FUNCTION refuse_lost_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM erasure e WHERE e.case_id = OLD.case_id) THEN
        RAISE EXCEPTION 'a key is destroyed with an erasure alone';
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER data_key_is_kept BEFORE DELETE ON data_key FOR EACH ROW EXECUTE FUNCTION refuse_lost_key();
CREATE TRIGGER data_key_stays BEFORE TRUNCATE ON data_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();

-- A changed key is one under another master key: none is replaced by noise with an update.
CREATE FUNCTION refuse_other_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.case_id <> OLD.case_id OR NEW.master = OLD.master THEN
        RAISE EXCEPTION 'a key is sealed again under another master key alone';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER data_key_changes_master BEFORE UPDATE ON data_key FOR EACH ROW EXECUTE FUNCTION refuse_other_key();

-- What may change in rows that are final: a value of the first version is sealed anew, once; hashes of an erased case give way to noise.
CREATE FUNCTION is_upkeep(before jsonb, after jsonb, of_case uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(bool_and(
        (name LIKE 'sealed\_%' AND before ->> name LIKE '\\x01%' AND (after ->> name LIKE '\\x02%' OR after ->> name LIKE '\\x03%'))
        OR (name IN ('birth_key', 'document_key', 'subject', 'request_key', 'request_digest', 'apk', 'core', 'request')
            AND EXISTS (SELECT 1 FROM erasure e WHERE e.case_id = of_case))), false)
    FROM jsonb_object_keys(after) name WHERE before -> name IS DISTINCT FROM after -> name
$$;

DROP TRIGGER kyc_decision_is_final ON kyc_case;
CREATE TRIGGER kyc_decision_is_final BEFORE UPDATE ON kyc_case FOR EACH ROW
    WHEN (NOT is_upkeep(to_jsonb(OLD), to_jsonb(NEW), OLD.id)) EXECUTE FUNCTION refuse_decision_change();

DROP TRIGGER person_change_is_final ON person_change;
CREATE TRIGGER person_change_is_final BEFORE UPDATE ON person_change FOR EACH ROW
    WHEN (NOT is_upkeep(to_jsonb(OLD), to_jsonb(NEW), OLD.case_id)) EXECUTE FUNCTION refuse_other_change();
CREATE TRIGGER person_change_is_not_removed BEFORE DELETE ON person_change FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

DROP TRIGGER standing_step_is_final ON standing_step;
CREATE TRIGGER standing_step_is_final BEFORE UPDATE ON standing_step FOR EACH ROW
    WHEN (NOT is_upkeep(to_jsonb(OLD), to_jsonb(NEW), OLD.case_id)) EXECUTE FUNCTION refuse_other_change();
CREATE TRIGGER standing_step_is_not_removed BEFORE DELETE ON standing_step FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

DROP TRIGGER screening_is_final ON screening;
CREATE TRIGGER screening_is_final BEFORE UPDATE ON screening FOR EACH ROW
    WHEN (NOT is_upkeep(to_jsonb(OLD), to_jsonb(NEW), OLD.case_id)) EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER screening_is_not_removed BEFORE DELETE ON screening FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

DROP TRIGGER match_disposition_is_final ON match_disposition;
CREATE TRIGGER match_disposition_is_final BEFORE UPDATE ON match_disposition FOR EACH ROW
    WHEN (NOT is_upkeep(to_jsonb(OLD), to_jsonb(NEW), OLD.case_id)) EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER match_disposition_is_not_removed BEFORE DELETE ON match_disposition FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

DROP TRIGGER disposition_confirmation_is_final ON disposition_confirmation;
CREATE TRIGGER disposition_confirmation_is_final BEFORE UPDATE ON disposition_confirmation FOR EACH ROW
    WHEN (NOT is_upkeep(to_jsonb(OLD), to_jsonb(NEW), NULL)) EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER disposition_confirmation_is_not_removed BEFORE DELETE ON disposition_confirmation FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

DROP TRIGGER duplicate_opinion_is_final ON duplicate_opinion;
CREATE TRIGGER duplicate_opinion_is_final BEFORE UPDATE ON duplicate_opinion FOR EACH ROW
    WHEN (NOT is_upkeep(to_jsonb(OLD), to_jsonb(NEW), NULL)) EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER duplicate_opinion_is_not_removed BEFORE DELETE ON duplicate_opinion FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

CREATE INDEX kyc_case_by_refusal ON kyc_case (decided_at) WHERE status = 'refused';
