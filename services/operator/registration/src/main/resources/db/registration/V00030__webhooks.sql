-- expand: webhooks tell an operator's own systems that work waits

-- The last message to each target about each kind. It says how many wait and nothing of whom or what. owed_since: since when there has been
-- something to tell that no answer has confirmed.
CREATE TABLE webhook_message (
    target     text        NOT NULL,
    kind       text        NOT NULL,
    message_id uuid        NOT NULL,
    waiting    bigint      NOT NULL CHECK (waiting >= 0),
    created_at timestamptz NOT NULL,
    owed_since timestamptz NOT NULL,
    next_at    timestamptz NOT NULL,
    attempts   integer     NOT NULL DEFAULT 0,
    delivered  boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (target, kind)
);
