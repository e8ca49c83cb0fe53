-- contract after 0.1.0: writers wait while an index is built; why a payout cannot go into a batch, and the message of a released batch

-- hold: 'none' when a message to the bank can name the payee. A wallet chooses its account, so payouts on hold are skipped by an index and
-- never read again and again. 'unexamined': nobody has looked yet.
ALTER TABLE payout ADD COLUMN hold text NOT NULL DEFAULT 'unexamined'
    CHECK (hold IN ('unexamined', 'none', 'iban-invalid', 'agent-unknown'));
CREATE INDEX payout_by_hold ON payout (hold) WHERE state = 'accepted' AND batch_id IS NULL;

-- HPKE ciphertext of the file for the bank, written when the batch is released; null in batches that were released before this column.
ALTER TABLE payout_batch ADD COLUMN message bytea;
