import { sha256 } from '@noble/hashes/sha2.js';
import { at, equal, sized, toHex, type Bytes } from './bytes.js';
import { accepted, ask, type Exchange, type Transport } from './http.js';
import type { Codec, Of } from './json.js';
import {
  attestedRegistration,
  coinQuestion,
  coinStates,
  mailboxPage,
  mintRequest,
  networkInfo,
  posted,
  postedAs,
  recoverRequest,
  registrationRequest,
  sealedProof,
  sealedWitness,
  servedKeys,
  signed,
  transferRequest,
  writeBody,
  type RecoverRequest,
} from './messages.js';
import type { MailServer } from './private-mail.js';
import { mailAnswers, mailQuery, type MailAnswer, type SealedShare } from './query.js';
import { Reader } from './reader.js';
import { demand, Refusal, refusedAs } from './refusal.js';
import type { RuleSource } from './rules.js';
import { fromUtf8, utf8 } from './text.js';

export type TransferRequest = Of<typeof transferRequest>;
export type RegistrationRequest = Of<typeof registrationRequest>;
export type MintRequest = Of<typeof mintRequest>;
export type SignedAnswer = Of<typeof signed>;
export type CoinState = Of<typeof coinStates>['states'][number];
export type SignedStates = NonNullable<Of<typeof coinStates>['signed']>[number];

export interface MailboxEntry {
  readonly sequence: bigint;
  /** Any bytes; a blob of another length than a parcel's is nobody's. */
  readonly blob: Bytes;
}

/** A message's number in the whole mailbox, and its SHA-256. */
export interface Place {
  readonly sequence: bigint;
  readonly digest: Bytes;
}

export interface Page {
  readonly entries: readonly MailboxEntry[];
  /** SHA-256 of the message with the number after which the page begins, or none. */
  readonly at: Bytes | undefined;
  /** How far the page reaches; none where there is nothing. */
  readonly place: Place | undefined;
}

const BLOB = 1200;
const PAGE_HEAD = 1 + 32 + 8 + 32;
const PAGE_ENTRY = 8 + BLOB;
const JSON_LIMIT = 1 << 20;
const KEYS_LIMIT = 3 << 19;
const STATES_LIMIT = 4 << 20;
const LIST_LIMIT = 531_440 * 20;
/** A table of 65,536 messages has a page of its own. */
const HEADERS_LIMIT = 4 << 20;
/** Messages of a page that is read whole. */
export const RECORDS = 200;

/** The blind tokens of a wallet. */
export interface TokenSource {
  /** The header that spends a token; none where there is none. */
  take(): Promise<string | undefined>;
}

/** A request that got no answer, and its token. */
interface Unanswered {
  /** SHA-256 of path and body. */
  readonly request: Bytes;
  readonly header: string;
}

/** The gateway's routes (F-22). It is a transport: whoever calls verifies every answer. */
export class Gateway implements RuleSource, MailServer {
  /** The host name that tokens for this gateway name. Without it a wallet fetches none. */
  readonly origin: string | undefined;
  readonly #transport: Transport;
  #tokens: TokenSource | undefined;
  #unanswered: Unanswered | undefined;

  constructor(transport: Transport, origin?: string) {
    this.#transport = transport;
    this.origin = origin;
  }

  /** Whose tokens requests spend from now on. */
  spend(tokens: TokenSource): void {
    this.#tokens = tokens;
  }

