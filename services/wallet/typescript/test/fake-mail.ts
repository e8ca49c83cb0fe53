import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { at, concat, u32, u64, u8, type Bytes } from '../src/bytes.js';
import { Gateway } from '../src/gateway.js';
import { receiver } from '../src/hpke.js';
import type { Transport } from '../src/http.js';
import { readBody, writeBody } from '../src/messages.js';
import { signNote, type MailboxReplicas } from '../src/notes.js';
import { ANSWER_KEY, associated, mailAnswers, mailQuery, QUERY_INFO, type MailAnswer } from '../src/query.js';
import { Reader } from '../src/reader.js';
import { demand, Refusal, type Reason } from '../src/refusal.js';
import { bitsOf } from '../src/retrieval.js';
import type { Storage } from '../src/store.js';
import { HEADER, listText, NO_STATE, rootOf, stateAfter, stateIn, type MailList, type MailState } from '../src/tables.js';
import { utf8 } from '../src/text.js';
import type { Host, Profile } from '../src/wallet.js';
import { sealProof } from '../src/witness.js';
import { network, profile, type FakeNetwork } from './fake.js';
import { wide } from './refused.js';

// The gateway's tables of a network's mailbox, and four replicas that hold the same tables and answer queries.

const N = 4;
const secret = (n: number): Bytes => wide(n).subarray(0, 32);
const SHARE_SECRETS = Array.from({ length: N }, (_, i) => secret(1200 + i));
const LIST_SECRETS = Array.from({ length: N }, (_, i) => secret(1210 + i));

const replicas = SHARE_SECRETS.map((share, i) => concat(x25519.getPublicKey(share), ed25519.getPublicKey(at(LIST_SECRETS, i))));

export const group: MailboxReplicas = { gateways: [], keys: replicas };

/** Of a network with replicas. */
export const inPrivate: Profile = { ...profile, replicas };

interface Table {
  readonly node: number;
  readonly closed: bigint;
  readonly numbers: readonly number[];
  readonly blobs: readonly Bytes[];
  readonly before: MailState;
  readonly after: MailState;
}

/** What the gateway or a replica may do wrong. */
export interface MailFaults {
  /** Replicas that answer nothing. */
  readonly away?: readonly number[];
  /** Replicas whose answers are wrong behind the header. */
  readonly lying?: readonly number[];
  /** The gateway gives the answer to one share as that to the other. */
  readonly swapped?: boolean;
  /** The gateway says of the answers that they are other authorities'. */
  readonly renamed?: boolean;
  /** How many replicas sign; one of them twice where it says so. */
  readonly signers?: number;
  readonly twice?: boolean;
  /** The gateway writes another time into a signed list. */
  readonly dated?: boolean;
  /** No list, or this one. */
  readonly noList?: boolean;
  readonly note?: string;
  /** Another byte in a page of headers, or of messages. */
  readonly alteredHeaders?: boolean;
  readonly alteredRecords?: boolean;
  /** A page of headers, or of messages, goes without its first table or message. */
  readonly leftOut?: boolean;
}

export class FakeMail {
  faults: MailFaults = {};
  readonly routes: string[] = [];
  /** Of each request at the gateway its route and the token that it spent, if any. */
  readonly spent: (readonly [route: string, header: string | undefined])[] = [];
  /** The authorities that each query asked. */
  readonly asked: (readonly bigint[])[] = [];
  /** Called when a query arrives. */
  onQuery: () => void = () => {};
  /** Why the next pages of headers or messages are refused. */
  refusals: Reason[] = [];
  /** Called when any request arrives. */
  onRequest: () => void = () => {};
  readonly #net: FakeNetwork;
  #tables: Table[] = [];
  #list: MailList = { closed: 0n, states: new Map() };
  #taken = 0;

  constructor(net: FakeNetwork) {
    this.#net = net;
  }

