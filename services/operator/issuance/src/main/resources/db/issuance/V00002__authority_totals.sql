-- expand: what each authority says that it minted and withdrew, compared with the books

-- The newest totals of each authority for each UTC day, and the note with its signature. past_desk_minor: how much more it had minted in
-- all than this desk had issued when the note came.
CREATE TABLE authority_totals (
    authority              integer     NOT NULL CHECK (authority > 0),
    day                    date        NOT NULL,
    minted_minor           bigint      NOT NULL,
    withdrawn_minor        bigint      NOT NULL,
    minted_in_all_minor    bigint      NOT NULL,
    withdrawn_in_all_minor bigint      NOT NULL,
    past_desk_minor        bigint      NOT NULL CHECK (past_desk_minor >= 0),
    note                   text        NOT NULL,
    received_at            timestamptz NOT NULL,
    PRIMARY KEY (authority, day)
);
