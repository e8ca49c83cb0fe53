/** Why an input is refused. The names in capitals are those of the vectors of pages 1 to 3, the others the codes of page 8. */
export type Reason =
  | 'BAD_LENGTH'
  | 'BAD_NETWORK_ID'
  | 'FIELD_NOT_CANONICAL'
  | 'SCALAR_NOT_CANONICAL'
  | 'SCALAR_ZERO'
  | 'POINT_NOT_CANONICAL'
  | 'POINT_NOT_ON_CURVE'
  | 'POINT_NOT_IN_SUBGROUP'
  | 'IDENTITY_POINT'
  | 'KEY_SIGNATURE_INVALID'
  | 'SIGNATURE_INVALID'
  | 'LINK_INVALID'
  | 'LISTED'
  | 'LIST_DUPLICATE'
  | 'LIST_NOT_SORTED'
  | 'LIST_SENTINEL'
  | 'OUT_OF_RANGE'
  | 'seed-phrase-invalid'
  | 'rules-untrusted'
  | 'manifest-untrusted'
  | 'receipt-invalid'
  | ServiceCode
  | WalletCode;

/** The codes of services that say whether the same may succeed later. */
const SERVICE_CODES = {
  'serial-conflict': false,
  'stale-policy': true,
  'unknown-policy': true,
  'stale-period': true,
  'stale-checkpoint': true,
  'unknown-checkpoint': true,
  'heartbeat-stale': true,
  'proof-invalid': false,
  'attestation-invalid': false,
  'approval-invalid': false,
  'bank-needed': false,
  'unknown-bank': false,
  'already-registered': false,
  'mint-conflict': false,
  'mint-cap-exceeded': false,
  'mint-cap-used-up': true,
  'over-limit-transfer': false,
  'over-limit-period': false,
  'over-limit-count': false,
  'over-limit-held': false,
  sanctioned: false,
  'insufficient-funds': false,
  unauthorized: false,
  forbidden: false,
  'not-found': false,
  'idempotency-mismatch': false,
  overloaded: true,
  unavailable: true,
  'no-quorum': true,
  'shard-moved': true,
  internal: false,
  'malformed-request': false,
  'unknown-version': false,
  'wrong-network': false,
  'body-too-large': false,
  'identity-point': false,
  'point-not-on-curve': false,
  'point-not-in-subgroup': false,
  'serials-not-distinct': false,
  'context-mismatch': false,
  'signature-invalid': false,
  'shown-signature-invalid': false,
} as const;

export type ServiceCode = keyof typeof SERVICE_CODES;

/** What a wallet refuses or reports by itself. */
export type WalletCode =
  | 'gateway-unreachable'
  | 'gateway-misbehaved'
  | 'mailbox-stale'
  | 'insecure-address'
  | 'network-mismatch'
  | 'rules-rolled-back'
  | 'proof-unverified'
  | 'signature-unverified'
  | 'transfer-in-flight'
  | 'payment-burnt'
  | 'recover-impossible'
  | 'own-prover-needed'
  | 'request-expired'
  | 'not-registered'
  | 'mint-pending'
  | 'mint-refused'
  | 'not-supported'
  | 'foreign-mailbox'
  | 'address-invalid'
  | 'store-missing'
  | 'store-exists'
  | 'store-locked'
  | 'store-corrupt'
  | 'store-version'
  | 'store-unwritable'
  | 'wrong-passphrase';

/** The code of a refusal of a service, if it is known. */
export const serviceCode = (text: string): ServiceCode | undefined => (Object.hasOwn(SERVICE_CODES, text) ? (text as ServiceCode) : undefined);

/** Whether the same may succeed later, possibly with evidence made anew. */
export const isRetryable = (e: unknown): e is Refusal =>
  e instanceof Refusal && (SERVICE_CODES as Readonly<Record<string, boolean>>)[e.reason] === true;

/** An input that the specification refuses. */
export class Refusal extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, detail: string) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
  }
}

/** Throws the refusal unless the condition holds. */
export function demand(condition: boolean, reason: Reason, detail: string): asserts condition {
  if (!condition) throw new Refusal(reason, detail);
}

/** Runs the work, and refuses with one reason what it refuses or what a library refuses. */
export function refusedAs<T>(reason: Reason, work: () => T): T {
  try {
    return work();
  } catch (e) {
    throw new Refusal(reason, e instanceof Error ? e.message : String(e));
  }
}

/** Runs the work, and refuses as malformed what it refuses or what a library refuses. */
export const wellFormed = <T>(work: () => T): T => refusedAs('malformed-request', work);
