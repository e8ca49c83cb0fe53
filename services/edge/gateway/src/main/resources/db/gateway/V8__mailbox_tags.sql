-- expand: a message may carry the one-time tag of a payment request, so that its payee is told at once
-- A row is lost without harm: the message is in its bucket as every other.
CREATE TABLE mailbox_tag (
    sequence  bigint      PRIMARY KEY,
    tag       bytea       NOT NULL CHECK (octet_length(tag) = 16),
    posted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mailbox_tag_tag ON mailbox_tag (tag, sequence);