  /**
   * Sends a request that costs the gateway something and its sender nothing, with a token. One that got no answer is repeated with its
   * token, which is shown with no other request: the gateway would know that both are of one wallet.
   */
  async #spending<T>(path: string, body: string, send: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
    const request = sha256(utf8(`${path}\n${body}`));
    const before = this.#unanswered;
    this.#unanswered = undefined;
    const header = before !== undefined && equal(before.request, request) ? before.header : await this.#tokens?.take();
    try {
      return await send(header === undefined ? {} : { Authorization: header });
    } catch (e) {
      if (header !== undefined && e instanceof Refusal && e.reason === 'gateway-unreachable') this.#unanswered = { request, header };
      throw e;
    }
  }

  async #bytes(exchange: Omit<Exchange, 'limit'>, limit = JSON_LIMIT): Promise<Bytes> {
    return accepted(await this.#transport({ ...exchange, limit }));
  }

  #read<T>(codec: Codec<T>, exchange: Omit<Exchange, 'limit'>, limit?: number): Promise<T> {
    return ask(this.#transport, codec, exchange, limit);
  }

  info(): Promise<Of<typeof networkInfo>> {
    return this.#read(networkInfo, { method: 'GET', path: '/v1/info' });
  }

  /** The bytes of both files, not verified. */
  keys(): Promise<Of<typeof servedKeys>> {
    return this.#read(servedKeys, { method: 'GET', path: '/v1/keys' }, KEYS_LIMIT);
  }

  /** The keys of blind tokens as a note, not verified; `not-found` where there are none. */
  async tokenKeys(): Promise<string> {
    return fromUtf8(await this.#bytes({ method: 'GET', path: '/v1/tokens/keys' }));
  }

  async policyNote(): Promise<string> {
    return fromUtf8(await this.#bytes({ method: 'GET', path: '/v1/policy' }));
  }

  async checkpointNote(): Promise<string> {
    return fromUtf8(await this.#bytes({ method: 'GET', path: '/v1/sanctions/checkpoint' }));
  }

  sanctionList(version: bigint): Promise<Bytes> {
    return this.#bytes({ method: 'GET', path: `/v1/sanctions/checkpoints/${version}/list` }, LIST_LIMIT);
  }

  submitTransfer(core: Bytes, request: TransferRequest): Promise<SignedAnswer> {
    return this.#submit('/v1/transfers', core, writeBody(transferRequest, request));
  }

  /** The signatures on a recover that authorities hold. */
  submitRecover(core: Bytes, request: RecoverRequest): Promise<SignedAnswer> {
    return this.#submit('/v1/recovers', core, writeBody(recoverRequest, request));
  }

  /** The signatures on a first compliance coin, which the attestation speaks for. */
  submitRegistration(core: Bytes, request: RegistrationRequest, attestationNote: string): Promise<SignedAnswer> {
    return this.#submit('/v1/registrations/signatures', core, writeBody(attestedRegistration, { request, attestationNote }));
  }

  /** The signatures on a coin that two approvers signed. */
  submitMint(core: Bytes, request: MintRequest): Promise<SignedAnswer> {
    return this.#submit('/v1/mints', core, writeBody(mintRequest, request));
  }

  /** The same core gets the same signatures, however often it is sent. */
  #submit(path: string, core: Bytes, body: string): Promise<SignedAnswer> {
    return this.#read(signed, { method: 'POST', path, headers: { 'Idempotency-Key': toHex(sized(core, 32, 'a core')) }, body });
  }

  /** What authorities say of serial numbers, for a nonce that is drawn for this question. */
  async coinStates(serials: readonly bigint[], nonce: Bytes): Promise<{ states: readonly CoinState[]; signed: readonly SignedStates[] }> {
    const body = writeBody(coinQuestion, { serials, nonce });
    const path = '/v1/coins/state';
    const answer = await this.#spending(path, body, (headers) => this.#read(coinStates, { method: 'POST', path, headers, body }, STATES_LIMIT));
    const same = answer.states.length === serials.length && answer.states.every((state, i) => state.serial === at(serials, i));
    demand(same, 'gateway-misbehaved', 'an answer about other serial numbers');
    return { states: answer.states, signed: answer.signed ?? [] };
  }

  /** A sealed proof of a sealed witness. */
  async prove(family: number, encapsulatedKey: Bytes, sealed: Bytes): Promise<Bytes> {
    const body = writeBody(sealedWitness, { family: BigInt(family), encapsulatedKey, sealedWitness: sealed });
    const path = '/v1/proofs';
    return (await this.#spending(path, body, (headers) => this.#read(sealedProof, { method: 'POST', path, headers, body }))).sealedProof;
  }

  /** Posts a message to a bucket, or to the whole mailbox, and gives the number that it got. */
  async post(blob: Bytes, bucket: bigint | undefined): Promise<bigint> {
    const [path, body] = ['/v1/mailbox', writeBody(posted, { blob, bucket })];
    return (await this.#spending(path, body, (headers) => this.#read(postedAs, { method: 'POST', path, headers, body }))).sequence;
  }

  /** A page of the whole mailbox (W-06): at most so many messages with numbers above the given one. */
  async mailbox(after: bigint, limit: number): Promise<Page> {
    return pageOf(await this.#read(mailboxPage, { method: 'GET', path: `/v1/mailbox?after=${after}&limit=${limit}` }), after, limit);
  }

  /** A page of a bucket (F-49), with the whole mailbox's end where it is the bucket's last. */
  async bucket(bucket: number, after: bigint, limit: number): Promise<Page> {
    return bucketPageOf(await this.#bytes({ method: 'GET', path: `/v1/mailbox/buckets/${bucket}?after=${after}&limit=${limit}` }), after, limit);
  }

  async mailNote(): Promise<string> {
    return fromUtf8(await this.#bytes({ method: 'GET', path: '/v1/mailbox/tables/note' }));
  }

  /** A page of headers (F-53). */
  mailHeaders(node: number, after: bigint, upto: bigint): Promise<Bytes> {
    return this.#bytes({ method: 'GET', path: `/v1/mailbox/tables/${node}/headers?after=${after}&upto=${upto}` }, HEADERS_LIMIT);
  }

  /** A page of messages (F-54). */
  mailRecords(node: number, after: bigint, upto: bigint): Promise<Bytes> {
    return this.#bytes({ method: 'GET', path: `/v1/mailbox/tables/${node}/records?after=${after}&upto=${upto}&limit=${RECORDS}` });
  }

  async mailQuery(shares: readonly SealedShare[]): Promise<readonly MailAnswer[]> {
    const [path, body] = ['/v1/mailbox/queries', writeBody(mailQuery, { shares })];
    return answersTo(shares, await this.#spending(path, body, (headers) => this.#read(mailAnswers, { method: 'POST', path, headers, body })));
  }
}

/** Judges whose answers to shares these are (F-55). */
export function answersTo(shares: readonly SealedShare[], { answers }: Of<typeof mailAnswers>): readonly MailAnswer[] {
  const same = answers.length === shares.length && answers.every(({ authority }, i) => authority === at(shares, i).authority);
  demand(same, 'gateway-misbehaved', 'answers of other authorities than those that were asked');
  return answers;
}

/** SHA-256 of a message, which tells it from all others. */
export const messageDigest = (blob: Bytes): Bytes => sha256(blob);

/** Judges a page of the whole mailbox. */
export function pageOf({ entries, next, at: found }: Of<typeof mailboxPage>, after: bigint, limit: number): Page {
  demand(entries.length <= limit && next === endOf(entries, after), 'gateway-misbehaved', 'not a page of the mailbox');
  const last = entries.at(-1);
  return { entries, at: found, place: last && { sequence: last.sequence, digest: messageDigest(last.blob) } };
}

/** Reads a page of a bucket (F-49), and judges it. */
export function bucketPageOf(bytes: Bytes, after: bigint, limit: number): Page {
  return refusedAs('gateway-misbehaved', () => {
    const reader = new Reader(bytes);
    demand(reader.small(1) === 1, 'gateway-misbehaved', 'a page of another version');
    const found = digestOrNone(reader.take(32));
    const next = reader.integer(8);
    const digest = digestOrNone(reader.take(32));
    const entries: MailboxEntry[] = [];
    for (let left = bytes.length - PAGE_HEAD; left > 0; left -= PAGE_ENTRY) entries.push({ sequence: reader.integer(8), blob: reader.take(BLOB) });
    reader.end();
    const end = endOf(entries, after);
    demand(entries.length < limit ? next >= end : entries.length === limit && next === end, 'gateway-misbehaved', 'not a page of a bucket');
    const last = entries.at(-1);
    const known = last === undefined || next !== end || (digest !== undefined && equal(digest, messageDigest(last.blob)));
    // a mailbox that lost messages has none at N
    demand(known && (digest !== undefined || next === after), 'gateway-misbehaved', 'a page with another digest');
    return { entries, at: found, place: digest && { sequence: next, digest } };
  });
}

/** The last number of a page, whose numbers grow from the given one. */
function endOf(entries: readonly MailboxEntry[], after: bigint): bigint {
  const numbers = [after, ...entries.map((entry) => entry.sequence)];
  demand(numbers.every((number, i) => i === 0 || number > at(numbers, i - 1)), 'gateway-misbehaved', 'messages out of their order');
  return at(numbers, numbers.length - 1);
}

/** 32 zeros stand for none. */
const digestOrNone = (bytes: Bytes): Bytes | undefined => (bytes.every((byte) => byte === 0) ? undefined : bytes);
