-- How many answers each batch stored that no `spent` event has counted yet: a row for each batch instead of one for each core. Expand: what
-- is still in `uncounted`, where a shard of the version before may go on writing during a roll-out, is counted too; the contraction drops it.
CREATE TABLE uncounted_batches (
    id      bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    answers integer NOT NULL CHECK (answers > 0)
);

-- Requests are 4 kB of points and ciphertext: trying to compress each costs time and never succeeds.
ALTER TABLE cores ALTER COLUMN request SET STORAGE EXTERNAL;
-- Every row is updated once, when its answer comes: with room for that on its page no index has to be touched.
ALTER TABLE cores SET (fillfactor = 35);
-- Kept although they cost 10 us of a transfer's 80 in the database: the reference to serials and the unique lead serial. They hold
-- whatever program writes here to "no core without its lead serial number, one core for each".
