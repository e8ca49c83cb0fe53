-- contract after 0.1.0: writers wait while the indexes are built; seals have a version, days are closed by notes, events are found by actor, object and time
-- Seals without a version are over the JSON of the row as the table had it; others are over a text of their own, which no new column changes.
ALTER TABLE event_seal ADD COLUMN version smallint NOT NULL DEFAULT 1;

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
