import { toInteger, type Bytes } from './bytes.js';
import { modulo, R } from './field.js';
import { L } from './jubjub.js';

/** Bytes of the platform's generator. */
export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));

/** Uniform among the values modulo m that are not zero. 64 bytes leave a bias of less than 2^-256. */
function notZero(m: bigint): bigint {
  const value = modulo(toInteger(randomBytes(64)), m);
  return value === 0n ? notZero(m) : value;
}

/** An exponent of G1 that is not zero. */
export const randomScalar = (): bigint => notZero(R);

/** An exponent of Jubjub that is not zero. */
export const randomKeyScalar = (): bigint => notZero(L);

/** A whole number from 0 to the limit, which is below 2^32. */
export const randomBelow = (limit: number): number => Math.floor((Number(toInteger(randomBytes(4))) / 2 ** 32) * (limit + 1));
