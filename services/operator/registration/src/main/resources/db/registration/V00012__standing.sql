-- expand: two people suspend, resume and close a registration
CREATE TABLE standing_step (
    id            uuid        PRIMARY KEY,
    sequence      bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,
    case_id       uuid        NOT NULL REFERENCES kyc_case (id),
    kind          text        NOT NULL CHECK (kind IN ('suspend', 'resume', 'close')),
    sealed_reason bytea       NOT NULL,
    proposed_by   text        NOT NULL,
    proposed_at   timestamptz NOT NULL,
    verdict       text        CHECK (verdict IN ('accepted', 'refused', 'expired')),
    decided_by    text,
    decided_at    timestamptz,
    CONSTRAINT step_decided_by_somebody
        CHECK ((verdict IS NULL) = (decided_by IS NULL) AND (verdict IS NULL) = (decided_at IS NULL)),
    CONSTRAINT step_accepted_by_another CHECK (verdict <> 'accepted' OR lower(btrim(decided_by)) <> lower(btrim(proposed_by)))
);
CREATE INDEX standing_step_by_case ON standing_step (case_id, sequence);
CREATE UNIQUE INDEX one_open_step_per_case ON standing_step (case_id) WHERE verdict IS NULL;
CREATE UNIQUE INDEX closed_once ON standing_step (case_id) WHERE kind = 'close' AND verdict = 'accepted';
CREATE TRIGGER standing_step_is_final BEFORE UPDATE OR DELETE ON standing_step FOR EACH ROW EXECUTE FUNCTION refuse_other_change();
CREATE TRIGGER standing_step_is_kept BEFORE TRUNCATE ON standing_step FOR EACH STATEMENT EXECUTE FUNCTION refuse_event_change();
