-- contract after 0.1.0: what a wrong message of the bank did is taken back by two persons

-- Which payouts a message moved, and to which state.
CREATE TABLE bank_move (
    message     bigint  NOT NULL REFERENCES bank_message (sequence),
    lead_serial bytea   NOT NULL REFERENCES payout (lead_serial),
    attempt     integer NOT NULL,
    state       text    NOT NULL CHECK (state IN ('settled', 'returned', 'failed')),
    PRIMARY KEY (message, lead_serial, state)
);
CREATE TRIGGER bank_move_is_final BEFORE UPDATE OR DELETE ON bank_move FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_move_not_truncated BEFORE TRUNCATE ON bank_move FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE message_reversal (
    reversal_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message     bigint      NOT NULL REFERENCES bank_message (sequence),
    reason      text        NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
    status      text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
    proposed_by text        NOT NULL,
    proposed_at timestamptz NOT NULL,
    decided_by  text,
    decided_at  timestamptz,
    CONSTRAINT message_reversal_decided
        CHECK ((status = 'pending') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT message_reversal_four_eyes CHECK (status <> 'approved' OR decided_by <> proposed_by)
);
CREATE UNIQUE INDEX one_reversal_of_a_message ON message_reversal (message) WHERE status <> 'refused';

CREATE FUNCTION guard_message_reversal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR (NEW.reversal_id, NEW.message, NEW.reason, NEW.proposed_by, NEW.proposed_at)
       IS DISTINCT FROM (OLD.reversal_id, OLD.message, OLD.reason, OLD.proposed_by, OLD.proposed_at) THEN
        RAISE EXCEPTION 'a decided reversal is never changed, nor what a reversal is';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER message_reversal_is_guarded BEFORE UPDATE ON message_reversal FOR EACH ROW EXECUTE FUNCTION guard_message_reversal();
CREATE TRIGGER message_reversal_begins_undecided BEFORE INSERT ON message_reversal FOR EACH ROW EXECUTE FUNCTION guard_beginning();
CREATE TRIGGER message_reversal_is_kept BEFORE DELETE ON message_reversal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER message_reversal_not_truncated BEFORE TRUNCATE ON message_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION is_reversed_by_two(of_message bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM message_reversal v WHERE v.message = of_message AND v.status = 'approved')
$$;

-- A reversed message leaves its id, its day and the references of its lines to the right one.
ALTER TABLE bank_message ADD COLUMN reversed boolean NOT NULL DEFAULT false, DROP CONSTRAINT bank_message_pkey;
CREATE UNIQUE INDEX one_message_of_an_id ON bank_message (type, message_id) WHERE NOT reversed;
DROP INDEX one_statement_a_day;
CREATE UNIQUE INDEX one_statement_a_day ON bank_message (day) WHERE type = 'camt.053.001.08' AND NOT reversed;
ALTER TABLE bank_line ADD COLUMN voided boolean NOT NULL DEFAULT false, DROP CONSTRAINT bank_line_reference_key;
CREATE UNIQUE INDEX one_line_of_a_reference ON bank_line (reference) WHERE NOT voided;
ALTER TABLE funding_line ADD COLUMN voided boolean NOT NULL DEFAULT false, DROP CONSTRAINT funding_line_pkey;
CREATE UNIQUE INDEX one_line_of_a_funding ON funding_line (funding_id) WHERE NOT voided;
DROP INDEX one_funding_of_a_line;
CREATE UNIQUE INDEX one_funding_of_a_line ON funding_line (line_id) WHERE active AND NOT voided;

-- undone: how often a move of the payout was taken back; it tells the entries of one attempt apart.
ALTER TABLE payout ADD COLUMN undone smallint NOT NULL DEFAULT 0 CHECK (undone BETWEEN 0 AND 99);

CREATE OR REPLACE FUNCTION guard_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.sequence, NEW.type, NEW.message_id, NEW.report_id, NEW.digest, NEW.day, NEW.opening_minor, NEW.closing_minor, NEW.imported_by, NEW.upload)
       IS DISTINCT FROM
       (OLD.sequence, OLD.type, OLD.message_id, OLD.report_id, OLD.digest, OLD.day, OLD.opening_minor, OLD.closing_minor, OLD.imported_by, OLD.upload)
       OR (OLD.books_minor IS NOT NULL
           AND (NEW.books_minor, NEW.unexplained_minor) IS DISTINCT FROM (OLD.books_minor, OLD.unexplained_minor)) THEN
        RAISE EXCEPTION 'what the bank said is never changed';
    END IF;
    IF NEW.reversed IS DISTINCT FROM OLD.reversed AND (OLD.reversed OR NOT is_reversed_by_two(NEW.sequence)) THEN
        RAISE EXCEPTION 'a message is reversed by two persons, and finally';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.line_id, NEW.message, NEW.entry, NEW.reference, NEW.credit, NEW.amount_minor, NEW.booked_on, NEW.end_to_end_id, NEW.sealed,
        NEW.name, NEW.subject)
       IS DISTINCT FROM
       (OLD.line_id, OLD.message, OLD.entry, OLD.reference, OLD.credit, OLD.amount_minor, OLD.booked_on, OLD.end_to_end_id, OLD.sealed,
        OLD.name, OLD.subject) THEN
        RAISE EXCEPTION 'of a line only its statement is added';
    END IF;
    IF NEW.statement IS DISTINCT FROM OLD.statement AND OLD.statement IS NOT NULL
       AND (NEW.statement IS NOT NULL OR NOT is_reversed_by_two(OLD.statement)) THEN
        RAISE EXCEPTION 'a line leaves its statement when two persons reverse that';
    END IF;
    IF NEW.voided <> OLD.voided AND (OLD.voided OR NOT is_reversed_by_two(NEW.message)) THEN
        RAISE EXCEPTION 'a line is void when two persons reverse its message';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_funding_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT 1 FROM funding f, bank_line l
                        WHERE f.funding_id = NEW.funding_id AND l.line_id = NEW.line_id AND l.credit AND l.amount_minor = f.amount_minor
                          AND NOT l.voided AND NOT f.reversed AND NEW.active AND NOT NEW.voided)
           OR EXISTS (SELECT 1 FROM line_assignment a WHERE a.credit_line = NEW.line_id AND a.status <> 'refused') THEN
            RAISE EXCEPTION 'a line backs a funding of its amount';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.funding_id, NEW.line_id) IS DISTINCT FROM (OLD.funding_id, OLD.line_id) OR OLD.voided
       OR (NEW.active <> OLD.active
           AND (NEW.active OR NOT EXISTS (SELECT 1 FROM funding WHERE funding_id = NEW.funding_id AND reversed))) THEN
        RAISE EXCEPTION 'a line is taken from a funding when the funding is reversed';
    END IF;
    IF NEW.voided AND NOT EXISTS (SELECT 1 FROM bank_line l WHERE l.line_id = NEW.line_id AND l.voided) THEN
        RAISE EXCEPTION 'a line is taken from a funding when its message is reversed';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.undone <> OLD.undone THEN
        IF NEW.undone <> OLD.undone + 1 OR NEW.lead_serial <> OLD.lead_serial OR NEW.attempt <> OLD.attempt
           OR (OLD.state, NEW.state) NOT IN (('settled', 'sent'), ('failed', 'sent'), ('returned', 'settled'))
           OR NOT EXISTS (
               SELECT 1 FROM bank_move w WHERE w.lead_serial = NEW.lead_serial AND w.attempt = NEW.attempt AND w.state = OLD.state
                  AND is_reversed_by_two(w.message)) THEN
            RAISE EXCEPTION 'a move of a payout is taken back with the message that made it';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.lead_serial <> OLD.lead_serial OR (NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
        ('accepted', 'sent'), ('sent', 'settled'), ('sent', 'failed'), ('settled', 'returned'),
        ('failed', 'accepted'), ('returned', 'accepted'), ('accepted', 'settled'), ('failed', 'settled'))) THEN
        RAISE EXCEPTION 'a payout does not go from % to %', OLD.state, NEW.state;
    END IF;
    IF OLD.state IN ('accepted', 'failed') AND NEW.state = 'settled' AND NOT EXISTS (
        SELECT 1 FROM line_assignment a WHERE a.lead_serial = NEW.lead_serial AND a.kind = 'payment' AND a.status = 'approved'
           AND NOT EXISTS (SELECT 1 FROM ledger_entry e WHERE e.kind = 'payment-assigned' AND e.reference = int8send(a.assignment_id))) THEN
        RAISE EXCEPTION 'a payout that is not with the bank is settled by two persons, who say which line paid it';
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

