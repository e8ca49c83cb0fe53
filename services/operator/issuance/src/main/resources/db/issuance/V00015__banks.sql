-- contract after 0.1.0: fundings, payouts and batches are one bank's for ever; those from before are the default bank's
ALTER TABLE funding ADD COLUMN bank text NOT NULL DEFAULT 'default' CHECK (bank ~ '^[a-z0-9][a-z0-9-]{0,31}$');
CREATE INDEX funding_of_bank ON funding (bank, sequence);

-- Null: of no bank, for the centre's staff alone.
ALTER TABLE redemption ADD COLUMN bank text DEFAULT 'default' CHECK (bank ~ '^[a-z0-9][a-z0-9-]{0,31}$');
CREATE INDEX redemption_of_bank ON redemption (bank, sequence);
ALTER TABLE payout_batch ADD COLUMN bank text DEFAULT 'default' CHECK (bank ~ '^[a-z0-9][a-z0-9-]{0,31}$');
CREATE INDEX payout_batch_of_bank ON payout_batch (bank, sequence);

-- A redemption's row never changes at all.
CREATE FUNCTION refuse_other_bank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.bank IS DISTINCT FROM OLD.bank THEN
        RAISE EXCEPTION 'rows of % stay with their bank', TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER funding_stays_with_its_bank BEFORE UPDATE OF bank ON funding FOR EACH ROW EXECUTE FUNCTION refuse_other_bank();
CREATE TRIGGER payout_batch_stays_with_its_bank BEFORE UPDATE OF bank ON payout_batch FOR EACH ROW EXECUTE FUNCTION refuse_other_bank();

-- No program error can pay one bank's customer out of another bank's batch.
CREATE FUNCTION require_one_bank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT bank FROM payout_batch WHERE batch_id = NEW.batch_id)
       IS DISTINCT FROM (SELECT bank FROM redemption WHERE lead_serial = NEW.lead_serial) THEN
        RAISE EXCEPTION 'a batch has the payouts of one bank';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payout_batch_item_of_one_bank BEFORE INSERT ON payout_batch_item FOR EACH ROW EXECUTE FUNCTION require_one_bank();
