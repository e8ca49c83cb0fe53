-- Requests that some authority has not answered yet; sent again until it has.
CREATE TABLE pending_delivery (
    core            bytea       NOT NULL,
    authority       integer     NOT NULL,
    family          integer     NOT NULL,
    request         bytea       NOT NULL,
    attempts        integer     NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (core, authority)
);
CREATE INDEX pending_delivery_due ON pending_delivery (authority, next_attempt_at);

-- Sealed messages of one size. Nothing says whose they are.
CREATE TABLE mailbox (
    sequence  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    blob      bytea       NOT NULL CHECK (octet_length(blob) = 1200),
    posted_on date        NOT NULL DEFAULT current_date
);
