import { blake2b } from '@noble/hashes/blake2.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { bech32m } from '@scure/base';
import { ascii, concat, equal, fromInteger, sized, toInteger, u8, type Bytes } from './bytes.js';
import { decodeApk, encodeField } from './field.js';
import type { Network } from './network.js';
import { Reader } from './reader.js';
import { demand, wellFormed } from './refusal.js';
import { mailboxName } from './text.js';

export interface Address {
  readonly apk: bigint;
  /** X25519, 32 bytes. */
  readonly encryptionKey: Bytes;
  /** Empty: the network's own. */
  readonly mailbox: string;
}

const PREFIX = 'sld';
const TEXT_LIMIT = 1023;
const VERSION = 2;
const FIXED = 98;
const X25519_MODULUS = (1n << 255n) - 19n;

const PADDING = concat(ascii(PREFIX), new Uint8Array(13));

const xor = (a: Bytes, b: Bytes): Bytes => a.map((byte, i) => byte ^ (b[i] as number));

/** H_i (F-12). */
function shortHash(i: number, u: Bytes, length: number): Bytes {
  return blake2b(u, { dkLen: length, personalization: concat(ascii('UA_F4Jumble_H'), u8(i), new Uint8Array(2)) });
}

/** G_i (F-12). */
function longHash(i: number, u: Bytes, length: number): Bytes {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, j) => {
    const counter = Uint8Array.of(j & 0xff, j >> 8);
    return blake2b(u, { dkLen: 64, personalization: concat(ascii('UA_F4Jumble_G'), u8(i), counter) });
  });
  return concat(...blocks).subarray(0, length);
}

function halves(bytes: Bytes): [Bytes, Bytes] {
  demand(bytes.length >= 48 && bytes.length <= 4_194_368, 'BAD_LENGTH', 'F4Jumble takes 48 to 4,194,368 bytes');
  const left = Math.min(64, Math.floor(bytes.length / 2));
  return [bytes.subarray(0, left), bytes.subarray(left)];
}

/** F4Jumble of ZIP 316 (F-12). */
export function jumble(bytes: Bytes): Bytes {
  const [left, right] = halves(bytes);
  const x = xor(right, longHash(0, left, right.length));
  const y = xor(left, shortHash(0, x, left.length));
  const right2 = xor(x, longHash(1, y, right.length));
  return concat(xor(y, shortHash(1, right2, left.length)), right2);
}

/** The inverse of jumble. */
export function unjumble(bytes: Bytes): Bytes {
  const [left2, right2] = halves(bytes);
  const y = xor(left2, shortHash(1, right2, left2.length));
  const x = xor(right2, longHash(1, y, right2.length));
  const left = xor(y, shortHash(0, x, left2.length));
  return concat(left, xor(x, longHash(0, left, right2.length)));
}

/** Refuses what is not the public key of X25519 that RFC 7748 writes, and keys of small order (F-13). */
export function checkEncryptionKey(key: Bytes): Bytes {
  const u = toInteger(sized(key, 32, 'an encryption key').toReversed());
  demand(u < X25519_MODULUS, 'malformed-request', 'an encryption key is not below 2^255 - 19');
  // A private key is a multiple of 8, so a key of small order gives zero, which the library refuses.
  wellFormed(() => x25519.getSharedSecret(fromInteger(1n, 32), key));
  return key;
}

/** The bytes of an address before they are jumbled (F-13). */
export function addressContent(network: Network, address: Address): Bytes {
  demand(address.apk !== 0n, 'malformed-request', 'an apk is not zero');
  const mailbox = ascii(address.mailbox);
  mailboxName(mailbox);
  const key = checkEncryptionKey(address.encryptionKey);
  return concat(u8(VERSION), network.tagBytes, encodeField(address.apk), key, u8(mailbox.length), mailbox, PADDING);
}

/** The text of an address (F-13). */
export function encodeAddress(network: Network, address: Address): string {
  const content = addressContent(network, address);
  return bech32m.encode(PREFIX, bech32m.toWords(jumble(content)), TEXT_LIMIT);
}

/** The bytes of a text in Bech32m (F-11). */
function payload(text: string): Bytes {
  return wellFormed(() => {
    const { prefix, words } = bech32m.decode(text as `${string}1${string}`, TEXT_LIMIT);
    demand(prefix === PREFIX, 'malformed-request', 'not an address');
    return bech32m.fromWords(words);
  });
}

/** The parts of an address (F-13). */
export function decodeAddress(network: Network, text: string): Address {
  const bytes = payload(text);
  if (bytes.length < FIXED) demand(bytes[0] !== 1, 'unknown-version', 'an address of version 1');
  demand(bytes.length >= FIXED, 'malformed-request', 'too short for an address');
  const content = unjumble(bytes);
  demand(equal(content.subarray(-PADDING.length), PADDING), 'malformed-request', 'the padding is wrong');
  const reader = new Reader(content.subarray(0, -PADDING.length));
  demand(reader.small(1) === VERSION, 'unknown-version', 'an address of another version');
  demand(equal(reader.take(16), network.tagBytes), 'wrong-network', 'an address of another network');
  return wellFormed(() => {
    const apk = decodeApk(reader.take(32));
    const encryptionKey = checkEncryptionKey(reader.take(32));
    const mailbox = mailboxName(reader.counted(63));
    reader.end();
    return { apk, encryptionKey, mailbox };
  });
}
