-- contract after 0.1.0: balances are posted once for all entries of a statement, and lines know their entry

-- entry: the account servicer's reference of the whole entry, which the bank gives in notifications and statements alike; a line may be one
-- of several transactions of it. Null in lines that were booked before: there the reference is the entry's.
ALTER TABLE bank_line
    ADD COLUMN entry text,
    DROP CONSTRAINT bank_line_reference_check,
    ADD CONSTRAINT bank_line_reference_check CHECK (length(reference) BETWEEN 1 AND 100);
CREATE INDEX bank_line_by_entry ON bank_line ((coalesce(entry, reference)));

-- skipped: entries that move no money.
ALTER TABLE bank_message ADD COLUMN skipped integer NOT NULL DEFAULT 0;

-- One update of each account for all rows of a statement: a row that is updated thousands of times in one transaction is read through all of
-- its versions each time.
CREATE FUNCTION post_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change record;
BEGIN
    FOR change IN
        SELECT account, sum(debit) AS debit, sum(credit) AS credit
          FROM (SELECT debit_account AS account, amount_minor AS debit, 0 AS credit FROM entered
                UNION ALL SELECT credit_account, 0, amount_minor FROM entered) moved
         GROUP BY account ORDER BY account
    LOOP
        UPDATE ledger_account SET debit_minor = debit_minor + change.debit, credit_minor = credit_minor + change.credit
         WHERE name = change.account;
    END LOOP;
    RETURN NULL;
END $$;

-- Refuses an entry without the row that causes it.
CREATE FUNCTION require_cause(kind text, cause bytea, amount bigint) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
    issued bigint;
BEGIN
    IF kind LIKE 'payout-%' THEN
        IF NOT EXISTS (
            SELECT 1 FROM payout p JOIN redemption r USING (lead_serial)
             WHERE p.lead_serial = substring(cause FROM 1 FOR 32) AND octet_length(cause) = 33
               AND p.attempt = get_byte(cause, 32) AND 'payout-' || p.state = kind AND r.amount_minor = amount) THEN
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
                   = EXISTS (SELECT 1 FROM funding_line l WHERE l.funding_id = f.funding_id)) THEN
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
    IF NOT (CASE kind
        WHEN 'funding' THEN EXISTS (
            SELECT 1 FROM funding f WHERE f.funding_id = convert_from(cause, 'UTF8') AND f.amount_minor = amount)
        WHEN 'issue' THEN EXISTS (
            SELECT 1 FROM mint m WHERE m.mint_id = cause AND m.status = 'approved' AND m.value_minor = amount)
        WHEN 'redemption' THEN EXISTS (
            SELECT 1 FROM redemption r WHERE r.lead_serial = cause AND r.amount_minor = amount)
        WHEN 'credit-assigned' THEN EXISTS (
            SELECT 1 FROM funding_line l JOIN funding f USING (funding_id)
             WHERE f.funding_id = convert_from(cause, 'UTF8') AND l.active AND f.amount_minor = amount)
        WHEN 'unknown-credit' THEN EXISTS (
            SELECT 1 FROM bank_line l WHERE l.line_id = line_of(cause) AND l.credit AND l.amount_minor = amount)
        WHEN 'unknown-debit' THEN EXISTS (
            SELECT 1 FROM bank_line l WHERE l.line_id = line_of(cause) AND NOT l.credit AND l.amount_minor = amount)
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an entry of the kind % needs the row that causes it', kind;
    END IF;
END $$;

-- The number that int8send wrote: an index finds it, and would not find int8send(line_id).
CREATE FUNCTION line_of(cause bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN octet_length(cause) = 8 THEN ('x' || encode(cause, 'hex'))::bit(64)::bigint END
$$;

CREATE FUNCTION require_causes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_cause(kind, reference, amount_minor) FROM entered;
    RETURN NULL;
END $$;

DROP TRIGGER ledger_entry_is_posted ON ledger_entry;
DROP TRIGGER ledger_entry_needs_cause ON ledger_entry;
DROP FUNCTION post_entry();
DROP FUNCTION require_cause();
-- in the order of their names: the turnstile speaks before the cause
CREATE TRIGGER ledger_entry_is_posted AFTER INSERT ON ledger_entry
    REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION post_entries();
CREATE TRIGGER ledger_entry_needs_cause AFTER INSERT ON ledger_entry
    REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION require_causes();
