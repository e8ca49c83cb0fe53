import { at } from './bytes.js';
import { modulo, R } from './field.js';
import { g1, g2, pairingIsOne, power, product, type G1, type G2 } from './groups.js';
import { demand } from './refusal.js';

/** A committee's key (S-01). */
export interface CommitteeKey {
  readonly x: G2;
  readonly y: G2;
  readonly y1: G1;
  readonly members: readonly MemberKey[];
}

/** The key of member i = 1, 2, ...: g2^{x_i}, g2^{y_i}, g1^{y_i}. */
export interface MemberKey {
  readonly x: G2;
  readonly y: G2;
  readonly gamma: G1;
}

/** A signature (s1, s2). */
export interface Signature {
  readonly s1: G1;
  readonly s2: G1;
}

/** A shown signature (h', M', s''). */
export interface Shown {
  readonly h: G1;
  readonly m: G1;
  readonly s: G1;
}

/** k = h^m g1^b (S-02). */
export function blind(h: G1, message: bigint, b: bigint): G1 {
  return product([h, message], [g1, b]);
}

/** Member i's part: h^{x_i} k^{y_i} (S-03). */
export function signPartially(xShare: bigint, yShare: bigint, h: G1, k: G1): G1 {
  return product([h, xShare], [k, yShare]);
}

/** e(s2, g2) = e(h, X) e(k, Y) (S-04), for a member's key or, for a combined point, the committee's. */
export function checkBlinded(key: { readonly x: G2; readonly y: G2 }, h: G1, k: G1, s2: G1): boolean {
  return !s2.is0() && pairingIsOne([s2.negate(), g2], [h, key.x], [k, key.y]);
}

/** The Lagrange coefficients at 0 for points of F. */
export function lagrange(points: readonly bigint[]): bigint[] {
  demand(new Set(points).size === points.length, 'OUT_OF_RANGE', 'a member is named twice');
  return points.map((xi) => {
    const others = points.filter((xj) => xj !== xi);
    const numerator = others.reduce((p, xj) => modulo(p * xj, R), 1n);
    const denominator = others.reduce((p, xj) => modulo(p * (xj - xi), R), 1n);
    return modulo(numerator * inverse(denominator), R);
  });
}

/** The inverse modulo r. */
export function inverse(value: bigint): bigint {
  let [a, b, u, v] = [modulo(value, R), R, 1n, 0n];
  demand(a !== 0n, 'SCALAR_ZERO', 'zero has no inverse');
  while (a !== 0n) {
    const q = b / a;
    [a, b, u, v] = [b - q * a, a, v - q * u, u];
  }
  return modulo(v, R);
}

/** s2 from the parts of members (S-05). Member i has the point i of the polynomials. */
export function combine(parts: ReadonlyMap<number, G1>): G1 {
  const indices = [...parts.keys()];
  const weights = lagrange(indices.map(BigInt));
  return product(...indices.map((i, n): [G1, bigint] => [parts.get(i) as G1, at(weights, n)]));
}

/** (h, s2 Y1^{-b}) (S-06). */
export function unblind(h: G1, s2: G1, y1: G1, b: bigint): Signature {
  return { s1: h, s2: product([s2, 1n], [y1, -b]) };
}

/** e(s1, X Y^m) = e(s2, g2), s1 not the identity (S-07). */
export function verify(key: { readonly x: G2; readonly y: G2 }, message: bigint, { s1, s2 }: Signature): boolean {
  return !s1.is0() && pairingIsOne([s1, key.x.add(power(key.y, message))], [s2.negate(), g2]);
}

/** (s1^t, s2^t) (S-08). */
export function randomise({ s1, s2 }: Signature, t: bigint): Signature {
  demand(modulo(t, R) !== 0n, 'SCALAR_ZERO', 't is not zero');
  return { s1: power(s1, t), s2: power(s2, t) };
}

/** h' = s1^t, M' = h'^m g1^o, s'' = s2^t Y1^o (S-09). */
export function show(signature: Signature, y1: G1, message: bigint, t: bigint, o: bigint): Shown {
  const { s1: h, s2 } = randomise(signature, t);
  return { h, m: product([h, message], [g1, o]), s: product([s2, 1n], [y1, o]) };
}

/** e(h', X) e(M', Y) = e(s'', g2), h' not the identity (S-10). */
export function verifyShown(key: { readonly x: G2; readonly y: G2 }, shown: Shown): boolean {
  return !shown.h.is0() && pairingIsOne([shown.h, key.x], [shown.m, key.y], [shown.s.negate(), g2]);
}

/**
 * Whether a committee's key is well formed (S-11): Y1 belongs to Y, every gamma_i to its Y_i, and the members' keys lie on polynomials of
 * degree 2f whose values at 0 are X, Y and Y1.
 */
export function checkCommittee(key: CommitteeKey): boolean {
  const n = key.members.length;
  const threshold = 2 * Math.floor((n - 1) / 3) + 1;
  const paired = (a: G1, b: G2): boolean => pairingIsOne([a, g2], [g1.negate(), b]);
  if (n % 3 !== 1 || !paired(key.y1, key.y) || !key.members.every((m) => paired(m.gamma, m.y))) return false;
  return interpolates([key.x, ...key.members.map((m) => m.x)], threshold)
    && interpolates([key.y, ...key.members.map((m) => m.y)], threshold)
    && interpolates([key.y1, ...key.members.map((m) => m.gamma)], threshold);
}

/** Whether points at 0, 1, 2, ... lie on one polynomial with as many coefficients as the threshold says. */
function interpolates<P extends Group<P>>(points: readonly P[], threshold: number): boolean {
  for (let i = threshold; i < points.length; i++) {
    const sources = Array.from({ length: threshold }, (_, j) => BigInt(j));
    const weights = lagrange(sources.map((x) => x - BigInt(i)));
    const value = weights.map((w, j) => power(at(points, j), w)).reduce((a, b) => a.add(b));
    if (!value.equals(at(points, i))) return false;
  }
  return true;
}

interface Group<P> {
  add(other: P): P;
  equals(other: P): boolean;
  multiplyUnsafe(scalar: bigint): P;
}
