import { edwards, type EdwardsPoint } from '@noble/curves/abstract/edwards.js';
import { concat, fromInteger, sized, toInteger, type Bytes } from './bytes.js';
import { R } from './field.js';
import { demand } from './refusal.js';

/** l: the order of the subgroup of Jubjub. */
export const L = 0x0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7n;

export type KeyPoint = EdwardsPoint;

const D_NUMERATOR = R - 10240n;
const D_DENOMINATOR = 10241n;

/** A power modulo r. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let b = base, e = exponent; e > 0n; e >>= 1n, b = (b * b) % R) if (e & 1n) result = (result * b) % R;
  return result;
}

const D = (D_NUMERATOR * power(D_DENOMINATOR, R - 2n)) % R;

const Curve = edwards({
  p: R,
  n: L,
  h: 8n,
  a: R - 1n,
  d: D,
  Gx: 0x33cab9428c97922a456d01156a3c0b5f48bf54819101b9e685ff90bcf4f8ba5en,
  Gy: 0x56f168560e13820f1312a53c8338679b15f8e764499f87033728c334cc269cfbn,
});

/** B. */
export const BASE: KeyPoint = Curve.BASE;
export const IDENTITY: KeyPoint = Curve.ZERO;

function isOnCurve(x: bigint, y: bigint): boolean {
  const xx = (x * x) % R;
  const yy = (y * y) % R;
  return (R - xx + yy) % R === (1n + ((D * xx) % R) * yy) % R;
}

/** point^scalar for 0 <= scalar, by doubling. The point may lie outside the subgroup. */
export function multiply(point: KeyPoint, scalar: bigint): KeyPoint {
  let result = IDENTITY;
  for (let p = point, s = scalar; s > 0n; s >>= 1n, p = p.double()) if (s & 1n) result = result.add(p);
  return result;
}

/** The product of two points. */
export function add(a: KeyPoint, b: KeyPoint): KeyPoint {
  return a.add(b);
}

/** The order in which the reasons are tried: length, range, curve, identity, subgroup. */
export function decodeKeyPoint(bytes: Bytes): KeyPoint {
  sized(bytes, 64, 'a point of Jubjub');
  const x = toInteger(bytes.subarray(0, 32));
  const y = toInteger(bytes.subarray(32));
  demand(x < R && y < R, 'POINT_NOT_CANONICAL', 'a coordinate is not below r');
  demand(isOnCurve(x, y), 'POINT_NOT_ON_CURVE', 'not on Jubjub');
  demand(x !== 0n || y !== 1n, 'IDENTITY_POINT', 'the identity has no encoding');
  const point = Curve.fromAffine({ x, y });
  demand(multiply(point, L).equals(IDENTITY), 'POINT_NOT_IN_SUBGROUP', 'outside the subgroup of order l');
  return point;
}

/** 64 bytes (E-16), of a point that is not the identity. */
export function encodeKeyPoint(point: KeyPoint): Bytes {
  demand(!point.equals(IDENTITY), 'IDENTITY_POINT', 'the identity has no encoding');
  const { x, y } = point.toAffine();
  return concat(fromInteger(x, 32), fromInteger(y, 32));
}

/** An exponent of Jubjub from its 32 bytes (E-17). */
export function decodeKeyScalar(bytes: Bytes): bigint {
  const value = toInteger(sized(bytes, 32, 'an exponent of Jubjub'));
  demand(value < L, 'SCALAR_NOT_CANONICAL', 'an exponent is not below l');
  return value;
}

export function encodeKeyScalar(value: bigint): Bytes {
  demand(value >= 0n && value < L, 'SCALAR_NOT_CANONICAL', 'an exponent is not below l');
  return fromInteger(value, 32);
}
