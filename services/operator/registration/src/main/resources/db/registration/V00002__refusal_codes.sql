-- contract after 0.1.0: a refusal has a code, which is all that the applicant reads
ALTER TABLE kyc_case ADD COLUMN refusal_code text;
ALTER TABLE kyc_case DISABLE TRIGGER kyc_decision_is_final;
-- what staff wrote to applicants before may name a suspicion
UPDATE kyc_case SET refusal_code = 'come-to-the-bank' WHERE status = 'refused';
ALTER TABLE kyc_case ENABLE TRIGGER kyc_decision_is_final;
ALTER TABLE kyc_case ADD CONSTRAINT refused_with_code CHECK ((status = 'refused') = (refusal_code IS NOT NULL));
