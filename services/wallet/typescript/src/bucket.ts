import { sha256 } from '@noble/hashes/sha2.js';
import { ascii, concat } from './bytes.js';
import { encodeField } from './field.js';
import type { Network } from './network.js';
import { demand } from './refusal.js';

/** The most bits of an address that a bucket may tell. A network that asks for more is refused: a crowd would be too small. */
export const MOST_BITS = 6;

/** The whole mailbox, and the place of messages that name no bucket. */
export const WHOLE = 1;

const DOMAIN = ascii('solidus/mailbox-bucket/v1');

/** The bucket of an address, a node of a binary tree with the root 1 (F-48). */
export function bucketOf(network: Network, apk: bigint, bits: number): number {
  demand(Number.isInteger(bits) && bits >= 0 && bits <= MOST_BITS, 'manifest-untrusted', `a bucket tells at most ${MOST_BITS} bits of an address`);
  const digest = sha256(concat(DOMAIN, network.digest, encodeField(apk)));
  return 2 ** bits + ((digest[0] as number) >> (8 - bits));
}

/** Whether a reader of one bucket gets what was posted to another: it is the same, above or below it. */
export function reads(own: number, posted: number): boolean {
  const [low, high] = own < posted ? [own, posted] : [posted, own];
  let node = high;
  while (node > low) node >>= 1;
  return node === low;
}
