-- contract after 0.1.0: entries and ways of payouts that earlier processes do not know

--   charges   what the bank took for its work
INSERT INTO ledger_account (name) VALUES ('charges');

-- What a line of the bank is for, where the bank's message did not say it: one person proposes, another approves.
--   netting  money in suspense (credit_line) settles a claim: that of an unknown debit (debit_line), or of a recalled funding
--   charge   a part of an unknown debit is the bank's charge
--   payment  an unknown debit paid a payout
--   return   money in suspense is a payout that came back; what it lacks is the bank's charge
CREATE TABLE line_assignment (
    assignment_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind          text        NOT NULL,
    credit_line   bigint      REFERENCES bank_line (line_id),
    debit_line    bigint      REFERENCES bank_line (line_id),
    funding_id    text        REFERENCES funding (funding_id),
    lead_serial   bytea       REFERENCES payout (lead_serial),
    amount_minor  bigint      NOT NULL CHECK (amount_minor > 0),
    reason        text        NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
    status        text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'refused')),
    proposed_by   text        NOT NULL,
    proposed_at   timestamptz NOT NULL,
    decided_by    text,
    decided_at    timestamptz,
    CONSTRAINT assignment_shape CHECK (
        (kind, credit_line IS NOT NULL, debit_line IS NOT NULL, funding_id IS NOT NULL, lead_serial IS NOT NULL) IN (
            ('netting', true, true, false, false),
            ('netting', true, false, true, false),
            ('charge', false, true, false, false),
            ('payment', false, true, false, true),
            ('return', true, false, false, true))),
    CONSTRAINT assignment_decided CHECK ((status = 'pending') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT assignment_four_eyes CHECK (status <> 'approved' OR decided_by <> proposed_by)
);
CREATE INDEX line_assignment_by_credit ON line_assignment (credit_line) WHERE status <> 'refused';
CREATE INDEX line_assignment_by_debit ON line_assignment (debit_line) WHERE status <> 'refused';
CREATE INDEX line_assignment_by_funding ON line_assignment (funding_id) WHERE status <> 'refused';
CREATE UNIQUE INDEX one_open_assignment_of_a_payout ON line_assignment (lead_serial) WHERE status = 'pending';

-- What of a credit is in suspense: nothing while it backs a funding or was a payout's return.
CREATE FUNCTION in_suspense(line bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT 1 FROM funding_line f WHERE f.line_id = line AND f.active) THEN 0
                WHEN EXISTS (SELECT 1 FROM ledger_entry e WHERE e.kind = 'unknown-credit' AND e.reference = int8send(line))
                     OR EXISTS (SELECT 1 FROM funding_line f WHERE f.line_id = line AND NOT f.active)
                THEN l.amount_minor - (SELECT coalesce(sum(a.amount_minor), 0) FROM line_assignment a
                                        WHERE a.credit_line = line AND a.status = 'approved')
                ELSE 0 END
      FROM bank_line l WHERE l.line_id = line
$$;

-- What of a debit is still a claim.
CREATE FUNCTION claim_of_line(line bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT 1 FROM ledger_entry e WHERE e.kind = 'unknown-debit' AND e.reference = int8send(line))
                THEN l.amount_minor - (SELECT coalesce(sum(a.amount_minor), 0) FROM line_assignment a
                                        WHERE a.debit_line = line AND a.status = 'approved')
                ELSE 0 END
      FROM bank_line l WHERE l.line_id = line
$$;

-- What of a recalled funding is still a claim.
CREATE FUNCTION claim_of_funding(funding text) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT (SELECT coalesce(sum(e.amount_minor), 0) FROM ledger_entry e
             WHERE e.kind IN ('funding-recalled', 'funding-claimed') AND e.reference = convert_to(funding, 'UTF8'))
         - (SELECT coalesce(sum(a.amount_minor), 0) FROM line_assignment a WHERE a.funding_id = funding AND a.status = 'approved')
$$;

CREATE FUNCTION guard_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending'
       OR (NEW.assignment_id, NEW.kind, NEW.credit_line, NEW.debit_line, NEW.funding_id, NEW.lead_serial, NEW.amount_minor, NEW.reason,
           NEW.proposed_by, NEW.proposed_at)
       IS DISTINCT FROM
       (OLD.assignment_id, OLD.kind, OLD.credit_line, OLD.debit_line, OLD.funding_id, OLD.lead_serial, OLD.amount_minor, OLD.reason,
           OLD.proposed_by, OLD.proposed_at) THEN
        RAISE EXCEPTION 'a decided assignment is never changed, nor what an assignment is';
    END IF;
    IF NEW.status = 'approved'
       AND (in_suspense(NEW.credit_line) < NEW.amount_minor OR claim_of_line(NEW.debit_line) < NEW.amount_minor
            OR (NEW.funding_id IS NOT NULL AND claim_of_funding(NEW.funding_id) < NEW.amount_minor)) THEN
        RAISE EXCEPTION 'less than this is in suspense, or claimed';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER line_assignment_is_guarded BEFORE UPDATE ON line_assignment FOR EACH ROW EXECUTE FUNCTION guard_assignment();
CREATE TRIGGER line_assignment_begins_undecided BEFORE INSERT ON line_assignment FOR EACH ROW EXECUTE FUNCTION guard_beginning();
CREATE TRIGGER line_assignment_is_kept BEFORE DELETE ON line_assignment FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER line_assignment_not_truncated BEFORE TRUNCATE ON line_assignment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Money that was sent back backs no funding.
CREATE OR REPLACE FUNCTION guard_funding_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT 1 FROM funding f, bank_line l
                        WHERE f.funding_id = NEW.funding_id AND l.line_id = NEW.line_id AND l.credit AND l.amount_minor = f.amount_minor
                          AND NOT f.reversed AND NEW.active)
           OR EXISTS (SELECT 1 FROM line_assignment a WHERE a.credit_line = NEW.line_id AND a.status <> 'refused') THEN
            RAISE EXCEPTION 'a line backs a funding of its amount';
        END IF;
    ELSIF (NEW.funding_id, NEW.line_id) IS DISTINCT FROM (OLD.funding_id, OLD.line_id) OR NEW.active
          OR NOT EXISTS (SELECT 1 FROM funding WHERE funding_id = NEW.funding_id AND reversed) THEN
        RAISE EXCEPTION 'a line is taken from a funding when the funding is reversed';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
            ('return-charge', 'charges', 'payouts')));

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
    IF NEW.kind IN ('claim-netted', 'bank-charge', 'payment-assigned', 'return-assigned', 'return-charge') THEN
        IF NOT EXISTS (
            SELECT 1 FROM line_assignment a LEFT JOIN payout p USING (lead_serial) LEFT JOIN redemption r USING (lead_serial)
             WHERE int8send(a.assignment_id) = NEW.reference AND a.status = 'approved'
               AND NEW.amount_minor = CASE NEW.kind WHEN 'return-charge' THEN r.amount_minor - a.amount_minor ELSE a.amount_minor END
               AND (NEW.kind, a.kind, coalesce(p.state, '')) IN (
                    ('claim-netted', 'netting', ''), ('bank-charge', 'charge', ''), ('payment-assigned', 'payment', 'settled'),
                    ('return-assigned', 'return', 'returned'), ('return-charge', 'return', 'returned'))) THEN
            RAISE EXCEPTION 'an entry of the kind % needs an assignment by two persons', NEW.kind;
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
