-- A range changes hands with a newer map only, and what a shard gave away it does not take back by an older one.
CREATE FUNCTION ownership_only_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.map_version < OLD.map_version THEN
        RAISE EXCEPTION 'an older shard map is never put in force again' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.map_version = OLD.map_version AND (NEW.lo, NEW.hi_exclusive) IS DISTINCT FROM (OLD.lo, OLD.hi_exclusive) THEN
        RAISE EXCEPTION 'a range changes with a newer shard map only' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ownership_only_forward BEFORE UPDATE ON ownership FOR EACH ROW EXECUTE FUNCTION ownership_only_forward();
CREATE TRIGGER ownership_stays BEFORE DELETE ON ownership FOR EACH ROW EXECUTE FUNCTION refuse_change();
