-- Money received at the bank, against which coins may be issued. sealed_reference is HPKE ciphertext.
CREATE TABLE funding (
    sequence         bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    funding_id       text        PRIMARY KEY CHECK (funding_id ~ '^[A-Za-z0-9._:-]{1,64}$'),
    amount_minor     bigint      NOT NULL CHECK (amount_minor > 0),
    reserved_minor   bigint      NOT NULL DEFAULT 0,
    holder_tag       bytea       CHECK (octet_length(holder_tag) = 32),
    sealed_reference bytea,
    token_hash       bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    recorded_by      text        NOT NULL,
    recorded_at      timestamptz NOT NULL,
    UNIQUE (funding_id, recorded_by),
    CONSTRAINT funding_has_a_holder CHECK (holder_tag IS NOT NULL OR sealed_reference IS NOT NULL),
    CONSTRAINT funding_not_overdrawn CHECK (reserved_minor BETWEEN 0 AND amount_minor)
);

-- request is the whole mint without its approvals. recorded_by is the funding's, so that the rows below can be held against it.
CREATE TABLE mint (
    sequence     bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    mint_id      bytea       PRIMARY KEY CHECK (octet_length(mint_id) = 32),
    funding_id   text        NOT NULL,
    recorded_by  text        NOT NULL,
    value_minor  bigint      NOT NULL CHECK (value_minor > 0),
    core         bytea       NOT NULL CHECK (octet_length(core) = 32),
    request      bytea       NOT NULL,
    status       text        NOT NULL DEFAULT 'awaiting-approval' CHECK (status IN ('awaiting-approval', 'approved', 'refused')),
    requested_at timestamptz NOT NULL,
    decided_at   timestamptz,
    reason       text,
    FOREIGN KEY (funding_id, recorded_by) REFERENCES funding (funding_id, recorded_by),
    UNIQUE (mint_id, recorded_by),
    CONSTRAINT mint_decided CHECK ((status = 'awaiting-approval') = (decided_at IS NULL)),
    CONSTRAINT mint_refused_with_reason CHECK ((status = 'refused') = (reason IS NOT NULL))
);
CREATE INDEX mint_by_status ON mint (status, sequence);

CREATE TABLE mint_approval (
    mint_id     bytea       NOT NULL,
    recorded_by text        NOT NULL,
    approver    text        NOT NULL,
    subject     text        NOT NULL,
    signature   bytea       NOT NULL CHECK (octet_length(signature) = 64),
    approved_at timestamptz NOT NULL,
    PRIMARY KEY (mint_id, approver),
    FOREIGN KEY (mint_id, recorded_by) REFERENCES mint (mint_id, recorded_by),
    CONSTRAINT one_approval_per_person UNIQUE (mint_id, subject),
    -- no program error can let the person who recorded the money approve its issue
    CONSTRAINT mint_four_eyes CHECK (subject <> recorded_by)
);

-- Double entry: each row takes an amount from one account to another, so the books balance by construction.
--   settlement   money held at the bank           fundings  received and not yet issued
--   circulation  coins outside the issuer's hands payouts   redeemed, owed to bank accounts
CREATE TABLE ledger_account (
    name         text   PRIMARY KEY,
    debit_minor  bigint NOT NULL DEFAULT 0,
    credit_minor bigint NOT NULL DEFAULT 0,
    -- redeemed is never more than issued
    CONSTRAINT turnstile CHECK (name <> 'circulation' OR debit_minor <= credit_minor),
    -- issued is never more than received
    CONSTRAINT issue_is_funded CHECK (name <> 'fundings' OR debit_minor <= credit_minor)
);
INSERT INTO ledger_account (name) VALUES ('settlement'), ('fundings'), ('circulation'), ('payouts');

CREATE TABLE ledger_entry (
    sequence       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind           text        NOT NULL,
    reference      bytea       NOT NULL,
    debit_account  text        NOT NULL REFERENCES ledger_account (name),
    credit_account text        NOT NULL REFERENCES ledger_account (name),
    amount_minor   bigint      NOT NULL CHECK (amount_minor > 0),
    entered_at     timestamptz NOT NULL,
    CONSTRAINT one_entry_per_cause UNIQUE (kind, reference),
    CONSTRAINT accounts_of_the_kind CHECK (
        (kind, debit_account, credit_account) IN (
            ('funding', 'settlement', 'fundings'),
            ('issue', 'fundings', 'circulation'),
            ('redemption', 'circulation', 'payouts')))
);

