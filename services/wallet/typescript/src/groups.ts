import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { concat, fromInteger, sized, toInteger, type Bytes } from './bytes.js';
import { modulo, R } from './field.js';
import { demand } from './refusal.js';

/** The modulus of the coordinates of G1; those of G2 are pairs of values modulo Q. */
export const Q = bls.fields.Fp.ORDER;

const { Point: Point1 } = bls.G1;
const { Point: Point2 } = bls.G2;

export type G1 = typeof Point1.BASE;
export type G2 = typeof Point2.BASE;

export const g1: G1 = Point1.BASE;
export const g2: G2 = Point2.BASE;

/** The coordinates of 48 bytes each. All have to be below Q. */
function coordinates(bytes: Bytes, length: number): bigint[] {
  sized(bytes, length, 'a point');
  const values = [];
  for (let i = 0; i < length; i += 48) values.push(toInteger(bytes.subarray(i, i + 48)));
  demand(values.every((v) => v < Q), 'POINT_NOT_CANONICAL', 'a coordinate is not below the modulus');
  demand(values.some((v) => v !== 0n), 'IDENTITY_POINT', 'the identity has no encoding');
  return values;
}

/** A point of G1 from its 96 bytes (E-03). */
export function decodeG1(bytes: Bytes): G1 {
  const [x, y] = coordinates(bytes, 96) as [bigint, bigint];
  const fp = bls.fields.Fp;
  demand(fp.eql(fp.sqr(y), fp.add(fp.mul(fp.sqr(x), x), 4n)), 'POINT_NOT_ON_CURVE', 'not on the curve of G1');
  const point = Point1.fromAffine({ x, y });
  demand(point.isTorsionFree(), 'POINT_NOT_IN_SUBGROUP', 'outside G1');
  return point;
}

/** A point of G2 from its 192 bytes (E-04). */
export function decodeG2(bytes: Bytes): G2 {
  const [x1, x0, y1, y0] = coordinates(bytes, 192) as [bigint, bigint, bigint, bigint];
  const fp2 = bls.fields.Fp2;
  const x = fp2.create({ c0: x0, c1: x1 });
  const y = fp2.create({ c0: y0, c1: y1 });
  const b = fp2.create({ c0: 4n, c1: 4n });
  demand(fp2.eql(fp2.sqr(y), fp2.add(fp2.mul(fp2.sqr(x), x), b)), 'POINT_NOT_ON_CURVE', 'not on the curve of G2');
  const point = Point2.fromAffine({ x, y });
  demand(point.isTorsionFree(), 'POINT_NOT_IN_SUBGROUP', 'outside G2');
  return point;
}

export function encodeG1(point: G1): Bytes {
  demand(!point.is0(), 'IDENTITY_POINT', 'the identity has no encoding');
  const { x, y } = point.toAffine();
  return concat(fromInteger(x, 48), fromInteger(y, 48));
}

export function encodeG2(point: G2): Bytes {
  demand(!point.is0(), 'IDENTITY_POINT', 'the identity has no encoding');
  const { x, y } = point.toAffine();
  return concat(fromInteger(x.c1, 48), fromInteger(x.c0, 48), fromInteger(y.c1, 48), fromInteger(y.c0, 48));
}

/** point^exponent; the exponent is taken modulo r. */
export function power<P extends { multiplyUnsafe(scalar: bigint): P }>(point: P, exponent: bigint): P {
  return point.multiplyUnsafe(modulo(exponent, R));
}

/** The product of powers of points of G1. */
export function product(...factors: readonly (readonly [G1, bigint])[]): G1 {
  return factors.reduce((all, [point, exponent]) => all.add(power(point, exponent)), Point1.ZERO);
}

/** Whether the product of the pairings is one. */
export function pairingIsOne(...pairs: readonly (readonly [G1, G2])[]): boolean {
  // A pairing with an identity is one, and the library refuses it.
  const factors = pairs.filter(([a, b]) => !a.is0() && !b.is0()).map(([a, b]) => ({ g1: a, g2: b }));
  return bls.fields.Fp12.eql(bls.pairingBatch(factors), bls.fields.Fp12.ONE);
}

/** HashToG1: BLS12381G1_XMD:SHA-256_SSWU_RO_ of RFC 9380. */
export function hashToG1(message: Bytes, domain: string): G1 {
  return bls.G1.hashToCurve(message, { DST: domain }) as G1;
}
