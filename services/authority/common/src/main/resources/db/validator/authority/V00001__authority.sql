-- State that all shards and the signer of one authority share.

-- Every policy and checkpoint this authority ever learnt, as its issuer signed it. Rows are facts: they never change
-- and never go. accepted_at is the moment of the first acceptance by any process of the authority, so that grace
-- windows are the same in all of them. late: learnt after a newer version; only the finish rule may use it.
CREATE TABLE policies (
    version     bigint      PRIMARY KEY CHECK (version > 0),
    note        text        NOT NULL,
    accepted_at timestamptz NOT NULL,
    late        boolean     NOT NULL
);

-- list: the sorted 20-byte keys the root was rebuilt from; dropped once the version can no longer be used by a new core.
CREATE TABLE checkpoints (
    version     bigint      PRIMARY KEY CHECK (version > 0),
    note        text        NOT NULL,
    list        bytea,
    accepted_at timestamptz NOT NULL,
    late        boolean     NOT NULL
);

-- The newest heartbeat for each checkpoint version it vouches for.
CREATE TABLE heartbeats (
    checkpoint_version bigint PRIMARY KEY,
    at_millis          bigint NOT NULL,
    note               text   NOT NULL
);

-- Value minted per UTC day; amounts of mints are public.
CREATE TABLE mint_days (
    day          date   PRIMARY KEY,
    minted_minor bigint NOT NULL CHECK (minted_minor >= 0)
);

-- The last sign-log record that was known before a signature left: a log behind it was rolled back, and a database
-- whose anchor is not the log's own was.
CREATE TABLE sign_log_anchor (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    sequence bigint  NOT NULL CHECK (sequence >= 0),
    head     bytea   NOT NULL CHECK (octet_length(head) = 32)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are for ever', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION keep_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <> OLD.version OR NEW.note <> OLD.note OR NEW.accepted_at <> OLD.accepted_at OR NEW.late <> OLD.late THEN
        RAISE EXCEPTION 'a published fact cannot be rewritten' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER policies_for_ever BEFORE UPDATE OR DELETE ON policies FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER checkpoints_keep BEFORE UPDATE ON checkpoints FOR EACH ROW EXECUTE FUNCTION keep_note();
CREATE TRIGGER checkpoints_for_ever BEFORE DELETE ON checkpoints FOR EACH ROW EXECUTE FUNCTION refuse_change();
