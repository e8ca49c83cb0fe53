-- expand: the oldest rules that a core without a row may still name here, as this shard signed it

-- One row: what was promised is kept, and read FOR SHARE by every reservation.
CREATE TABLE floors (
    only_row           boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    policy_version     bigint  NOT NULL CHECK (policy_version >= 0),
    checkpoint_version bigint  NOT NULL CHECK (checkpoint_version >= 0),
    period             integer NOT NULL CHECK (period >= 0)
);
INSERT INTO floors (policy_version, checkpoint_version, period) VALUES (0, 0, 0);

CREATE FUNCTION floors_only_rise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.policy_version < OLD.policy_version OR NEW.checkpoint_version < OLD.checkpoint_version OR NEW.period < OLD.period THEN
        RAISE EXCEPTION 'a floor never falls' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER floors_only_rise BEFORE UPDATE ON floors FOR EACH ROW EXECUTE FUNCTION floors_only_rise();
CREATE TRIGGER floors_stay BEFORE DELETE ON floors FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER floors_not_truncated BEFORE TRUNCATE ON floors FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
