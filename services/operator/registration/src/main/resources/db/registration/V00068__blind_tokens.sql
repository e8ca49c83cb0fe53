-- expand: registered wallets get blind tokens, a batch a day

-- The keys of a day (days since 1970, UTC). The private one is sealed under the master key, and goes when its day is over.
CREATE TABLE token_key (
    day        bigint PRIMARY KEY,
    spki       bytea  NOT NULL,
    sealed_key bytea
);

-- Which case got its batch of a day. The digest is of the blinded requests and says nothing of the tokens.
CREATE TABLE token_batch (
    case_id uuid   NOT NULL,
    day     bigint NOT NULL,
    digest  bytea  NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (case_id, day)
);
CREATE INDEX token_batch_day ON token_batch (day);
