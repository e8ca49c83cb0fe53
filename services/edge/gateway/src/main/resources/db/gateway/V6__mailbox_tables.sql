-- expand: messages of each bucket become final tables, for networks whose authorities answer private queries
CREATE TABLE mailbox_list (
    closed bigint PRIMARY KEY,
    cut    bigint NOT NULL,
    text   text   NOT NULL
);
-- The messages first to last of a bucket, with the bucket's state before them and the time of the table before.
CREATE TABLE mailbox_table (
    bucket   smallint NOT NULL,
    closed   bigint   NOT NULL,
    first    bigint   NOT NULL,
    last     bigint   NOT NULL,
    records  integer  NOT NULL CHECK (records > 0),
    root     bytea    NOT NULL CHECK (octet_length(root) = 32),
    before   bytea    NOT NULL CHECK (octet_length(before) = 32),
    previous bigint   NOT NULL,
    PRIMARY KEY (bucket, closed)
);
CREATE INDEX mailbox_table_first ON mailbox_table (first);