  /** @param origin the host name that the wallet's tokens name */
  host(storage: Storage, origin?: string): Host {
    return this.#net.host(storage, new Gateway(this.transport, origin));
  }

  get queries(): number {
    return this.asked.length;
  }

  /** Five minutes pass, and what was posted is in tables. */
  pass(minutes = 5): void {
    this.#net.now += minutes * 60_000;
    this.close();
  }

  /** Makes a table of each bucket that got messages. */
  close(): void {
    const closed = BigInt(Math.floor(this.#net.now / 1_000));
    if (closed <= this.#list.closed) return;
    const states = new Map(this.#list.states);
    const fresh = this.#net.blobs.map((_, i) => i + 1).filter((number) => number > this.#taken);
    for (const node of new Set(fresh.map((number) => this.#net.bucketOf(number)))) {
      const numbers = fresh.filter((number) => this.#net.bucketOf(number) === node);
      const blobs = numbers.map((number) => at(this.#net.blobs, number - 1));
      const before = states.get(node) ?? NO_STATE;
      const headers = sha256(concat(...blobs.map((blob) => blob.subarray(0, HEADER))));
      const after = stateAfter(before, node, { closed, first: BigInt(at(numbers, 0)), records: numbers.length, headers, root: rootOf(blobs) });
      this.#tables.push({ node, closed, numbers, blobs, before, after });
      states.set(node, after);
    }
    this.#taken = this.#net.blobs.length;
    this.#list = { closed, states };
  }

  /** The mailbox, and its tables, come back from a backup with so many messages. */
  cutOff(messages: number): void {
    this.#net.blobs.length = messages;
    this.#tables = this.#tables.filter(({ numbers }) => at(numbers, 0) <= messages);
    this.#list = { closed: this.#list.closed, states: new Map(this.#tables.map(({ node, after }) => [node, after])) };
    this.#taken = messages;
  }

  /** The newest list with its signatures. */
  note(): string {
    const { signers = N, twice = false, dated = false } = this.faults;
    const text = listText(network, this.#list);
    const lines = LIST_SECRETS.slice(0, signers).map((key, i) => signNote(text, `solidus-replica-${i + 1}`, key).slice(text.length + 1));
    if (twice) lines.push(signNote(text, 'solidus-replica-3', at(LIST_SECRETS, 0)).slice(text.length + 1));
    return `${dated ? text.replace(`closed: ${this.#list.closed}`, `closed: ${this.#list.closed + 1n}`) : text}\n${lines.join('')}`;
  }

  readonly transport: Transport = async (exchange) => {
    const { method, path, body = '' } = exchange;
    const url = new URL(path, 'http://gateway');
    this.spent.push([`${method} ${url.pathname}`, exchange.headers?.['Authorization']]);
    this.onRequest();
    if (!url.pathname.startsWith('/v1/mailbox/') || url.pathname.startsWith('/v1/mailbox/buckets/')) {
      this.routes.push(`${method} ${url.pathname}`);
      return this.#net.transport(exchange);
    }
    this.routes.push(`${method} ${url.pathname}`);
    try {
      return { status: 200, body: this.#answer(url, body) };
    } catch (e) {
      if (!(e instanceof Refusal) || e.reason === 'gateway-unreachable') throw e;
      return { status: 409, body: utf8(JSON.stringify({ code: e.reason, detail: e.message })) };
    }
  };

  #answer({ pathname, searchParams: query }: URL, body: string): Bytes {
    if (pathname === '/v1/mailbox/tables/note') {
      demand(this.faults.noList !== true, 'not-found', 'no list');
      return utf8(this.faults.note ?? this.note());
    }
    if (pathname === '/v1/mailbox/queries') return utf8(this.#query(body));
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw new Refusal(refusal, 'not now');
    const [, , , , node, what] = pathname.split('/');
    const tables = this.#tables.filter((table) => table.node === Number(node) && table.closed <= BigInt(query.get('upto') ?? '0'));
    const after = BigInt(query.get('after') ?? '0');
    const bytes = what === 'headers' ? this.#headers(tables, after, BigInt(query.get('upto') ?? '0')) : this.#records(tables, after, Number(query.get('limit')));
    const altered = what === 'headers' ? this.faults.alteredHeaders : this.faults.alteredRecords;
    if (altered === true) bytes[bytes.length - 1] = at([...bytes], bytes.length - 1) ^ 1;
    return bytes;
  }

  /** F-53. */
  #headers(all: readonly Table[], after: bigint, upto: bigint): Bytes {
    const tables = all.filter(({ closed }) => closed > after);
    if (this.faults.leftOut === true) tables.shift();
    const before = tables[0]?.before ?? NO_STATE;
    const shown = tables.map(({ closed, numbers, blobs }) =>
      concat(u64(closed), u64(BigInt(at(numbers, 0))), u32(blobs.length), rootOf(blobs), ...blobs.map((blob) => blob.subarray(0, HEADER))),
    );
    return concat(u8(1), before.digest, u64(before.closed), u64(upto), ...shown);
  }

  /** F-54. */
  #records(tables: readonly Table[], after: bigint, limit: number): Bytes {
    const records = tables.flatMap(({ numbers, blobs }) => numbers.map((number, i) => [BigInt(number), at(blobs, i)] as const));
    const page = records.filter(([number]) => number > after).slice(this.faults.leftOut === true ? 1 : 0, limit);
    return concat(u8(1), ...page.map(([number, blob]) => concat(u64(number), blob)));
  }

  #query(body: string): string {
    const { shares } = readBody(mailQuery, body);
    this.onQuery();
    this.asked.push(shares.map(({ authority }) => authority));
    const { away = [], lying = [], swapped = false, renamed = false } = this.faults;
    const answers = shares.map(({ authority, encapsulatedKey, sealedShare }): MailAnswer => {
      const i = Number(authority);
      if (away.includes(i)) return { authority, sealedAnswer: undefined, code: 'unavailable' };
      const context = receiver(at(SHARE_SECRETS, i - 1), encapsulatedKey, QUERY_INFO);
      const sum = this.#sum(context.open(sealedShare, associated(network, i)));
      if (lying.includes(i)) sum[100] = at([...sum], 100) ^ i; // two lies do not cancel
      return { authority, sealedAnswer: sealProof(context.export(ANSWER_KEY, 32), secret(1220).subarray(0, 12), sum), code: undefined };
    });
    const sent = swapped ? answers.map(({ authority }, n) => ({ ...at(answers, answers.length - 1 - n), authority })) : answers;
    return writeBody(mailAnswers, { answers: renamed ? [...sent].reverse() : sent });
  }

  /** The sum of a replica for an opened share: bit by bit over every record of the window. */
  #sum(query: Bytes): Bytes {
    const reader = new Reader(query);
    demand(reader.small(1) === 1, 'unknown-version', 'a query of another version');
    const [bucket, after, upto, state] = [reader.small(1), reader.integer(8), reader.integer(8), reader.take(32)];
    const share = query.subarray(50);
    const tables = this.#tables.filter(({ node, closed }) => node === bucket && closed > after && closed <= upto);
    const now = stateIn(this.#list, bucket);
    demand(this.#list.closed !== upto || now.digest.every((byte, i) => byte === state[i]), 'malformed-request', 'other tables');
    const bits = bitsOf(share, tables.reduce((sum, { blobs }) => sum + Math.ceil(blobs.length / 8), 0));
    const sum = new Uint8Array(1200);
    let from = 0;
    for (const { blobs } of tables) {
      blobs.forEach((blob, i) => {
        const isSet = (at([...bits], from + (i >> 3)) >> (i & 7)) & 1;
        if (isSet === 1) blob.forEach((byte, n) => (sum[n] = (sum[n] as number) ^ byte));
      });
      from += Math.ceil(blobs.length / 8);
    }
    return sum;
  }
}
