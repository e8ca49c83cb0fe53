import { at } from './bytes.js';
import { modulo, R } from './field.js';
import type { KeyPoint } from './jubjub.js';
import type { Network } from './network.js';
import { permutation, type State } from './poseidon2.js';
import { demand } from './refusal.js';

export const ORIGIN_PAYMENT = 0;
export const ORIGIN_MINT = 1;
export const ORIGIN_OWN = 2;

export interface Coin {
  readonly value: bigint;
  readonly origin: number;
  readonly apk: bigint;
  readonly rho: bigint;
}

export interface ComplianceCoin {
  readonly apk: bigint;
  readonly rho: bigint;
  readonly period: bigint;
  readonly sent: bigint;
  readonly count: bigint;
  readonly held: bigint;
  readonly com: bigint;
}

/** In an entry of more than two coins, in the place of an origin (T-34). */
export const ORIGIN_NONE = 3;

/** What a recover adds to the histories that its two cores would have made (O-15). */
export interface RecoverEntry {
  readonly coms: readonly [bigint, bigint];
  readonly returned: bigint;
  readonly outflow: bigint;
  readonly budget: bigint;
  readonly period: bigint;
  readonly r: bigint;
}

/** The coins and payments that an entry of many stands for (O-16). */
export interface Details {
  readonly coins: readonly { readonly value: bigint; readonly origin: number }[];
  readonly payments: readonly { readonly paid: bigint; readonly payee: bigint }[];
}

/** One transfer in a history (O-12). */
export interface Entry {
  readonly com: bigint;
  readonly paid: bigint;
  readonly in1: bigint;
  readonly in2: bigint;
  readonly withdrawn: bigint;
  readonly origin1: number;
  readonly origin2: number;
  readonly escrow: boolean;
  readonly period: bigint;
  readonly counterparty: bigint;
  readonly r: bigint;
}

function inBits(value: bigint, bits: number): bigint {
  demand(value >= 0n && value >> BigInt(bits) === 0n, 'OUT_OF_RANGE', `not in ${bits} bits`);
  return value;
}

/** An origin, which is 0, 1 or 2. */
export function checkOrigin(origin: number): number {
  demand(Number.isInteger(origin) && origin >= 0 && origin <= 2, 'OUT_OF_RANGE', 'an origin is 0, 1 or 2');
  return origin;
}

const originBits = (origin: number): bigint => BigInt(checkOrigin(origin));

const entryOrigin = (origin: number): bigint => (origin === ORIGIN_NONE ? BigInt(ORIGIN_NONE) : originBits(origin));

/** Values side by side in elements, so many in each, the first one lowest. */
function packed(values: readonly bigint[], bits: number, each: number): bigint[] {
  const shifted = values.map((value, i) => value << BigInt(bits * (i % each)));
  return Array.from({ length: Math.ceil(values.length / each) }, (_, k) => shifted.slice(each * k, each * (k + 1)).reduce((sum, value) => sum + value, 0n));
}

/** The hash H for one network, and the objects of page 2 that are hashes. */
export class Hasher {
  readonly #tag: bigint;

  constructor(network: Network) {
    this.#tag = network.tag;
  }

