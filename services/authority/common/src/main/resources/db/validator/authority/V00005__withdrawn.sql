-- expand: money that leaves by withdrawals, for the totals that the authority signs; amounts of withdrawals are public

-- What each batch of reservations withdraws that is not in withdrawn_days yet: a row of its own, so that batches do not wait for each other.
CREATE TABLE withdrawn_batches (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    day          date   NOT NULL,
    amount_minor bigint NOT NULL CHECK (amount_minor > 0)
);

-- Value withdrawn per UTC day.
CREATE TABLE withdrawn_days (
    day             date   PRIMARY KEY,
    withdrawn_minor bigint NOT NULL CHECK (withdrawn_minor >= 0)
);
