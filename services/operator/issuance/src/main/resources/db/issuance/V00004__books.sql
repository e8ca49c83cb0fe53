-- contract after 0.1.0: kinds of entries and states of payouts that processes of 0.1.0 do not know

-- Totals only grow and have no bound, so that nobody can stop the books by filling them. Balances are bounded: each is exact in JSON.
ALTER TABLE ledger_account
    ALTER COLUMN debit_minor TYPE numeric(38),
    ALTER COLUMN credit_minor TYPE numeric(38),
    ADD CONSTRAINT balances_are_bounded CHECK (abs(debit_minor - credit_minor) <= 9007199254740992),
    ADD CONSTRAINT issued_is_countable CHECK (name <> 'circulation' OR credit_minor <= 9223372036854775807),
    -- sent to the bank is never more than owed
    ADD CONSTRAINT sent_is_owed CHECK (name <> 'payouts' OR debit_minor <= credit_minor),
    -- settled and failed is never more than sent
    ADD CONSTRAINT settled_is_sent CHECK (name <> 'transit' OR debit_minor <= credit_minor),
    ADD CONSTRAINT assigned_is_received CHECK (name <> 'suspense' OR debit_minor <= credit_minor),
    ADD CONSTRAINT made_good_is_claimed CHECK (name <> 'receivable' OR credit_minor <= debit_minor);

--   transit      payouts that the bank has and has not settled
--   suspense     money on the bank's statement that no funding or payout explains
--   receivable   money that left the bank without a cause in the books, and is claimed back
INSERT INTO ledger_account (name) VALUES ('transit'), ('suspense'), ('receivable');

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
            ('funding-recalled', 'receivable', 'settlement')));
CREATE INDEX ledger_entry_by_time ON ledger_entry (entered_at);

-- The one currency of these books: another setting would give the same numbers another worth.
CREATE TABLE books (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    currency text    NOT NULL CHECK (currency ~ '^[A-Z]{3}$')
);

-- What became of a redemption's money. attempt counts how often it was to be sent.
CREATE TABLE payout (
    lead_serial bytea       PRIMARY KEY REFERENCES redemption (lead_serial),
    state       text        NOT NULL DEFAULT 'accepted' CHECK (state IN ('accepted', 'sent', 'settled', 'failed', 'returned')),
    attempt     integer     NOT NULL DEFAULT 1 CHECK (attempt BETWEEN 1 AND 99),
    batch_id    text,
    reason      text        CHECK (length(reason) BETWEEN 1 AND 500),
    changed_at  timestamptz NOT NULL
);
CREATE INDEX payout_by_state ON payout (state);
INSERT INTO payout (lead_serial, changed_at) SELECT lead_serial, accepted_at FROM redemption;

CREATE FUNCTION begin_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO payout (lead_serial, changed_at) VALUES (NEW.lead_serial, NEW.accepted_at);
    RETURN NULL;
END $$;
CREATE TRIGGER redemption_begins_payout AFTER INSERT ON redemption FOR EACH ROW EXECUTE FUNCTION begin_payout();

-- Payouts that go to the bank together, proposed by one person and released by another.
CREATE TABLE payout_batch (
    sequence    bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    batch_id    text        PRIMARY KEY CHECK (batch_id ~ '^[A-Z0-9-]{1,35}$'),
    status      text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'released', 'withdrawn')),
    proposed_by text        NOT NULL,
    proposed_at timestamptz NOT NULL,
    decided_by  text,
    decided_at  timestamptz,
    CONSTRAINT batch_decided CHECK ((status = 'pending') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT batch_four_eyes CHECK (status <> 'released' OR decided_by <> proposed_by)
);
CREATE TABLE payout_batch_item (
    batch_id    text    NOT NULL REFERENCES payout_batch (batch_id),
    position    integer NOT NULL CHECK (position BETWEEN 1 AND 1000),
    lead_serial bytea   NOT NULL REFERENCES payout (lead_serial),
    attempt     integer NOT NULL,
    PRIMARY KEY (batch_id, position),
    UNIQUE (batch_id, lead_serial)
);

CREATE FUNCTION guard_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.lead_serial <> OLD.lead_serial OR (NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
        ('accepted', 'sent'), ('sent', 'settled'), ('sent', 'failed'), ('settled', 'returned'),
        ('failed', 'accepted'), ('returned', 'accepted'))) THEN
        RAISE EXCEPTION 'a payout does not go from % to %', OLD.state, NEW.state;
    END IF;
    IF NEW.attempt <> OLD.attempt + (CASE WHEN NEW.state = 'accepted' AND OLD.state <> 'accepted' THEN 1 ELSE 0 END) THEN
        RAISE EXCEPTION 'a payout is attempted again after it failed or came back';
    END IF;
    IF NEW.state = 'sent' AND OLD.state = 'accepted' AND NOT EXISTS (
        SELECT 1 FROM payout_batch b JOIN payout_batch_item i USING (batch_id)
         WHERE b.batch_id = NEW.batch_id AND b.status = 'released' AND i.lead_serial = NEW.lead_serial AND i.attempt = NEW.attempt) THEN
        RAISE EXCEPTION 'a payout is sent with a batch that two persons released';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payout_is_guarded BEFORE UPDATE ON payout FOR EACH ROW EXECUTE FUNCTION guard_payout();

