-- contract after 0.1.0: an import by one person, which processes of 0.1.0 do, is refused
-- A file that one person imports and another decides on. Its entries lie in listed_entry under the version that the
-- file becomes if it is accepted, so the numbers of accepted versions can have gaps.
CREATE TABLE list_import (
    proposal uuid   PRIMARY KEY REFERENCES proposal (id),
    list     text   NOT NULL REFERENCES list_head (list),
    version  bigint NOT NULL,
    -- the version in force that the delta was shown against
    base     bigint NOT NULL CHECK (base >= 0),
    CHECK (version > base),
    UNIQUE (list, version),
    UNIQUE (list, version, proposal)
);

ALTER TABLE list_version ADD COLUMN proposal uuid UNIQUE;
ALTER TABLE list_version ADD COLUMN accepted_by text;
-- versions from before two persons imported have neither
ALTER TABLE list_version ADD CONSTRAINT list_version_four_eyes
    CHECK (proposal IS NOT NULL AND accepted_by IS NOT NULL AND accepted_by <> imported_by) NOT VALID;
ALTER TABLE list_version ADD FOREIGN KEY (list, version, proposal) REFERENCES list_import (list, version, proposal);

-- No entry joins or leaves a version once its import is recorded: the approver decides on what was shown.
CREATE FUNCTION refuse_sealed_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF EXISTS (SELECT FROM list_import i WHERE i.list = NEW.list AND i.version = NEW.version)
            OR EXISTS (SELECT FROM list_version v WHERE v.list = NEW.list AND v.version = NEW.version) THEN
            RAISE EXCEPTION 'version % of list % is complete', NEW.version, NEW.list;
        END IF;
        RETURN NEW;
    END IF;
    IF EXISTS (SELECT FROM list_head h WHERE h.list = OLD.list AND h.version = OLD.version)
        OR EXISTS (SELECT FROM list_import i JOIN proposal p ON p.id = i.proposal
                   WHERE i.list = OLD.list AND i.version = OLD.version AND p.state = 'pending' AND p.expires_at > now()) THEN
        RAISE EXCEPTION 'version % of list % is in force or waits for a decision', OLD.version, OLD.list;
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER listed_entry_sealed BEFORE INSERT OR DELETE ON listed_entry FOR EACH ROW EXECUTE FUNCTION refuse_sealed_entry();
CREATE TRIGGER listed_entry_is_final BEFORE UPDATE ON listed_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER listed_entry_stays BEFORE TRUNCATE ON listed_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A list moves to an accepted version only, and never back.
CREATE FUNCTION refuse_other_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.list <> OLD.list OR NEW.version <= OLD.version
        OR NOT EXISTS (SELECT FROM list_version v WHERE v.list = NEW.list AND v.version = NEW.version) THEN
        RAISE EXCEPTION 'list % cannot move to version %', OLD.list, NEW.version;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER list_head_moves_on BEFORE UPDATE ON list_head FOR EACH ROW EXECUTE FUNCTION refuse_other_head();
CREATE TRIGGER list_head_stays BEFORE DELETE OR TRUNCATE ON list_head FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER list_import_is_final BEFORE UPDATE OR DELETE ON list_import FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER list_import_stays BEFORE TRUNCATE ON list_import FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER list_version_is_final BEFORE UPDATE OR DELETE ON list_version FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER list_version_stays BEFORE TRUNCATE ON list_version FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
