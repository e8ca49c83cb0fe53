import { at } from './bytes.js';
import { modulo, R } from './field.js';

/** The three lanes of the permutation. */
export type State = readonly [bigint, bigint, bigint];

const FULL_ROUNDS = 8;
const PARTIAL_ROUNDS = 56;
const FIELD_BITS = 255;

/**
 * The Grain LFSR of the designers: 80 bits of state, feedback from positions 62, 51, 38, 23, 13 and 0, the first 160 bits dropped, then a
 * bit is kept when the bit before it is 1.
 */
function* grainBits(): Generator<number, never> {
  const parameters: [number, number][] = [
    [1, 2], // a prime field
    [0, 4], // an S-box x^alpha
    [FIELD_BITS, 12],
    [3, 12],
    [FULL_ROUNDS, 10],
    [PARTIAL_ROUNDS, 10],
    [2 ** 30 - 1, 30],
  ];
  const state = parameters.flatMap(([value, bits]) => Array.from(value.toString(2).padStart(bits, '0'), Number));
  const next = (): number => {
    const bit = at(state, 62) ^ at(state, 51) ^ at(state, 38) ^ at(state, 23) ^ at(state, 13) ^ at(state, 0);
    state.shift();
    state.push(bit);
    return bit;
  };
  for (let i = 0; i < 160; i++) next();
  for (;;) {
    const keep = next() === 1;
    const bit = next();
    if (keep) yield bit;
  }
}

/** Round keys, one element of F after the other. What is not below r is dropped. */
function roundKeys(): bigint[] {
  const bits = grainBits();
  const keys: bigint[] = [];
  while (keys.length < 3 * FULL_ROUNDS + PARTIAL_ROUNDS) {
    let value = 0n;
    for (let i = 0; i < FIELD_BITS; i++) value = 2n * value + BigInt(bits.next().value);
    if (value < R) keys.push(value);
  }
  return keys;
}

const KEYS = roundKeys();

function power5(x: bigint): bigint {
  const square = (x * x) % R;
  return (((square * square) % R) * x) % R;
}

/** The matrix of full rounds: rows (2 1 1), (1 2 1), (1 1 2). */
function external([a, b, c]: State): State {
  const sum = a + b + c;
  return [(a + sum) % R, (b + sum) % R, (c + sum) % R];
}

/** The matrix of partial rounds: rows (2 1 1), (1 2 1), (1 1 3). */
function internal([a, b, c]: State): State {
  const sum = a + b + c;
  return [(a + sum) % R, (b + sum) % R, (2n * c + sum) % R];
}

/** Poseidon2 over F with width 3, 8 full and 56 partial rounds. */
export function permutation(input: State): State {
  let state = external(input);
  let used = 0;
  const full = (): void => {
    const [a, b, c] = state;
    state = external([power5(a + at(KEYS, used)), power5(b + at(KEYS, used + 1)), power5(c + at(KEYS, used + 2))]);
    used += 3;
  };
  for (let i = 0; i < FULL_ROUNDS / 2; i++) full();
  for (let i = 0; i < PARTIAL_ROUNDS; i++, used++) {
    state = internal([power5(state[0] + at(KEYS, used)), state[1], state[2]]);
  }
  for (let i = 0; i < FULL_ROUNDS / 2; i++) full();
  return state;
}

/** A node of the sanction tree (E-09). */
export function node(a: bigint, b: bigint, c: bigint): bigint {
  return modulo(permutation([a, b, c])[0] + a, R);
}
