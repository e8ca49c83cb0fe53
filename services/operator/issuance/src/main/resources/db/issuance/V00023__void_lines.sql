-- contract after 0.1.0: a line of a reversed message causes no entry, whoever reversed it meanwhile
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
            SELECT 1 FROM funding_line l JOIN funding f USING (funding_id) JOIN bank_line b USING (line_id)
             WHERE f.funding_id = convert_from(cause, 'UTF8') AND l.active AND NOT l.voided AND NOT b.voided AND f.amount_minor = amount)
        WHEN 'unknown-credit' THEN EXISTS (
            SELECT 1 FROM bank_line l WHERE l.line_id = line_of(cause) AND l.credit AND NOT l.voided AND l.amount_minor = amount)
        WHEN 'unknown-debit' THEN EXISTS (
            SELECT 1 FROM bank_line l WHERE l.line_id = line_of(cause) AND NOT l.credit AND NOT l.voided AND l.amount_minor = amount)
        ELSE false
    END) THEN
        RAISE EXCEPTION 'an entry of the kind % needs the row that causes it', kind;
    END IF;
END $$;
