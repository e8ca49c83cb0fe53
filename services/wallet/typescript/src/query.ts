import { ascii, concat, u64, u8, type Bytes } from './bytes.js';
import { sender } from './hpke.js';
import { anyBytes, bytes, checked, list, object, optional, small, text, distinct, type Of } from './json.js';
import type { Network } from './network.js';
import { openProof } from './witness.js';

// One share of a private query, between a wallet and a replica (F-55).

const VERSION = 1;
const INFO = ascii('solidus/mail-query/v1');
const ANSWER_KEY = ascii('solidus/mail-answer-key/v1');

/** The tables that a query is for, and one server's share of it. */
export interface MailQuery {
  readonly bucket: number;
  readonly after: bigint;
  readonly upto: bigint;
  /** Of the bucket at that time. */
  readonly state: Bytes;
  readonly share: Bytes;
}

export const encodeQuery = ({ bucket, after, upto, state, share }: MailQuery): Bytes =>
  concat(u8(VERSION), u8(bucket), u64(after), u64(upto), state, share);

const associated = (network: Network, authority: number): Bytes => concat(network.digest, u8(authority));

export interface AskedShare {
  readonly sent: SealedShare;
  /** Opens the answer, which was sealed for this share. */
  open(answer: Bytes): Bytes;
}

/** Seals a share to an authority's replica. */
export function sealQuery(network: Network, replica: Bytes, authority: number, query: MailQuery): AskedShare {
  const { encapsulated, context } = sender(replica, INFO);
  const key = context.export(ANSWER_KEY, 32);
  const sealedShare = context.seal(encodeQuery(query), associated(network, authority));
  return { sent: { authority: BigInt(authority), encapsulatedKey: encapsulated, sealedShare }, open: (answer) => openProof(key, answer) };
}

/** F-22: a query as the gateway passes it on, and what came back. */
const sealed = object({ authority: small, encapsulatedKey: bytes(32), sealedShare: anyBytes });
export const mailQuery = object({ shares: checked(list(sealed), (all) => distinct(all.map((one) => one.authority)), 'shares for different authorities') });
export const mailAnswers = object({ answers: list(object({ authority: small, sealedAnswer: optional(anyBytes), code: optional(text) })) });

export type SealedShare = Of<typeof sealed>;
export type MailAnswer = Of<typeof mailAnswers>['answers'][number];
export { INFO as QUERY_INFO, ANSWER_KEY, associated };
