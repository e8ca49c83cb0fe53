-- contract after 0.1.0: proposals and listed addresses that change otherwise than by a decision are refused; no process of 0.1.0 changes them so
-- What was proposed is what is approved, and a decision stays: for the service's own SQL, too.
CREATE FUNCTION refuse_changed_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'pending' THEN
            RAISE EXCEPTION 'a proposal starts pending';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.state <> 'pending' THEN
        RAISE EXCEPTION 'proposal % is decided', OLD.id;
    END IF;
    IF (NEW.sequence, NEW.id, NEW.kind, NEW.payload, NEW.proposed_by, NEW.proposed_at, NEW.expires_at, NEW.idempotency_key)
        IS DISTINCT FROM
        (OLD.sequence, OLD.id, OLD.kind, OLD.payload, OLD.proposed_by, OLD.proposed_at, OLD.expires_at, OLD.idempotency_key) THEN
        RAISE EXCEPTION 'the content of proposal % never changes', OLD.id;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER proposal_is_final BEFORE INSERT OR UPDATE ON proposal FOR EACH ROW EXECUTE FUNCTION refuse_changed_proposal();
CREATE TRIGGER proposal_stays BEFORE DELETE OR TRUNCATE ON proposal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE proposal ADD CONSTRAINT proposal_in_time CHECK (state <> 'approved' OR decided_at < expires_at);

-- An address comes and goes by the approved proposal that names it. Checked at the commit, since a proposal is applied
-- before its decision is stored.
CREATE FUNCTION refuse_unapproved_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM proposal p WHERE p.id = NEW.proposal AND p.kind = 'address-listing' AND p.state = 'approved'
                       AND p.payload::jsonb ->> 'key' = encode(NEW.key, 'hex')) THEN
            RAISE EXCEPTION 'no approved proposal lists this address';
        END IF;
    ELSIF NOT EXISTS (SELECT FROM proposal p WHERE p.kind = 'address-delisting' AND p.state = 'approved'
                      AND p.payload::jsonb ->> 'key' = encode(OLD.key, 'hex') AND p.decided_at >= OLD.listed_at) THEN
        RAISE EXCEPTION 'no approved proposal delists this address';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER sanctioned_address_is_approved AFTER INSERT OR DELETE ON sanctioned_address
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_unapproved_address();
CREATE TRIGGER sanctioned_address_is_final BEFORE UPDATE ON sanctioned_address FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sanctioned_address_stays BEFORE TRUNCATE ON sanctioned_address FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE INDEX proposal_delistings ON proposal ((payload::jsonb ->> 'key')) WHERE kind = 'address-delisting';

CREATE TRIGGER checkpoint_stays BEFORE TRUNCATE ON checkpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER policy_stays BEFORE TRUNCATE ON policy FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
