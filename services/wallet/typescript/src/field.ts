import { fromInteger, sized, toInteger, type Bytes } from './bytes.js';
import { demand } from './refusal.js';

/** r: the order of G1 and G2, and the modulus of F. */
export const R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** The representative of a value modulo m, from 0 to m - 1. */
export function modulo(value: bigint, m: bigint): bigint {
  const rest = value % m;
  return rest < 0n ? rest + m : rest;
}

/** An element of F from its 32 bytes (E-01). */
export function decodeField(bytes: Bytes): bigint {
  const value = toInteger(sized(bytes, 32, 'a field element'));
  demand(value < R, 'FIELD_NOT_CANONICAL', 'a field element is not below r');
  return value;
}

/** The apk of an address from its 32 bytes. It is not zero. */
export function decodeApk(bytes: Bytes): bigint {
  const apk = decodeField(bytes);
  demand(apk !== 0n, 'malformed-request', 'an apk is not zero');
  return apk;
}

/** An exponent of G1 or G2 from its 32 bytes (E-02). */
export function decodeScalar(bytes: Bytes): bigint {
  const value = toInteger(sized(bytes, 32, 'an exponent'));
  demand(value < R, 'SCALAR_NOT_CANONICAL', 'an exponent is not below r');
  return value;
}

/** The 32 bytes of an element of F or of an exponent (E-01, E-02). */
export function encodeField(value: bigint): Bytes {
  demand(value >= 0n && value < R, 'FIELD_NOT_CANONICAL', 'a field element is not below r');
  return fromInteger(value, 32);
}

/** A digest, read as a big-endian integer and reduced modulo r. */
export function digestToField(digest: Bytes): bigint {
  return modulo(toInteger(digest), R);
}
