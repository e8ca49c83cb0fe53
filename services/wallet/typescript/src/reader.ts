import { toInteger, type Bytes } from './bytes.js';
import { demand } from './refusal.js';

/** Amounts and times are below this (page 8). */
export const AMOUNT_LIMIT = 1n << 63n;

/** Reads fields of known length from bytes, one after the other. */
export class Reader {
  readonly #bytes: Bytes;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  take(length: number): Bytes {
    demand(this.#at + length <= this.#bytes.length, 'malformed-request', 'the content is too short');
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  integer(length: number): bigint {
    return toInteger(this.take(length));
  }

  small(length: 1 | 2 | 4): number {
    return Number(this.integer(length));
  }

  /** An amount in minor units. */
  amount(): bigint {
    const value = this.integer(8);
    demand(value < AMOUNT_LIMIT, 'malformed-request', 'an amount is not below 2^63');
    return value;
  }

  /** A time in milliseconds. It is for showing, and not checked. */
  time(): bigint {
    return this.integer(8);
  }

  /** What has its length, u8, before it. */
  counted(limit: number): Bytes {
    const length = this.small(1);
    demand(length <= limit, 'malformed-request', `longer than ${limit}`);
    return this.take(length);
  }

  /** Everything that follows. */
  rest(): Bytes {
    return this.take(this.#bytes.length - this.#at);
  }

  /** Nothing may follow. */
  end(): void {
    demand(this.#at === this.#bytes.length, 'malformed-request', 'bytes behind the content');
  }
}

/** An amount or a time that is written. */
export function amount(value: bigint): bigint {
  demand(value >= 0n && value < AMOUNT_LIMIT, 'OUT_OF_RANGE', 'an amount or a time is below 2^63');
  return value;
}
