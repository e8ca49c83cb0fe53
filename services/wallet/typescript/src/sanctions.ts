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

/** That an address is not in a list: its neighbours in the list, and the way from their leaf to the root (F-45). */
export interface Absence {
  readonly low: Bytes;
  readonly high: Bytes;
  readonly index: number;
  /** Two on each level, the left one first, from the leaves up. */
  readonly siblings: readonly bigint[];
}

/** The tree of a list (O-13). */
export class SanctionTree {
  readonly #keys: readonly bigint[];
  /** The levels from the leaves up; what stands behind the end of a level is its default. */
  readonly #levels: bigint[][] = [];
  readonly #defaults: bigint[] = [];

  constructor(network: Network, keys: readonly Bytes[]) {
    const hasher = new Hasher(network);
    const all = withSentinels(keys);
    demand(all.length - 1 <= 3 ** DEPTH, 'OUT_OF_RANGE', 'the list is longer than the tree');
    this.#keys = all;
    let level = all.slice(1).map((high, i) => hasher.leaf(at(all, i), high));
    // the node of a subtree without leaves
    let empty = 0n;
    for (let depth = 0; depth < DEPTH; depth++) {
      this.#levels.push(level);
      this.#defaults.push(empty);
      const above: bigint[] = [];
      for (let i = 0; i < level.length; i += 3) above.push(node(at(level, i), level[i + 1] ?? empty, level[i + 2] ?? empty));
      empty = node(empty, empty, empty);
      level = above;
    }
    this.#levels.push(level);
  }

  get root(): bigint {
    return at(at(this.#levels, DEPTH), 0);
  }

  /** The number of keys. */
  get size(): number {
    return this.#keys.length - 2;
  }

  /** Refuses an address that is listed. */
  absence(apk: bigint): Absence {
    const key = keyOf(apk);
    const above = this.#keys.findIndex((high) => key <= high);
    demand(above > 0 && key < at(this.#keys, above), 'LISTED', 'the address is listed');
    const index = above - 1;
    const siblings: bigint[] = [];
    for (let depth = 0, i = index; depth < DEPTH; depth++, i = Math.floor(i / 3)) {
      const first = i - (i % 3);
      for (let j = first; j < first + 3; j++) if (j !== i) siblings.push(at(this.#levels, depth)[j] ?? at(this.#defaults, depth));
    }
    return { low: fromInteger(at(this.#keys, index), 20), high: fromInteger(at(this.#keys, above), 20), index, siblings };
  }
}

/** The root that an absence leads to. */
export function rootOf(network: Network, { low, high, index, siblings }: Absence): bigint {
  let value = new Hasher(network).leaf(toInteger(low), toInteger(high));
  for (let depth = 0, i = index; depth < DEPTH; depth++, i = Math.floor(i / 3)) {
    const children = [at(siblings, 2 * depth), at(siblings, 2 * depth + 1)];
    children.splice(i % 3, 0, value);
    value = node(at(children, 0), at(children, 1), at(children, 2));
  }
  return value;
}

/** The root of the tree of a list (O-13). */
export const sanctionRoot = (network: Network, keys: readonly Bytes[]): bigint => new SanctionTree(network, keys).root;

/** The neighbours of an address in a list, 20 bytes each. Refuses an address that is listed. */
export function neighbours(keys: readonly Bytes[], apk: bigint): { low: Bytes; high: Bytes } {
  const all = withSentinels(keys);
  const key = keyOf(apk);
  const i = all.findIndex((high) => key <= high);
  demand(i > 0 && key < at(all, i), 'LISTED', 'the address is listed');
  return { low: fromInteger(at(all, i - 1), 20), high: fromInteger(at(all, i), 20) };
}
