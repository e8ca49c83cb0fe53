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
  | 'malformed-request'
  | 'unknown-version'
  | 'wrong-network'
  | 'seed-phrase-invalid'
  | 'serials-not-distinct'
  | 'identity-point'
  | 'point-not-on-curve'
  | 'point-not-in-subgroup'
  | 'signature-invalid'
  | 'shown-signature-invalid'
  | 'no-quorum'
  | 'rules-untrusted'
  | 'manifest-untrusted'
  | 'receipt-invalid';

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
