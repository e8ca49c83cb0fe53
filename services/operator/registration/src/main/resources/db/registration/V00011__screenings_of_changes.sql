-- contract after 0.1.0: writers wait while an index is built; after an import, registered persons without a match are compared with the entries that changed
ALTER TABLE screening ADD COLUMN builds_on bytea REFERENCES screening_basis (digest); -- the clear screening whose lists were not compared again
ALTER TABLE newest_screening ADD COLUMN whole_at timestamptz; -- of the newest screening against all entries
CREATE INDEX newest_screening_by_basis ON newest_screening (basis, case_id);
