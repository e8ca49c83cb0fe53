-- expand: gateways of one network pull each other's messages; what was pulled is passed on to no third one
ALTER TABLE mailbox ADD COLUMN pulled boolean NOT NULL DEFAULT false;
-- One row for each peer: which process pulls from it now, and when it last had nothing new.
CREATE TABLE mailbox_peer (
    name         text        PRIMARY KEY CHECK (octet_length(name) BETWEEN 1 AND 63),
    holder       uuid,
    held_until   timestamptz NOT NULL DEFAULT '-infinity',
    caught_up_at timestamptz NOT NULL DEFAULT now()
);
-- The last place of each day in a peer's mailbox. The newest is where reading goes on; a place that the peer's
-- mailbox does not have any more is deleted, so that reading goes back to the day before.
CREATE TABLE mailbox_peer_place (
    peer   text   NOT NULL REFERENCES mailbox_peer ON DELETE CASCADE,
    day    date   NOT NULL DEFAULT current_date,
    number bigint NOT NULL CHECK (number > 0),
    digest bytea  NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (peer, day)
);
