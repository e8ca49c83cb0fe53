import { at, fromInteger, sized, toInteger, type Bytes } from './bytes.js';
import { R } from './field.js';
import { Hasher } from './hash.js';
import type { Network } from './network.js';
import { node } from './poseidon2.js';
import { demand } from './refusal.js';

/** The number of leaves is 3^12. */
const DEPTH = 12;

const LOW = 0n;
const HIGH = R >> 95n;

/** The key of an address: its leading 160 bits. */
export const keyOf = (apk: bigint): bigint => apk >> 95n;

/** The published list with its sentinels. Refuses one that is not sorted and distinct between them. */
function withSentinels(keys: readonly Bytes[]): bigint[] {
  const values = keys.map((key) => toInteger(sized(key, 20, 'a key of the list')));
  demand(values.every((v) => v > LOW && v < HIGH), 'LIST_SENTINEL', 'a key is not between the sentinels');
  values.slice(1).forEach((v, i) => {
    demand(v !== at(values, i), 'LIST_DUPLICATE', 'a key stands twice');
    demand(v > at(values, i), 'LIST_NOT_SORTED', 'the list is not sorted');
  });
  return [LOW, ...values, HIGH];
}

/** The root of the tree of a list (O-13). */
export function sanctionRoot(network: Network, keys: readonly Bytes[]): bigint {
  const hasher = new Hasher(network);
  const all = withSentinels(keys);
  demand(all.length - 1 <= 3 ** DEPTH, 'OUT_OF_RANGE', 'the list is longer than the tree');
  let level = all.slice(1).map((high, i) => hasher.leaf(at(all, i), high));
  // the node of a subtree without leaves
  let empty = 0n;
  for (let depth = 0; depth < DEPTH; depth++) {
    const above: bigint[] = [];
    for (let i = 0; i < level.length; i += 3) above.push(node(at(level, i), level[i + 1] ?? empty, level[i + 2] ?? empty));
    empty = node(empty, empty, empty);
    level = above;
  }
  return at(level, 0);
}

/** The neighbours of an address in a list, 20 bytes each. Refuses an address that is listed. */
export function neighbours(keys: readonly Bytes[], apk: bigint): { low: Bytes; high: Bytes } {
  const all = withSentinels(keys);
  const key = keyOf(apk);
  const i = all.findIndex((high) => key <= high);
  demand(i > 0 && key < at(all, i), 'LISTED', 'the address is listed');
  return { low: fromInteger(at(all, i - 1), 20), high: fromInteger(at(all, i), 20) };
}
