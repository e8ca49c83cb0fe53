-- Columns named sealed_* are AES-256-GCM ciphertexts; *_key, *_tag and request_digest are keyed hashes.
CREATE TABLE kyc_case (
    id                 uuid        PRIMARY KEY,
    identity_key       bytea       NOT NULL CHECK (octet_length(identity_key) = 32),
    document_key       bytea       NOT NULL CHECK (octet_length(document_key) = 32),
    person_tag         bytea       NOT NULL CHECK (octet_length(person_tag) = 32),
    sealed_person      bytea       NOT NULL,
    apk                bytea       NOT NULL CHECK (octet_length(apk) = 32),
    core               bytea       NOT NULL CHECK (octet_length(core) = 32),
    request            bytea       NOT NULL,
    request_key        bytea       NOT NULL,
    request_digest     bytea       NOT NULL,
    status             text        NOT NULL CHECK (status IN ('pending-screening', 'pending', 'review', 'approved', 'refused')),
    sealed_matches     bytea,
    screened_at        timestamptz,
    screening_attempts integer     NOT NULL DEFAULT 0,
    screen_after       timestamptz NOT NULL,
    sealed_reason      bytea,
    decided_by         text,
    decided_at         timestamptz,
    attestation_note   text,
    created_at         timestamptz NOT NULL,
    CONSTRAINT decided_by_somebody CHECK ((status IN ('approved', 'refused')) = (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
    CONSTRAINT attested_when_approved CHECK ((status = 'approved') = (attestation_note IS NOT NULL)),
    CONSTRAINT screened_before_decided CHECK (status NOT IN ('pending', 'review', 'approved') OR screened_at IS NOT NULL)
);

-- One registration per identity, document and address; who was refused may come again.
CREATE UNIQUE INDEX one_case_per_identity ON kyc_case (identity_key) WHERE status <> 'refused';
CREATE UNIQUE INDEX one_case_per_document ON kyc_case (document_key) WHERE status <> 'refused';
CREATE UNIQUE INDEX one_case_per_address ON kyc_case (apk) WHERE status <> 'refused';
CREATE UNIQUE INDEX one_case_per_request ON kyc_case (request_key) WHERE status <> 'refused';
CREATE INDEX kyc_case_by_request ON kyc_case (request_key, created_at DESC);

-- Earlier refusals of the same person, document or address are shown to the operator.
CREATE INDEX refused_identity ON kyc_case (identity_key) WHERE status = 'refused';
CREATE INDEX refused_document ON kyc_case (document_key) WHERE status = 'refused';
CREATE INDEX refused_address ON kyc_case (apk) WHERE status = 'refused';

CREATE INDEX kyc_case_by_age ON kyc_case (created_at, id);
CREATE INDEX kyc_case_by_status ON kyc_case (status, created_at, id);
CREATE INDEX kyc_case_to_screen ON kyc_case (screen_after) WHERE status = 'pending-screening';

-- Who did what with a case, reading it included. Never changed or removed.
CREATE TABLE kyc_event (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id  uuid        NOT NULL REFERENCES kyc_case (id),
    at       timestamptz NOT NULL,
    actor    text        NOT NULL,
    action   text        NOT NULL
);
CREATE INDEX kyc_event_by_case ON kyc_event (case_id, sequence);

CREATE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME;
END $$;
CREATE TRIGGER kyc_event_is_final BEFORE UPDATE OR DELETE ON kyc_event FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

-- No program error can undo or change a decision, or attest twice.
CREATE FUNCTION refuse_decision_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status IN ('approved', 'refused') AND NEW IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'a decided case is never changed';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER kyc_decision_is_final BEFORE UPDATE ON kyc_case FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();