  /** H(tag; packed; inputs): both lanes of the rate (E-08). An odd last input is followed by a zero. */
  #sponge(tag: number, packed: bigint, ...inputs: readonly bigint[]): [bigint, bigint] {
    inBits(packed, 112);
    let state: State = [((this.#tag << 8n) + BigInt(tag)) * (1n << 112n) + packed, 0n, 0n];
    for (let i = 0; i < inputs.length; i += 2) {
      const [a, b] = [at(inputs, i), inputs[i + 1] ?? 0n];
      demand([a, b].every((x) => x >= 0n && x < R), 'FIELD_NOT_CANONICAL', 'an input of H is not below r');
      state = permutation([state[0], modulo(state[1] + a, R), modulo(state[2] + b, R)]);
    }
    return [state[1], state[2]];
  }

  #one(tag: number, packed: bigint, ...inputs: readonly bigint[]): bigint {
    return this.#sponge(tag, packed, ...inputs)[0];
  }

  /** apk and snk (O-03). */
  address(nk: bigint, pkAuth: KeyPoint): { apk: bigint; snk: bigint } {
    const { x, y } = pkAuth.toAffine();
    const [apk, snk] = this.#sponge(1, 0n, nk, x, y);
    return { apk, snk };
  }

  /** sn (O-10). */
  serial(snk: bigint, rho: bigint): bigint {
    return this.#one(2, 0n, snk, rho);
  }

  /** The message of a coin (O-07). */
  coin(coin: Coin): bigint {
    return this.#one(3, inBits(coin.value, 64) + (originBits(coin.origin) << 64n), coin.apk, coin.rho);
  }

  /** The message of a compliance coin (O-09). */
  complianceCoin(cc: ComplianceCoin): bigint {
    const state = (inBits(cc.period, 32) << 160n) + (inBits(cc.sent, 64) << 96n) + (inBits(cc.count, 32) << 64n) + inBits(cc.held, 64);
    return this.#one(4, 0n, cc.apk, cc.rho, cc.com, state);
  }

  /** com' of a history with one more entry (O-12). */
  entry(e: Entry): bigint {
    const values = inBits(e.paid, 64) + (inBits(e.in1, 64) << 64n) + (inBits(e.in2, 64) << 128n);
    const origins = (entryOrigin(e.origin1) << 96n) + (entryOrigin(e.origin2) << 98n) + (e.escrow ? 1n << 100n : 0n);
    const head = inBits(e.withdrawn, 64) + (inBits(e.period, 32) << 64n) + origins;
    return this.#one(5, head, e.com, values, e.counterparty, e.r);
  }

  /** com'' of a history after a recover (O-15). */
  recoverEntry({ coms, returned, outflow, budget, period, r }: RecoverEntry): bigint {
    const values = inBits(returned, 64) + (inBits(outflow, 64) << 64n) + (inBits(budget, 64) << 128n);
    return this.#one(12, inBits(period, 32) << 64n, coms[0], values, coms[1], r);
  }

  /** What stands in an entry in the place of the payee (O-16, T-34). */
  details({ coins, payments }: Details): bigint {
    const inputs = coins.map(({ value, origin }) => inBits(value, 64) + (originBits(origin) << 64n));
    const amounts = payments.map(({ paid }) => inBits(paid, 64));
    const numbers = BigInt(coins.length) + (BigInt(payments.length) << 8n);
    return this.#one(13, numbers, ...packed(inputs, 66, 3), ...packed(amounts, 64, 3), ...payments.map(({ payee }) => payee));
  }

  /** rho_0 and rho_1 (O-11). */
  rhos(seed: bigint, d: bigint): [bigint, bigint] {
    return this.#sponge(6, 0n, seed, d);
  }

  /** rho of so many outputs, in their order (O-11). */
  rhosOf(seed: bigint, d: bigint, outputs: number): bigint[] {
    const pairs = Array.from({ length: Math.ceil(outputs / 2) }, (_, k) => this.#sponge(6, BigInt(k), seed, d));
    return pairs.flat().slice(0, outputs);
  }

  /** c_m (S-02). */
  commitment(s: bigint, hm: bigint): bigint {
    return this.#one(7, 0n, s, hm);
  }

  /** A leaf of the sanction tree (O-13). */
  leaf(low: bigint, high: bigint): bigint {
    return this.#one(8, 0n, low, high);
  }

  /** The message of a coin of an unregulated network (O-07). */
  coinUnregulated(coin: Omit<Coin, 'origin'>): bigint {
    return this.#one(9, inBits(coin.value, 64), coin.apk, coin.rho);
  }

  /** The message of an escrow (O-14). */
  escrow(value: bigint, lock: bigint, rho: bigint): bigint {
    return this.#one(10, inBits(value, 64), lock, rho);
  }

  /** a of a link (L-01). */
  link(salt: bigint, kappa: readonly bigint[], messages: readonly bigint[]): bigint {
    demand(kappa.length === messages.length, 'BAD_LENGTH', 'as many nonces as messages');
    return this.#one(11, BigInt(kappa.length), salt, ...kappa, ...messages);
  }
}
