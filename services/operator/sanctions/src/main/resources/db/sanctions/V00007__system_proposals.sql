-- contract after 0.1.0: an approval by a part of the service itself is refused; no process of 0.1.0 has such a part
ALTER TABLE proposal ADD CONSTRAINT proposal_approved_by_a_person CHECK (state <> 'approved' OR NOT starts_with(decided_by, 'system:'));
