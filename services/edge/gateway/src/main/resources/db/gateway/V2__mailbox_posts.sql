-- expand: a post that is repeated with its Idempotency-Key gets the number of the first one
-- Digests of keys and messages, in the transaction of the message, so a restored database forgets both.
CREATE TABLE mailbox_post (
    key       bytea  PRIMARY KEY CHECK (octet_length(key) = 32),
    blob      bytea  NOT NULL CHECK (octet_length(blob) = 32),
    sequence  bigint NOT NULL,
    posted_on date   NOT NULL DEFAULT current_date
);
CREATE INDEX mailbox_post_day ON mailbox_post (posted_on);
