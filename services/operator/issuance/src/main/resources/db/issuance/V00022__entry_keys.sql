-- contract after 0.1.0: an entry of the bank is known by each of its references, and the database takes none of them twice

-- entry: that of the lines. key: the same, or another reference that a message gave the entry: that of its only transaction, or its own where
-- the lines have that of the transaction. message: the one that told it.
CREATE TABLE bank_entry_key (
    key     text   PRIMARY KEY,
    entry   text   NOT NULL,
    message bigint NOT NULL REFERENCES bank_message (sequence)
);
CREATE INDEX bank_entry_key_by_entry ON bank_entry_key (entry);
CREATE INDEX bank_entry_key_by_message ON bank_entry_key (message);
INSERT INTO bank_entry_key (key, entry, message)
    SELECT coalesce(entry, reference), coalesce(entry, reference), message FROM bank_line WHERE NOT voided ORDER BY line_id
    ON CONFLICT DO NOTHING;

CREATE FUNCTION know_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO bank_entry_key (key, entry, message)
        SELECT DISTINCT coalesce(entry, reference), coalesce(entry, reference), message FROM booked;
    RETURN NULL;
END $$;
CREATE TRIGGER bank_line_is_known AFTER INSERT ON bank_line
    REFERENCING NEW TABLE AS booked FOR EACH STATEMENT EXECUTE FUNCTION know_entries();

-- A reversed message leaves the references to the right one, but those of an entry whose lines another message booked: they stay booked.
CREATE FUNCTION forget_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM bank_entry_key
     WHERE (message = NEW.sequence
            AND NOT EXISTS (SELECT 1 FROM bank_line l
                             WHERE coalesce(l.entry, l.reference) = bank_entry_key.entry AND NOT l.voided AND l.message <> NEW.sequence))
        OR entry IN (SELECT coalesce(l.entry, l.reference) FROM bank_line l WHERE l.message = NEW.sequence);
    RETURN NULL;
END $$;
CREATE TRIGGER bank_message_is_forgotten AFTER UPDATE OF reversed ON bank_message
    FOR EACH ROW WHEN (NEW.reversed AND NOT OLD.reversed) EXECUTE FUNCTION forget_entries();

CREATE FUNCTION guard_entry_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT is_reversed_by_two(OLD.message)
       AND EXISTS (SELECT 1 FROM bank_line l
                    WHERE coalesce(l.entry, l.reference) = OLD.entry AND NOT l.voided AND NOT is_reversed_by_two(l.message)) THEN
        RAISE EXCEPTION 'an entry is known by a reference until two persons reverse its message';
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER bank_entry_key_is_guarded BEFORE DELETE ON bank_entry_key FOR EACH ROW EXECUTE FUNCTION guard_entry_key();
CREATE TRIGGER bank_entry_key_is_final BEFORE UPDATE ON bank_entry_key FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_entry_key_not_truncated BEFORE TRUNCATE ON bank_entry_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
