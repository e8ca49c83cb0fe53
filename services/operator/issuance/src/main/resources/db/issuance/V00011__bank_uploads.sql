-- contract after 0.1.0: nothing that one person handed in is booked

-- A message of the bank that somebody handed in. Another person books it, or refuses it. content is HPKE ciphertext and is removed with the
-- decision; preview is what the message would do, as JSON without names and accounts.
CREATE TABLE bank_upload (
    upload_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type        text        NOT NULL CHECK (type IN ('camt.053.001.08', 'camt.054.001.08', 'pain.002.001.12')),
    message_id  text        NOT NULL CHECK (length(message_id) BETWEEN 1 AND 35),
    digest      bytea       NOT NULL CHECK (octet_length(digest) = 32),
    content     bytea,
    preview     text        NOT NULL,
    status      text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused', 'expired')),
    proposed_by text        NOT NULL,
    proposed_at timestamptz NOT NULL,
    decided_by  text,
    decided_at  timestamptz,
    CONSTRAINT upload_decided CHECK ((status = 'pending') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT upload_four_eyes CHECK (status <> 'approved' OR decided_by <> proposed_by),
    CONSTRAINT content_while_pending CHECK ((status = 'pending') = (content IS NOT NULL))
);
CREATE UNIQUE INDEX one_pending_upload ON bank_upload (digest) WHERE status = 'pending';

CREATE FUNCTION guard_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending'
       OR (NEW.upload_id, NEW.type, NEW.message_id, NEW.digest, NEW.proposed_by, NEW.proposed_at)
       IS DISTINCT FROM (OLD.upload_id, OLD.type, OLD.message_id, OLD.digest, OLD.proposed_by, OLD.proposed_at)
       OR (NEW.status = 'pending' AND NEW.content IS DISTINCT FROM OLD.content) THEN
        RAISE EXCEPTION 'a decided message is never changed, nor what a message is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER bank_upload_is_guarded BEFORE UPDATE ON bank_upload FOR EACH ROW EXECUTE FUNCTION guard_upload();
CREATE TRIGGER bank_upload_begins_undecided BEFORE INSERT ON bank_upload FOR EACH ROW EXECUTE FUNCTION guard_beginning();
CREATE TRIGGER bank_upload_is_kept BEFORE DELETE ON bank_upload FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_upload_not_truncated BEFORE TRUNCATE ON bank_upload FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Null in messages that were booked before two persons were needed.
ALTER TABLE bank_message ADD COLUMN upload bigint REFERENCES bank_upload (upload_id);
CREATE UNIQUE INDEX one_message_of_an_upload ON bank_message (upload);

CREATE FUNCTION guard_new_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM bank_upload u WHERE u.upload_id = NEW.upload AND u.status = 'approved' AND u.digest = NEW.digest
                      AND u.type = NEW.type AND u.proposed_by = NEW.imported_by) THEN
        RAISE EXCEPTION 'a message of the bank is booked on the word of two persons';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER bank_message_by_two BEFORE INSERT ON bank_message FOR EACH ROW EXECUTE FUNCTION guard_new_message();
