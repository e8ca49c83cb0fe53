-- contract after 0.1.0: the events cannot be emptied, and seals, each over the one before, show a changed or removed row; no process of 0.1.0 empties them

-- The service writes them in one order, within moments of the events.
CREATE TABLE event_seal (
    position bigint PRIMARY KEY CHECK (position > 0),
    sequence bigint NOT NULL UNIQUE,
    hash     bytea  NOT NULL CHECK (octet_length(hash) = 32)
);
CREATE TRIGGER event_seal_is_final BEFORE UPDATE OR DELETE ON event_seal FOR EACH ROW EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER event_seal_stays BEFORE TRUNCATE ON event_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();
CREATE TRIGGER kyc_event_stays BEFORE TRUNCATE ON kyc_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();
