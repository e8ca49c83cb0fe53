-- expand: how many records of the sign-log are in the signer's own table. A signer of the version before leaves the number behind: the next one adds what is missing.
ALTER TABLE sign_log_anchor ADD COLUMN signed_sequence bigint NOT NULL DEFAULT 0;
