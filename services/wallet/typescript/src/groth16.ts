import { at, concat, u32, type Bytes } from './bytes.js';
import { R } from './field.js';
import { decodeG1, decodeG2, encodeG1, encodeG2, pairingIsOne, product, type G1, type G2 } from './groups.js';
import type { Proof } from './proof.js';
import { Reader } from './reader.js';
import { demand } from './refusal.js';

/** The verifying key of a circuit (F-46). */
export interface VerifyingKey {
  readonly alpha: G1;
  readonly beta: G2;
  readonly gamma: G2;
  readonly delta: G2;
  /** Of the constant one and of each public input. */
  readonly inputs: readonly G1[];
}

/** A verifying key from its file. Refuses commitment keys, a point at infinity, and gamma that is delta. */
export function decodeVerifyingKey(file: Bytes, publicInputs: number): VerifyingKey {
  const reader = new Reader(file);
  const point1 = (): G1 => decodeG1(reader.take(96));
  const point2 = (): G2 => decodeG2(reader.take(192));
  const alpha = point1();
  reader.take(96); // beta in G1, for provers
  const beta = point2();
  const gamma = point2();
  reader.take(96); // delta in G1, for provers
  const delta = point2();
  const count = reader.small(4);
  demand(count === publicInputs + 1, 'malformed-request', `the key of a circuit with ${count - 1} public inputs`);
  const inputs = Array.from({ length: count }, point1);
  demand(reader.small(4) === 0 && reader.small(4) === 0, 'malformed-request', 'a key with commitment keys');
  reader.end();
  demand(!gamma.equals(delta), 'malformed-request', 'gamma is delta');
  return { alpha, beta, gamma, delta, inputs };
}

/** The file of a verifying key. The points for provers, which nobody verifies with, are given as alpha. */
export function encodeVerifyingKey({ alpha, beta, gamma, delta, inputs }: VerifyingKey): Bytes {
  const unused = encodeG1(alpha);
  const fixed = concat(encodeG1(alpha), unused, encodeG2(beta), encodeG2(gamma), unused, encodeG2(delta));
  return concat(fixed, u32(inputs.length), ...inputs.map(encodeG1), u32(0), u32(0));
}

/** Whether e(A, B) = e(alpha, beta) e(L, gamma) e(C, delta), L being the combination of the public inputs. */
export function verifyGroth16(key: VerifyingKey, proof: Omit<Proof, 'link'>, inputs: readonly bigint[]): boolean {
  demand(inputs.length === key.inputs.length - 1, 'BAD_LENGTH', 'another number of public inputs');
  demand(inputs.every((input) => input >= 0n && input < R), 'FIELD_NOT_CANONICAL', 'a public input is not below r');
  const combined = product([at(key.inputs, 0), 1n], ...inputs.map((input, i): [G1, bigint] => [at(key.inputs, i + 1), input]));
  return pairingIsOne([proof.a.negate(), proof.b], [key.alpha, key.beta], [combined, key.gamma], [proof.c, key.delta]);
}
