-- expand: every case is searched for duplicates, also those from before there were pairs; persons with a misread birth date are found
CREATE TABLE duplicate_search (
    case_id uuid        PRIMARY KEY REFERENCES kyc_case (id),
    at      timestamptz NOT NULL,
    cut     boolean     NOT NULL -- there were more pairs than one search keeps
);

-- Keyed hashes of a birth date and one word of a name.
CREATE TABLE birth_name_key (
    key     bytea NOT NULL CHECK (octet_length(key) = 32),
    case_id uuid  NOT NULL REFERENCES kyc_case (id),
    PRIMARY KEY (key, case_id)
);
CREATE INDEX birth_name_key_by_case ON birth_name_key (case_id);

ALTER TABLE possible_duplicate ADD COLUMN near_birth_date boolean NOT NULL DEFAULT false;
