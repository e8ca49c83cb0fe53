-- expand: pages of a statement that the bank sends in messages of their own

-- A page waits here until all pages of its statement are there; then they are one message that was handed in. content is HPKE ciphertext.
CREATE TABLE bank_page (
    report_id   text        NOT NULL CHECK (length(report_id) BETWEEN 1 AND 35),
    page        integer     NOT NULL CHECK (page > 0),
    last        boolean     NOT NULL,
    bytes       integer     NOT NULL CHECK (bytes > 0),
    content     bytea       NOT NULL,
    proposed_by text        NOT NULL,
    proposed_at timestamptz NOT NULL,
    PRIMARY KEY (report_id, page)
);
CREATE INDEX bank_page_by_age ON bank_page (proposed_at);
