-- contract after 0.1.0: each case is one bank's for ever; those from before are the default bank's
ALTER TABLE kyc_case ADD COLUMN bank text NOT NULL DEFAULT 'default' CHECK (bank ~ '^[a-z0-9][a-z0-9-]{0,31}$');
CREATE INDEX kyc_case_of_bank ON kyc_case (bank, created_at, id);
CREATE INDEX kyc_case_of_bank_by_status ON kyc_case (bank, status, created_at, id);

CREATE FUNCTION refuse_other_bank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.bank IS DISTINCT FROM OLD.bank THEN
        RAISE EXCEPTION 'rows of % stay with their bank', TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER kyc_case_stays_with_its_bank BEFORE UPDATE OF bank ON kyc_case FOR EACH ROW EXECUTE FUNCTION refuse_other_bank();
