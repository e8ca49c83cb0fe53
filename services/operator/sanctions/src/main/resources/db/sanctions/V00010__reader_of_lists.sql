-- expand: which reader read a version, so that the same file is read again by one that reads more of it
-- 0: a reader from before readers had numbers.
ALTER TABLE list_version ADD COLUMN reader integer NOT NULL DEFAULT 0;