CREATE OR REPLACE FUNCTION in_suspense(line bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN l.voided OR EXISTS (SELECT 1 FROM funding_line f WHERE f.line_id = line AND f.active AND NOT f.voided) THEN 0
                WHEN EXISTS (SELECT 1 FROM ledger_entry e WHERE e.kind = 'unknown-credit' AND e.reference = int8send(line))
                     OR EXISTS (SELECT 1 FROM funding_line f WHERE f.line_id = line AND NOT f.active AND NOT f.voided)
                THEN l.amount_minor - (SELECT coalesce(sum(a.amount_minor), 0) FROM line_assignment a
                                        WHERE a.credit_line = line AND a.status = 'approved')
                ELSE 0 END
      FROM bank_line l WHERE l.line_id = line
$$;

-- What of a debit is still a claim.
CREATE OR REPLACE FUNCTION claim_of_line(line bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN NOT l.voided AND EXISTS (SELECT 1 FROM ledger_entry e WHERE e.kind = 'unknown-debit' AND e.reference = int8send(line))
                THEN l.amount_minor - (SELECT coalesce(sum(a.amount_minor), 0) FROM line_assignment a
                                        WHERE a.debit_line = line AND a.status = 'approved')
                ELSE 0 END
      FROM bank_line l WHERE l.line_id = line
$$;

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
            ('funding-claimed', 'receivable', 'suspense'),
            ('claim-netted', 'suspense', 'receivable'),
            ('bank-charge', 'charges', 'receivable'),
            ('payment-assigned', 'transit', 'receivable'),
            ('payment-assigned', 'payouts', 'receivable'),
            ('return-assigned', 'suspense', 'payouts'),
            ('return-charge', 'charges', 'payouts'),
            ('settlement-undone', 'settlement', 'transit'),
            ('return-undone', 'payouts', 'settlement'),
            ('failure-undone', 'payouts', 'transit'),
            ('credit-undone', 'suspense', 'settlement'),
            ('debit-undone', 'settlement', 'receivable')));

