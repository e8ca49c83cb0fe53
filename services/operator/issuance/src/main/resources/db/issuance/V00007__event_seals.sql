-- expand: seals of the events, each over the one before, so that a changed or removed row shows

-- The service writes them in one order, within moments of the events.
CREATE TABLE event_seal (
    position bigint PRIMARY KEY CHECK (position > 0),
    sequence bigint NOT NULL UNIQUE,
    hash     bytea  NOT NULL CHECK (octet_length(hash) = 32)
);
CREATE TRIGGER event_seal_is_final BEFORE UPDATE OR DELETE ON event_seal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_seal_stays BEFORE TRUNCATE ON event_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
