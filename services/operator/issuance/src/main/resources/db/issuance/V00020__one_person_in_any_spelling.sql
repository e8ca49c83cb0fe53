-- contract after 0.1.0: subjects that differ only in case or spaces are one person; processes of 0.1.0 took them for two
-- As Operator.folded has it. Decisions from before stay as they are.
ALTER TABLE mint_approval ADD CONSTRAINT mint_of_two_persons CHECK (
    lower(regexp_replace(subject, '\s', '', 'g')) <> lower(regexp_replace(recorded_by, '\s', '', 'g'))) NOT VALID;
CREATE UNIQUE INDEX one_approval_per_person_in_any_spelling ON mint_approval (mint_id, lower(regexp_replace(subject, '\s', '', 'g')));
ALTER TABLE payout_batch ADD CONSTRAINT batch_of_two_persons CHECK (status <> 'released'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
ALTER TABLE funding_reversal ADD CONSTRAINT reversal_of_two_persons CHECK (status <> 'approved'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
ALTER TABLE payee_correction ADD CONSTRAINT correction_of_two_persons CHECK (status <> 'approved'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
