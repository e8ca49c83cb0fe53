-- Facts to publish, written in the transaction that makes them true.
CREATE TABLE outbox (
    sequence     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id     uuid        NOT NULL UNIQUE,
    topic        text        NOT NULL,
    message_key  bytea       NOT NULL,
    payload      bytea       NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    published_at timestamptz
);
CREATE INDEX outbox_unpublished ON outbox (sequence) WHERE published_at IS NULL;

-- Events already taken in.
CREATE TABLE consumed_event (
    event_id    uuid        PRIMARY KEY,
    consumed_at timestamptz NOT NULL DEFAULT now()
);
