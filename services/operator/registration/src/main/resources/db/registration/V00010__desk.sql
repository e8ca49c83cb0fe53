-- expand: an officer claims a case for a while, so that two do not do the same work
CREATE TABLE case_claim (
    case_id    uuid        PRIMARY KEY REFERENCES kyc_case (id),
    officer    text        NOT NULL,
    claimed_at timestamptz NOT NULL,
    until      timestamptz NOT NULL
);
CREATE INDEX case_claim_by_officer ON case_claim (officer);
