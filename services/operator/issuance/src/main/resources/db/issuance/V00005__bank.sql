-- contract after 0.1.0: entries that processes of 0.1.0 do not know

-- What the bank said: statements (camt.053), notifications (camt.054), answers to payments (pain.002). Only the digest of a message is kept.
-- books_minor: the balance of the account settlement when the statement was booked. unexplained_minor: what no named difference explains.
CREATE TABLE bank_message (
    sequence          bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    type              text        NOT NULL CHECK (type IN ('camt.053.001.08', 'camt.054.001.08', 'pain.002.001.12')),
    message_id        text        NOT NULL CHECK (length(message_id) BETWEEN 1 AND 35),
    report_id         text        NOT NULL CHECK (length(report_id) BETWEEN 1 AND 35),
    digest            bytea       NOT NULL CHECK (octet_length(digest) = 32),
    day               date,
    opening_minor     bigint,
    closing_minor     bigint,
    books_minor       bigint,
    unexplained_minor bigint,
    pending           integer     NOT NULL,
    imported_by       text        NOT NULL,
    imported_at       timestamptz NOT NULL,
    PRIMARY KEY (type, message_id),
    CONSTRAINT statements_have_balances CHECK (
        (type = 'camt.053.001.08') = (day IS NOT NULL AND opening_minor IS NOT NULL AND closing_minor IS NOT NULL))
);
CREATE UNIQUE INDEX one_statement_a_day ON bank_message (day) WHERE type = 'camt.053.001.08';

-- A booked movement on the account. sealed is HPKE ciphertext of the other side's name, account and text.
-- statement: the statement that has it, null while only a notification had it.
CREATE TABLE bank_line (
    line_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message       bigint  NOT NULL REFERENCES bank_message (sequence),
    statement     bigint  REFERENCES bank_message (sequence),
    reference     text    NOT NULL UNIQUE CHECK (length(reference) BETWEEN 1 AND 45),
    credit        boolean NOT NULL,
    amount_minor  bigint  NOT NULL CHECK (amount_minor > 0),
    booked_on     date    NOT NULL,
    end_to_end_id text,
    sealed        bytea   NOT NULL,
    name          text    NOT NULL,
    subject       text
);
CREATE INDEX bank_line_by_statement ON bank_line (statement);
CREATE INDEX bank_line_unstated ON bank_line (booked_on) WHERE statement IS NULL;

CREATE FUNCTION guard_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.statement IS NOT NULL
       OR (NEW.line_id, NEW.message, NEW.reference, NEW.credit, NEW.amount_minor, NEW.booked_on, NEW.end_to_end_id, NEW.sealed, NEW.name, NEW.subject)
       IS DISTINCT FROM
       (OLD.line_id, OLD.message, OLD.reference, OLD.credit, OLD.amount_minor, OLD.booked_on, OLD.end_to_end_id, OLD.sealed, OLD.name, OLD.subject) THEN
        RAISE EXCEPTION 'of a line only its statement is added';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER bank_line_is_guarded BEFORE UPDATE ON bank_line FOR EACH ROW EXECUTE FUNCTION guard_line();

CREATE FUNCTION guard_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.books_minor IS NOT NULL
       OR (NEW.type, NEW.message_id, NEW.report_id, NEW.digest, NEW.day, NEW.opening_minor, NEW.closing_minor, NEW.imported_by)
       IS DISTINCT FROM
       (OLD.type, OLD.message_id, OLD.report_id, OLD.digest, OLD.day, OLD.opening_minor, OLD.closing_minor, OLD.imported_by) THEN
        RAISE EXCEPTION 'what the bank said is never changed';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER bank_message_is_guarded BEFORE UPDATE ON bank_message FOR EACH ROW EXECUTE FUNCTION guard_message();

-- What does not agree, each with a name. A person closes it with a note.
CREATE TABLE bank_difference (
    difference_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message       bigint      NOT NULL REFERENCES bank_message (sequence),
    name          text        NOT NULL,
    line_id       bigint      REFERENCES bank_line (line_id),
    subject       text        NOT NULL,
    amount_minor  bigint      NOT NULL,
    noticed_at    timestamptz NOT NULL,
    closed_by     text,
    closed_at     timestamptz,
    note          text        CHECK (length(note) BETWEEN 1 AND 500),
    CONSTRAINT closed_with_note CHECK ((closed_by IS NULL) = (note IS NULL) AND (closed_by IS NULL) = (closed_at IS NULL))
);
CREATE UNIQUE INDEX one_open_difference ON bank_difference (name, subject) WHERE closed_by IS NULL;

CREATE FUNCTION guard_difference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.closed_by IS NOT NULL
       OR (NEW.difference_id, NEW.message, NEW.name, NEW.line_id, NEW.subject, NEW.amount_minor, NEW.noticed_at)
       IS DISTINCT FROM
       (OLD.difference_id, OLD.message, OLD.name, OLD.line_id, OLD.subject, OLD.amount_minor, OLD.noticed_at) THEN
        RAISE EXCEPTION 'a difference is only closed, once';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER bank_difference_is_guarded BEFORE UPDATE ON bank_difference FOR EACH ROW EXECUTE FUNCTION guard_difference();

