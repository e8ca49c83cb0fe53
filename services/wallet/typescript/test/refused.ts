import { strict as assert } from 'node:assert';
import { inspect } from 'node:util';
import { sha512 } from '@noble/hashes/sha2.js';
import { ascii, concat, u32, type Bytes } from '../src/bytes.js';
import { digestToField } from '../src/field.js';
import { Refusal, type Reason } from '../src/refusal.js';

/** Asserts that the work is refused with this reason. */
export function refused(reason: Reason, work: () => unknown, what?: string): void {
  assert.throws(work, (e) => e instanceof Refusal && e.reason === reason, what);
}

/** An element of F that looks random and is always the same. */
export const element = (n: number): bigint => digestToField(wide(n));

/** 64 bytes, likewise. */
export const wide = (n: number): Bytes => sha512(concat(ascii('test'), u32(n)));

/** Asserts that the work fails with this code. */
export async function fails(reason: Reason, work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (e) => {
    assert.ok(e instanceof Refusal, inspect(e));
    assert.equal(e.reason, reason, e.message);
    return true;
  });
}
