-- expand: a blind token is spent once
-- What a token was spent on is not here, and nobody knows whose it was.
CREATE TABLE spent_token (
    day   bigint NOT NULL,
    nonce bytea  NOT NULL CHECK (octet_length(nonce) = 32),
    PRIMARY KEY (day, nonce)
);
