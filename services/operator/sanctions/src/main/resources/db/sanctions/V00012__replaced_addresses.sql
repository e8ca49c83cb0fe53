-- expand: an address that its owner has lost for good stays listed for ever, so that she can register again
-- A listed address that is referred to here cannot be taken off the list.
CREATE TABLE replaced_address (
    key         bytea       PRIMARY KEY REFERENCES sanctioned_address (key),
    proposal    uuid        NOT NULL UNIQUE REFERENCES proposal (id),
    replaced_at timestamptz NOT NULL
);
CREATE TRIGGER replaced_address_is_final BEFORE UPDATE OR DELETE ON replaced_address FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER replaced_address_stays BEFORE TRUNCATE ON replaced_address FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Checked at the commit, since a proposal is applied before its decision is stored.
CREATE FUNCTION refuse_unapproved_replacement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM proposal p WHERE p.id = NEW.proposal AND p.kind = 'address-listing' AND p.state = 'approved'
                   AND p.payload::jsonb ->> 'cause' = 'replaced' AND p.payload::jsonb ->> 'key' = encode(NEW.key, 'hex')) THEN
        RAISE EXCEPTION 'no approved proposal replaces this address';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER replaced_address_is_approved AFTER INSERT ON replaced_address
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_unapproved_replacement();
