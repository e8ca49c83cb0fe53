-- contract after 0.1.0: subjects that differ only in case or spaces are one person, for all that two persons decide
-- As Operator.folded has it. Decisions from before stay as they are.
ALTER TABLE screening ADD CONSTRAINT screening_of_two_persons CHECK (status NOT IN ('other-person', 'listed')
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
ALTER TABLE bank_upload ADD CONSTRAINT upload_of_two_persons CHECK (status <> 'approved'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
ALTER TABLE message_reversal ADD CONSTRAINT message_reversal_of_two_persons CHECK (status <> 'approved'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
ALTER TABLE line_assignment ADD CONSTRAINT assignment_of_two_persons CHECK (status <> 'approved'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
