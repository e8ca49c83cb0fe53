-- Answers already given, by the caller's Idempotency-Key.
CREATE TABLE idempotent_answer (
    scope       text        NOT NULL,
    key         text        NOT NULL,
    body_digest bytea       NOT NULL,
    status      integer     NOT NULL,
    answer      bytea       NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (scope, key)
);
