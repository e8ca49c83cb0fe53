-- expand: the key of each day's tokens that this authority countersigned, so that it countersigns no second one for a day

-- key: SHA-256 of all that a token shows of its key; one row a day, deleted when the day's tokens count no more.
CREATE TABLE token_keys (
    day bigint PRIMARY KEY,
    key bytea  NOT NULL CHECK (octet_length(key) = 32)
);
