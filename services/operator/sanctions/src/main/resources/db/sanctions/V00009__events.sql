-- expand: who proposed, decided, published and looked at what, with seals and daily notes
CREATE TABLE operator_event (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL,
    actor    text        NOT NULL,
    action   text        NOT NULL,
    subject  text        NOT NULL
);
CREATE TRIGGER operator_event_is_final BEFORE UPDATE OR DELETE ON operator_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_event_stays BEFORE TRUNCATE ON operator_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The service seals the events in one order, within moments of their commit.
CREATE TABLE event_seal (
    position bigint   PRIMARY KEY CHECK (position > 0),
    sequence bigint   NOT NULL UNIQUE,
    hash     bytea    NOT NULL CHECK (octet_length(hash) = 32),
    version  smallint NOT NULL
);
CREATE TRIGGER event_seal_is_final BEFORE UPDATE OR DELETE ON event_seal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_seal_stays BEFORE TRUNCATE ON event_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Each day closed by a signed note: how many events were sealed, and the newest seal.
CREATE TABLE audit_note (
    day       date        PRIMARY KEY,
    count     bigint      NOT NULL CHECK (count >= 0),
    hash      bytea       NOT NULL CHECK (octet_length(hash) = 32),
    note      text        NOT NULL,
    closed_at timestamptz NOT NULL
);
CREATE TRIGGER audit_note_is_final BEFORE UPDATE OR DELETE ON audit_note FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_note_stays BEFORE TRUNCATE ON audit_note FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE INDEX operator_event_by_actor ON operator_event (lower(actor), sequence);
CREATE INDEX operator_event_by_object ON operator_event (subject, sequence);
CREATE INDEX operator_event_by_time ON operator_event (at);
