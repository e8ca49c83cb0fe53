import { sha512 } from '@noble/hashes/sha2.js';
import { ascii, concat, sized, toInteger, type Bytes } from './bytes.js';
import { modulo } from './field.js';
import { BASE, IDENTITY, L, add, decodeKeyPoint, decodeKeyScalar, encodeKeyPoint, encodeKeyScalar, multiply, type KeyPoint } from './jubjub.js';
import { demand } from './refusal.js';

/** pk_auth = B^a (O-02). */
export function publicKey(a: bigint): KeyPoint {
  demand(a > 0n && a < L, 'SCALAR_ZERO', 'a spend key is not zero');
  return multiply(BASE, a);
}

/** rk = pk_auth B^alpha (O-04). */
export function randomisedKey(pkAuth: KeyPoint, alpha: bigint): KeyPoint {
  const rk = add(pkAuth, multiply(BASE, alpha));
  demand(!rk.equals(IDENTITY), 'IDENTITY_POINT', 'rk is the identity');
  return rk;
}

function challenge(r: Bytes, rk: Bytes, core: Bytes): bigint {
  return modulo(toInteger(sha512(concat(ascii('solidus/rk/v2'), r, rk, sized(core, 32, 'a core')))), L);
}

/** A signature of a core (O-05), 96 bytes. The nonce is uniform modulo l, not zero, and never used again. */
export function signCore(a: bigint, alpha: bigint, core: Bytes, nonce: bigint): Bytes {
  const secret = modulo(a + alpha, L);
  const r = encodeKeyPoint(multiply(BASE, nonce));
  const c = challenge(r, encodeKeyPoint(publicKey(secret)), core);
  return concat(r, encodeKeyScalar(modulo(nonce + c * secret, L)));
}

/** Refuses a signature of a core that does not hold (O-05). */
export function verifyCore(rk: KeyPoint, core: Bytes, signature: Bytes): void {
  sized(signature, 96, 'a signature of a core');
  const rBytes = signature.subarray(0, 64);
  const r = decodeKeyPoint(rBytes);
  const z = decodeKeyScalar(signature.subarray(64));
  const c = challenge(rBytes, encodeKeyPoint(rk), core);
  const holds = multiply(BASE, z).equals(add(r, multiply(rk, c)));
  demand(holds, 'KEY_SIGNATURE_INVALID', 'the signature does not hold');
}
