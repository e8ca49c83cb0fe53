import { ctr } from '@noble/ciphers/aes.js';
import { concat, u8, type Bytes } from './bytes.js';
import { randomBelow, randomBytes } from './random.js';
import { demand } from './refusal.js';

// Private retrieval of one record from servers that hold the same tables (F-55): each adds up the records that its share selects, and the
// sum of all answers is the record. Any shares short of all are random bits.

const SEED = 0;
const BITS = 1;
const SEED_BYTES = 32;

const bytesFor = (records: number): number => Math.ceil(records / 8);

/** The bytes of bits of a query for tables with so many records each. */
export const bitBytes = (records: readonly number[]): number => records.reduce((sum, each) => sum + bytesFor(each), 0);

/** The bit of a record of a table: those of each table begin with a byte of their own. */
export function bitOf(records: readonly number[], table: number, record: number): number {
  demand(record >= 0 && record < (records[table] ?? 0), 'OUT_OF_RANGE', 'the table has no such record');
  return 8 * bitBytes(records.slice(0, table)) + record;
}

/** The key stream of AES-256 in counter mode from a block of zeros. A seed serves one query. */
export const expandSeed = (seed: Bytes, length: number): Bytes => ctr(seed, new Uint8Array(16)).encrypt(new Uint8Array(length));

function add(sum: Bytes, summand: Bytes): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) ^ (summand[i] as number);
}

/** The shares of a fresh query for one bit, one for each server. All but one are seeds; which server gets the long one is random. */
export function splitQuery(bit: number, bytes: number, servers: number): Bytes[] {
  demand(bit >= 0 && bit < 8 * bytes, 'OUT_OF_RANGE', 'a query for no place');
  const rest = new Uint8Array(bytes);
  rest[bit >> 3] = 1 << (bit & 7);
  const shares: Bytes[] = [];
  for (let i = 1; i < servers; i++) {
    const seed = randomBytes(SEED_BYTES);
    add(rest, expandSeed(seed, bytes));
    shares.push(concat(u8(SEED), seed));
  }
  shares.splice(randomBelow(servers - 1), 0, concat(u8(BITS), rest));
  return shares;
}

/** The bits that a share stands for. */
export function bitsOf(share: Bytes, bytes: number): Bytes {
  const content = share.subarray(1);
  const form = share[0];
  demand(content.length === (form === SEED ? SEED_BYTES : bytes) && (form === SEED || form === BITS), 'malformed-request', 'a share is a seed or bits');
  return form === SEED ? expandSeed(content, bytes) : content;
}

/** The sum of all answers, which have one length. */
export function sumOf(answers: readonly Bytes[], length: number): Bytes {
  const sum = new Uint8Array(length);
  for (const answer of answers) {
    demand(answer.length === length, 'malformed-request', 'an answer of another length');
    add(sum, answer);
  }
  return sum;
}