CREATE FUNCTION guard_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR (NEW.batch_id, NEW.proposed_by, NEW.proposed_at) IS DISTINCT FROM (OLD.batch_id, OLD.proposed_by, OLD.proposed_at) THEN
        RAISE EXCEPTION 'a decided batch is never changed, nor what a batch is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payout_batch_is_guarded BEFORE UPDATE ON payout_batch FOR EACH ROW EXECUTE FUNCTION guard_batch();

CREATE FUNCTION guard_new_batch_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM payout_batch WHERE batch_id = NEW.batch_id AND status = 'pending') THEN
        RAISE EXCEPTION 'a decided batch gets no more payouts';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payout_batch_item_in_time BEFORE INSERT ON payout_batch_item FOR EACH ROW EXECUTE FUNCTION guard_new_batch_item();

-- A funding is reversed by entries, on the word of two persons. recall: issued money becomes a claim.
CREATE TABLE funding_reversal (
    reversal_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    funding_id  text        NOT NULL REFERENCES funding (funding_id),
    reason      text        NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
    recall      boolean     NOT NULL,
    status      text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
    proposed_by text        NOT NULL,
    proposed_at timestamptz NOT NULL,
    decided_by  text,
    decided_at  timestamptz,
    CONSTRAINT reversal_decided CHECK ((status = 'pending') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT reversal_four_eyes CHECK (status <> 'approved' OR decided_by <> proposed_by)
);
CREATE UNIQUE INDEX one_reversal_of_a_funding ON funding_reversal (funding_id) WHERE status <> 'refused';

CREATE FUNCTION guard_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR (NEW.reversal_id, NEW.funding_id, NEW.reason, NEW.recall, NEW.proposed_by, NEW.proposed_at)
       IS DISTINCT FROM (OLD.reversal_id, OLD.funding_id, OLD.reason, OLD.recall, OLD.proposed_by, OLD.proposed_at) THEN
        RAISE EXCEPTION 'a decided reversal is never changed, nor what a reversal is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER funding_reversal_is_guarded BEFORE UPDATE ON funding_reversal FOR EACH ROW EXECUTE FUNCTION guard_reversal();

CREATE FUNCTION guard_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> 'pending' THEN
        RAISE EXCEPTION 'rows of % begin undecided', TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER funding_reversal_begins_undecided BEFORE INSERT ON funding_reversal FOR EACH ROW EXECUTE FUNCTION guard_beginning();
CREATE TRIGGER payout_batch_begins_undecided BEFORE INSERT ON payout_batch FOR EACH ROW EXECUTE FUNCTION guard_beginning();

ALTER TABLE funding ADD COLUMN reversed boolean NOT NULL DEFAULT false;
CREATE INDEX funding_by_time ON funding (recorded_at);

CREATE OR REPLACE FUNCTION guard_funding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.funding_id, NEW.amount_minor, NEW.holder_tag, NEW.sealed_reference, NEW.recorded_by, NEW.recorded_at)
       IS DISTINCT FROM
       (OLD.funding_id, OLD.amount_minor, OLD.holder_tag, OLD.sealed_reference, OLD.recorded_by, OLD.recorded_at) THEN
        RAISE EXCEPTION 'of a funding only its reservations and its token change';
    END IF;
    IF NEW.reversed <> OLD.reversed AND (OLD.reversed OR NOT EXISTS (
        SELECT 1 FROM funding_reversal WHERE funding_id = NEW.funding_id AND status = 'approved')) THEN
        RAISE EXCEPTION 'a funding is reversed by two persons, and finally';
    END IF;
    IF NEW.reversed AND NOT OLD.reversed AND EXISTS (
        SELECT 1 FROM mint WHERE funding_id = NEW.funding_id AND status = 'awaiting-approval') THEN
        RAISE EXCEPTION 'a mint of this funding waits for approval';
    END IF;
    IF NEW.reversed AND NEW.reserved_minor > OLD.reserved_minor THEN
        RAISE EXCEPTION 'a reversed funding backs no further mint';
    END IF;
    RETURN NEW;
END $$;

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
    IF NEW.kind IN ('funding-reversed', 'funding-recalled') THEN
        SELECT coalesce(sum(value_minor), 0) INTO issued FROM mint
         WHERE funding_id = convert_from(NEW.reference, 'UTF8') AND status = 'approved';
        IF NOT EXISTS (
            SELECT 1 FROM funding_reversal JOIN funding USING (funding_id)
             WHERE funding_id = convert_from(NEW.reference, 'UTF8') AND status = 'approved' AND reversed
               AND NEW.amount_minor = CASE NEW.kind WHEN 'funding-reversed' THEN amount_minor - issued ELSE issued END
               AND (recall OR issued = 0)) THEN
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
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an entry of the kind % needs the row that causes it', NEW.kind;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER payout_is_kept BEFORE DELETE ON payout FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_not_truncated BEFORE TRUNCATE ON payout FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_batch_is_kept BEFORE DELETE ON payout_batch FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_batch_not_truncated BEFORE TRUNCATE ON payout_batch FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_batch_item_is_final BEFORE UPDATE OR DELETE ON payout_batch_item FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_batch_item_not_truncated BEFORE TRUNCATE ON payout_batch_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER funding_reversal_is_kept BEFORE DELETE ON funding_reversal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER funding_reversal_not_truncated BEFORE TRUNCATE ON funding_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER books_is_final BEFORE UPDATE OR DELETE ON books FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER books_not_truncated BEFORE TRUNCATE ON books FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- what the authorities signed is evidence
CREATE TRIGGER authority_totals_is_kept BEFORE DELETE ON authority_totals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER authority_totals_not_truncated BEFORE TRUNCATE ON authority_totals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
