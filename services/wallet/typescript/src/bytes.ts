import { Refusal, demand } from './refusal.js';

export type Bytes = Uint8Array;

/** The bytes of the parts, one after the other. */
export function concat(...parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The bytes of an ASCII text. */
export function ascii(text: string): Bytes {
  return Uint8Array.from(text, (c) => {
    const code = c.charCodeAt(0);
    demand(code < 0x80 && c.length === 1, 'OUT_OF_RANGE', 'not ASCII');
    return code;
  });
}

/** Lower-case hexadecimal. */
export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

export function fromHex(text: string): Bytes {
  demand(/^([0-9a-f]{2})*$/.test(text), 'OUT_OF_RANGE', 'not lower-case hexadecimal');
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** The integer that bytes are in big-endian order. */
export function toInteger(bytes: Bytes): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}

/** An integer in a fixed number of bytes, big endian (E-06 and the encodings of numbers). */
export function fromInteger(value: bigint, length: number): Bytes {
  demand(value >= 0n && value < 1n << BigInt(8 * length), 'OUT_OF_RANGE', `not in ${length} bytes`);
  return fromHex(value.toString(16).padStart(2 * length, '0'));
}

export const u8 = (value: number | bigint): Bytes => fromInteger(BigInt(value), 1);
export const u32 = (value: number | bigint): Bytes => fromInteger(BigInt(value), 4);
export const u64 = (value: number | bigint): Bytes => fromInteger(BigInt(value), 8);

export function equal(a: Bytes, b: Bytes): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The bytes, if there are as many as said. */
export function sized(bytes: Bytes, length: number, what: string): Bytes {
  demand(bytes.length === length, 'BAD_LENGTH', `${what} has ${bytes.length} bytes and not ${length}`);
  return bytes;
}

/** The element of an array, which has to exist. */
export function at<T>(array: readonly T[], i: number): T {
  const value = array[i];
  if (value === undefined) throw new Refusal('OUT_OF_RANGE', `no element ${i}`);
  return value;
}
