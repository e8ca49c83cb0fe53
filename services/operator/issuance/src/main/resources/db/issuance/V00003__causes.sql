-- contract after 0.1.0: processes that wrote the cause after the entry would be refused; none did

-- After ledger_entry_is_posted, so that the turnstile speaks first. Services write the cause before the entry, in one transaction.
CREATE FUNCTION require_cause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
CREATE TRIGGER ledger_entry_needs_cause AFTER INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION require_cause();

-- Row triggers do not see TRUNCATE.
CREATE TRIGGER funding_not_truncated BEFORE TRUNCATE ON funding FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER mint_not_truncated BEFORE TRUNCATE ON mint FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER mint_approval_not_truncated BEFORE TRUNCATE ON mint_approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_account_not_truncated BEFORE TRUNCATE ON ledger_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_not_truncated BEFORE TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER redemption_not_truncated BEFORE TRUNCATE ON redemption FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_event_not_truncated BEFORE TRUNCATE ON operator_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