-- The line on which a funding's money came. A line backs one funding that is not reversed.
CREATE TABLE funding_line (
    funding_id text    PRIMARY KEY REFERENCES funding (funding_id),
    line_id    bigint  NOT NULL REFERENCES bank_line (line_id),
    active     boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX one_funding_of_a_line ON funding_line (line_id) WHERE active;

CREATE FUNCTION guard_funding_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT 1 FROM funding f, bank_line l
                        WHERE f.funding_id = NEW.funding_id AND l.line_id = NEW.line_id AND l.credit AND l.amount_minor = f.amount_minor
                          AND NOT f.reversed AND NEW.active) THEN
            RAISE EXCEPTION 'a line backs a funding of its amount';
        END IF;
    ELSIF (NEW.funding_id, NEW.line_id) IS DISTINCT FROM (OLD.funding_id, OLD.line_id) OR NEW.active
          OR NOT EXISTS (SELECT 1 FROM funding WHERE funding_id = NEW.funding_id AND reversed) THEN
        RAISE EXCEPTION 'a line is taken from a funding when the funding is reversed';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER funding_line_is_guarded BEFORE INSERT OR UPDATE ON funding_line FOR EACH ROW EXECUTE FUNCTION guard_funding_line();

ALTER TABLE ledger_entry
    DROP CONSTRAINT accounts_of_the_kind,
    ADD CONSTRAINT accounts_of_the_kind CHECK (
        (kind, debit_account, credit_account) IN (
            ('funding', 'settlement', 'fundings'),
            ('issue', 'fundings', 'circulation'),
            ('redemption', 'circulation', 'payouts'),
            ('payout-sent', 'payouts', 'transit'),
            ('payout-settled', 'transit', 'settlement'),
            ('payout-failed', 'transit', 'payouts'),
            ('payout-returned', 'settlement', 'payouts'),
            ('funding-reversed', 'fundings', 'settlement'),
            ('funding-recalled', 'receivable', 'settlement'),
            ('unknown-credit', 'settlement', 'suspense'),
            ('unknown-debit', 'receivable', 'settlement'),
            ('credit-assigned', 'suspense', 'fundings'),
            ('funding-unassigned', 'fundings', 'suspense'),
            ('funding-claimed', 'receivable', 'suspense')));

CREATE OR REPLACE FUNCTION require_cause() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    issued bigint;
BEGIN
    IF NEW.kind LIKE 'payout-%' THEN
        IF NOT EXISTS (
            SELECT 1 FROM payout JOIN redemption USING (lead_serial)
             WHERE lead_serial = substring(NEW.reference FROM 1 FOR 32) AND octet_length(NEW.reference) = 33
               AND attempt = get_byte(NEW.reference, 32) AND 'payout-' || state = NEW.kind AND amount_minor = NEW.amount_minor) THEN
            RAISE EXCEPTION 'an entry of the kind % needs the payout in that state', NEW.kind;
        END IF;
        RETURN NULL;
    END IF;
    IF NEW.kind IN ('funding-reversed', 'funding-recalled', 'funding-unassigned', 'funding-claimed') THEN
        SELECT coalesce(sum(value_minor), 0) INTO issued FROM mint
         WHERE funding_id = convert_from(NEW.reference, 'UTF8') AND status = 'approved';
        IF NOT EXISTS (
            SELECT 1 FROM funding_reversal JOIN funding f USING (funding_id)
             WHERE funding_id = convert_from(NEW.reference, 'UTF8') AND status = 'approved' AND reversed
               AND NEW.amount_minor = CASE WHEN NEW.kind IN ('funding-reversed', 'funding-unassigned') THEN amount_minor - issued ELSE issued END
               AND (recall OR issued = 0)
               AND (NEW.kind IN ('funding-unassigned', 'funding-claimed'))
                   = EXISTS (SELECT 1 FROM funding_line l WHERE l.funding_id = f.funding_id)) THEN
            RAISE EXCEPTION 'an entry of the kind % needs a reversal by two persons', NEW.kind;
        END IF;
        RETURN NULL;
    END IF;
    IF NOT (CASE NEW.kind
        WHEN 'funding' THEN EXISTS (
            SELECT 1 FROM funding WHERE funding_id = convert_from(NEW.reference, 'UTF8') AND amount_minor = NEW.amount_minor)
        WHEN 'issue' THEN EXISTS (
            SELECT 1 FROM mint WHERE mint_id = NEW.reference AND status = 'approved' AND value_minor = NEW.amount_minor)
        WHEN 'redemption' THEN EXISTS (
            SELECT 1 FROM redemption WHERE lead_serial = NEW.reference AND amount_minor = NEW.amount_minor)
        WHEN 'credit-assigned' THEN EXISTS (
            SELECT 1 FROM funding_line JOIN funding USING (funding_id)
             WHERE funding_id = convert_from(NEW.reference, 'UTF8') AND active AND amount_minor = NEW.amount_minor)
        WHEN 'unknown-credit' THEN EXISTS (
            SELECT 1 FROM bank_line WHERE int8send(line_id) = NEW.reference AND credit AND amount_minor = NEW.amount_minor)
        WHEN 'unknown-debit' THEN EXISTS (
            SELECT 1 FROM bank_line WHERE int8send(line_id) = NEW.reference AND NOT credit AND amount_minor = NEW.amount_minor)
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an entry of the kind % needs the row that causes it', NEW.kind;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER bank_message_is_kept BEFORE DELETE ON bank_message FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_message_not_truncated BEFORE TRUNCATE ON bank_message FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_is_kept BEFORE DELETE ON bank_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_not_truncated BEFORE TRUNCATE ON bank_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_difference_is_kept BEFORE DELETE ON bank_difference FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_difference_not_truncated BEFORE TRUNCATE ON bank_difference FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER funding_line_is_kept BEFORE DELETE ON funding_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER funding_line_not_truncated BEFORE TRUNCATE ON funding_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