CREATE OR REPLACE FUNCTION require_cause(kind text, cause bytea, amount bigint) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    issued bigint;
BEGIN
    IF kind LIKE 'payout-%' THEN
        IF NOT EXISTS (
            SELECT 1 FROM payout p JOIN redemption r USING (lead_serial)
             WHERE p.lead_serial = substring(cause FROM 1 FOR 32)
               AND cause = p.lead_serial || set_byte('\x00'::bytea, 0, p.attempt)
                   || CASE p.undone WHEN 0 THEN ''::bytea ELSE set_byte('\x00'::bytea, 0, p.undone::integer) END
               AND 'payout-' || p.state = kind AND r.amount_minor = amount) THEN
            RAISE EXCEPTION 'an entry of the kind % needs the payout in that state', kind;
        END IF;
        RETURN;
    END IF;
    IF kind IN ('funding-reversed', 'funding-recalled', 'funding-unassigned', 'funding-claimed') THEN
        SELECT coalesce(sum(m.value_minor), 0) INTO issued FROM mint m
         WHERE m.funding_id = convert_from(cause, 'UTF8') AND m.status = 'approved';
        IF NOT EXISTS (
            SELECT 1 FROM funding_reversal v JOIN funding f USING (funding_id)
             WHERE f.funding_id = convert_from(cause, 'UTF8') AND v.status = 'approved' AND f.reversed
               AND amount = CASE WHEN kind IN ('funding-reversed', 'funding-unassigned') THEN f.amount_minor - issued ELSE issued END
               AND (v.recall OR issued = 0)
               AND (kind IN ('funding-unassigned', 'funding-claimed'))
                   = EXISTS (SELECT 1 FROM funding_line l WHERE l.funding_id = f.funding_id AND NOT l.voided)) THEN
            RAISE EXCEPTION 'an entry of the kind % needs a reversal by two persons', kind;
        END IF;
        RETURN;
    END IF;
    IF kind IN ('claim-netted', 'bank-charge', 'payment-assigned', 'return-assigned', 'return-charge') THEN
        IF NOT EXISTS (
            SELECT 1 FROM line_assignment a LEFT JOIN payout p USING (lead_serial) LEFT JOIN redemption r USING (lead_serial)
             WHERE int8send(a.assignment_id) = cause AND a.status = 'approved'
               AND amount = CASE kind WHEN 'return-charge' THEN r.amount_minor - a.amount_minor ELSE a.amount_minor END
               AND (kind, a.kind, coalesce(p.state, '')) IN (
                    ('claim-netted', 'netting', ''), ('bank-charge', 'charge', ''), ('payment-assigned', 'payment', 'settled'),
                    ('return-assigned', 'return', 'returned'), ('return-charge', 'return', 'returned'))) THEN
            RAISE EXCEPTION 'an entry of the kind % needs an assignment by two persons', kind;
        END IF;
        RETURN;
    END IF;
    IF kind IN ('settlement-undone', 'return-undone', 'failure-undone') THEN
        IF NOT EXISTS (
            SELECT 1 FROM message_reversal v JOIN bank_move w USING (message) JOIN redemption r USING (lead_serial)
             WHERE v.status = 'approved' AND w.lead_serial = substring(cause FROM 1 FOR 32) AND w.attempt = get_byte(cause, 32)
               AND r.amount_minor = amount
               AND (kind, w.state) IN (('settlement-undone', 'settled'), ('return-undone', 'returned'), ('failure-undone', 'failed'))) THEN
            RAISE EXCEPTION 'an entry of the kind % needs a reversal by two persons', kind;
        END IF;
        RETURN;
    END IF;
    IF kind IN ('credit-undone', 'debit-undone') THEN
        IF NOT EXISTS (
            SELECT 1 FROM message_reversal v JOIN bank_line l USING (message)
             WHERE v.status = 'approved' AND l.line_id = line_of(cause) AND l.voided AND l.credit = (kind = 'credit-undone')
               AND l.amount_minor = amount) THEN
            RAISE EXCEPTION 'an entry of the kind % needs a reversal by two persons', kind;
        END IF;
        RETURN;
    END IF;
    IF NOT (CASE kind
        WHEN 'funding' THEN EXISTS (
            SELECT 1 FROM funding f WHERE f.funding_id = convert_from(cause, 'UTF8') AND f.amount_minor = amount)
        WHEN 'issue' THEN EXISTS (
            SELECT 1 FROM mint m WHERE m.mint_id = cause AND m.status = 'approved' AND m.value_minor = amount)
        WHEN 'redemption' THEN EXISTS (
            SELECT 1 FROM redemption r WHERE r.lead_serial = cause AND r.amount_minor = amount)
        WHEN 'credit-assigned' THEN EXISTS (
            SELECT 1 FROM funding_line l JOIN funding f USING (funding_id)
             WHERE f.funding_id = convert_from(cause, 'UTF8') AND l.active AND NOT l.voided AND f.amount_minor = amount)
        WHEN 'unknown-credit' THEN EXISTS (
            SELECT 1 FROM bank_line l WHERE l.line_id = line_of(cause) AND l.credit AND l.amount_minor = amount)
        WHEN 'unknown-debit' THEN EXISTS (
            SELECT 1 FROM bank_line l WHERE l.line_id = line_of(cause) AND NOT l.credit AND l.amount_minor = amount)
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an entry of the kind % needs the row that causes it', kind;
    END IF;
END $$;

