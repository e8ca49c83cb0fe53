-- contract after 0.1.0: subjects that differ only in case or spaces are one person; processes of 0.1.0 took them for two
-- As Operator.folded has it. Decisions from before stay as they are.
ALTER TABLE proposal ADD CONSTRAINT proposal_of_two_persons CHECK (state <> 'approved'
    OR lower(regexp_replace(decided_by, '\s', '', 'g')) <> lower(regexp_replace(proposed_by, '\s', '', 'g'))) NOT VALID;
ALTER TABLE list_version ADD CONSTRAINT list_version_of_two_persons CHECK (
    lower(regexp_replace(accepted_by, '\s', '', 'g')) <> lower(regexp_replace(imported_by, '\s', '', 'g'))) NOT VALID;
