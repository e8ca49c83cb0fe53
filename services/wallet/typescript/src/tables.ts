import { sha256 } from '@noble/hashes/sha2.js';
import { ascii, concat, equal, fromHex, sized, toHex, u32, u64, u8, type Bytes } from './bytes.js';
import type { Network } from './network.js';
import { AMOUNT_LIMIT, Reader } from './reader.js';
import { demand } from './refusal.js';

// Final tables of the mailbox, and the lists that authorities countersign (F-51 to F-54). What a gateway sends is malformed when it is
// not of the form; whoever reads it compares it with a signed list.

/** All tables of a node up to its last one. */
export interface MailState {
  /** When the last table closed, in seconds since 1970; 0 before the first. */
  readonly closed: bigint;
  /** 32 bytes. */
  readonly digest: Bytes;
}

export const NO_STATE: MailState = { closed: 0n, digest: new Uint8Array(32) };

export const sameState = (one: MailState, other: MailState): boolean => one.closed === other.closed && equal(one.digest, other.digest);

export interface MailTable {
  readonly closed: bigint;
  /** The number of its first message. */
  readonly first: bigint;
  /** How many messages it has. */
  readonly records: number;
  /** SHA-256 of its headers. */
  readonly headers: Bytes;
  /** Of the Merkle tree of its messages. */
  readonly root: Bytes;
}

/** The states of all nodes at a time, as 2f + 1 authorities signed them. */
export interface MailList {
  readonly closed: bigint;
  /** By the numbers of the nodes that have a table. */
  readonly states: ReadonlyMap<number, MailState>;
}

export const HEADER = 34;
const BLOB = 1200;
const RECORD = 8 + BLOB;
const HIGHEST = 127;
const VERSION = 1;
const DOMAIN = ascii('solidus/mail-table/v1');
const KIND = 'mail-tables';

const positive = (value: bigint): bigint => {
  demand(value > 0n && value < AMOUNT_LIMIT, 'malformed-request', 'a number of a table is out of range');
  return value;
};

/** The state of a node after one more table (F-51). */
export function stateAfter(before: MailState, node: number, { closed, first, records, headers, root }: MailTable): MailState {
  demand(closed > before.closed, 'malformed-request', 'a table is not later than the one before');
  const place = [before.digest, u64(before.closed), u8(node)];
  const table = [u64(positive(closed)), u64(positive(first)), u32(positive(BigInt(records))), sized(headers, 32, 'a digest'), sized(root, 32, 'a root')];
  return { closed, digest: sha256(concat(DOMAIN, ...place, ...table)) };
}

export const stateIn = ({ states }: MailList, node: number): MailState => states.get(node) ?? NO_STATE;

/** The text of a list (F-52). */
export function listText(network: Network, { closed, states }: MailList): string {
  const nodes = [...states].sort(([one], [other]) => one - other);
  const lines = nodes.map(([node, state]) => `bucket-${node}: ${state.closed} ${toHex(state.digest)}`);
  return [`solidus/${KIND}/v1`, network.id, `closed: ${closed}`, ...lines, ''].join('\n');
}

/** Reads the text of a list, which has one form (F-52). */
export function readList(network: Network, text: string): MailList {
  const [kind, id, first = '', ...lines] = text.split('\n');
  demand(kind === `solidus/${KIND}/v1`, 'unknown-version', 'a text of another kind or version');
  demand(id === network.id, 'wrong-network', 'a text of another network');
  demand(lines.pop() === '' && lines.length <= HIGHEST, 'malformed-request', 'a list has other lines');
  const digits = /^closed: ([0-9]{1,19})$/.exec(first)?.[1];
  const closed = positive(BigInt(digits ?? 0));
  const states = new Map<number, MailState>();
  for (const line of lines) {
    const match = /^bucket-([0-9]{1,3}): ([0-9]{1,19}) ([0-9a-f]{64})$/.exec(line);
    demand(match !== null, 'malformed-request', 'not the state of a bucket');
    const [node, time] = [Number(match[1]), positive(BigInt(match[2] as string))];
    demand(node >= 1 && node <= HIGHEST && time <= closed, 'malformed-request', 'the state of a bucket is out of range');
    states.set(node, { closed: time, digest: fromHex(match[3] as string) });
  }
  const list = { closed, states };
  demand(listText(network, list) === text, 'malformed-request', 'a list is not in its one form');
  return list;
}

/** A table as a page shows it. */
export interface ShownTable extends Omit<MailTable, 'headers'> {
  /** The first 34 bytes of each message. */
  readonly shown: Bytes;
}

export interface HeaderPage {
  /** The node's state before the first table. */
  readonly before: MailState;
  readonly reached: bigint;
  readonly tables: readonly ShownTable[];
}

/** Takes a page of headers apart (F-53). */
export function readHeaders(bytes: Bytes): HeaderPage {
  const reader = new Reader(bytes);
  demand(reader.small(1) === VERSION, 'malformed-request', 'a page of headers of another version');
  const digest = reader.take(32);
  const before = { closed: reader.integer(8), digest };
  const reached = reader.integer(8);
  const tables: ShownTable[] = [];
  let left = bytes.length - 49;
  while (left > 0) {
    const [closed, first, records, root] = [positive(reader.integer(8)), positive(reader.integer(8)), reader.small(4), reader.take(32)];
    left -= 52;
    demand(records >= 1 && records <= left / HEADER, 'malformed-request', 'a page of headers ends in a table');
    tables.push({ closed, first, records, root, shown: reader.take(records * HEADER) });
    left -= records * HEADER;
  }
  reader.end();
  return { before, reached, tables };
}

export interface MailRecord {
  readonly number: bigint;
  readonly blob: Bytes;
}

/** Takes a page of messages apart (F-54). */
export function readRecords(bytes: Bytes): MailRecord[] {
  const reader = new Reader(bytes);
  demand(reader.small(1) === VERSION, 'malformed-request', 'a page of messages of another version');
  demand((bytes.length - 1) % RECORD === 0, 'malformed-request', 'a page of messages ends in one');
  return Array.from({ length: (bytes.length - 1) / RECORD }, () => ({ number: reader.integer(8), blob: reader.take(BLOB) }));
}

/** The root of the Merkle tree of records (RFC 6962, section 2.1). */
export function rootOf(records: readonly Bytes[]): Bytes {
  demand(records.length > 0, 'malformed-request', 'a table has records');
  if (records.length === 1) return sha256(concat(u8(0), records[0] as Bytes));
  let split = 1;
  while (2 * split < records.length) split *= 2;
  return sha256(concat(u8(1), rootOf(records.slice(0, split)), rootOf(records.slice(split))));
}