-- One payout per lead serial for ever. sealed_payout stays as the wallet sealed it; request and partials are the evidence.
CREATE TABLE redemption (
    sequence      bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    lead_serial   bytea       PRIMARY KEY CHECK (octet_length(lead_serial) = 32),
    core          bytea       NOT NULL CHECK (octet_length(core) = 32),
    amount_minor  bigint      NOT NULL CHECK (amount_minor > 0),
    end_to_end_id text        NOT NULL UNIQUE,
    sealed_payout bytea       NOT NULL CHECK (octet_length(sealed_payout) = 512),
    request       bytea       NOT NULL,
    partials      bytea[]     NOT NULL,
    accepted_at   timestamptz NOT NULL
);

-- What operators did, reading accounts included.
CREATE TABLE operator_event (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL,
    actor    text        NOT NULL,
    action   text        NOT NULL,
    subject  text        NOT NULL
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_entry_is_final BEFORE UPDATE OR DELETE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER redemption_is_final BEFORE UPDATE OR DELETE ON redemption FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER mint_approval_is_final BEFORE UPDATE OR DELETE ON mint_approval FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_event_is_final BEFORE UPDATE OR DELETE ON operator_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER funding_is_kept BEFORE DELETE ON funding FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER mint_is_kept BEFORE DELETE ON mint FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_account_is_kept BEFORE DELETE ON ledger_account FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Accounts are always updated in the order of their names, so that entries made at the same time cannot deadlock.
CREATE FUNCTION post_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    account text;
BEGIN
    FOREACH account IN ARRAY ARRAY[LEAST(NEW.debit_account, NEW.credit_account), GREATEST(NEW.debit_account, NEW.credit_account)]
    LOOP
        UPDATE ledger_account
           SET debit_minor = debit_minor + CASE WHEN account = NEW.debit_account THEN NEW.amount_minor ELSE 0 END,
               credit_minor = credit_minor + CASE WHEN account = NEW.credit_account THEN NEW.amount_minor ELSE 0 END
         WHERE name = account;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_is_posted AFTER INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION post_entry();

CREATE FUNCTION refuse_direct_posting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'balances change by ledger entries only';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_account_by_entries BEFORE UPDATE ON ledger_account FOR EACH ROW EXECUTE FUNCTION refuse_direct_posting();

CREATE FUNCTION guard_funding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.funding_id, NEW.amount_minor, NEW.holder_tag, NEW.sealed_reference, NEW.recorded_by, NEW.recorded_at)
       IS DISTINCT FROM
       (OLD.funding_id, OLD.amount_minor, OLD.holder_tag, OLD.sealed_reference, OLD.recorded_by, OLD.recorded_at) THEN
        RAISE EXCEPTION 'of a funding only its reservations and its token change';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER funding_is_final BEFORE UPDATE ON funding FOR EACH ROW EXECUTE FUNCTION guard_funding();

-- No program error can issue on one person's word, or undo or change a decision.
CREATE FUNCTION guard_mint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'awaiting-approval' THEN
        RAISE EXCEPTION 'a decided mint is never changed';
    END IF;
    IF (NEW.mint_id, NEW.funding_id, NEW.recorded_by, NEW.value_minor, NEW.core, NEW.request, NEW.requested_at)
       IS DISTINCT FROM
       (OLD.mint_id, OLD.funding_id, OLD.recorded_by, OLD.value_minor, OLD.core, OLD.request, OLD.requested_at) THEN
        RAISE EXCEPTION 'what a mint is never changes';
    END IF;
    IF NEW.status = 'approved' AND (SELECT count(*) FROM mint_approval WHERE mint_id = NEW.mint_id) < 2 THEN
        RAISE EXCEPTION 'a mint needs two approvals';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER mint_is_final BEFORE UPDATE ON mint FOR EACH ROW EXECUTE FUNCTION guard_mint();

CREATE FUNCTION guard_new_mint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> 'awaiting-approval' THEN
        RAISE EXCEPTION 'a mint begins undecided';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER mint_begins_undecided BEFORE INSERT ON mint FOR EACH ROW EXECUTE FUNCTION guard_new_mint();
