import { x25519 } from '@noble/curves/ed25519.js';
import { strict as assert } from 'node:assert';
import { afterEach, describe, it, mock } from 'node:test';
import { bySoftware } from '../src/agreement.js';
import { concat, equal, fromHex, fromInteger, type Bytes } from '../src/bytes.js';
import { Detector } from '../src/detection.js';
import { Context, receiver } from '../src/hpke.js';
import { DETECTION, INFO, TAG } from '../src/parcel.js';
import { Refusal } from '../src/refusal.js';
import { HEADER } from '../src/tables.js';
import { wide } from './refused.js';

const P = 2n ** 255n - 19n;

const random = (n: number): Bytes => wide(n).subarray(0, 32);
const littleEndian = (value: bigint): Bytes => fromInteger(value, 32).reverse();
const keysOf = (decryptionKey: Bytes) => ({ decryptionKey, encryptionKey: x25519.getPublicKey(decryptionKey) });

const withHighBit = (key: Bytes): Bytes => {
  const other = key.slice();
  other[31] = (other[31] as number) | 0x80;
  return other;
};

/** The seven encodings of points of small order, of which three are not below p. */
const SMALL: readonly Bytes[] = [
  ...[0n, 1n, P - 1n, P, P + 1n].map(littleEndian),
  ...['e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800', '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157'].map(fromHex),
];

/** What the context of the specification says of a header, message by message. */
function expected(decryptionKey: Bytes, header: Bytes): boolean {
  try {
    return equal(receiver(decryptionKey, header.subarray(TAG, HEADER), INFO).export(DETECTION, TAG), header.subarray(0, TAG));
  } catch (e) {
    if (e instanceof Refusal) return false;
    throw e;
  }
}

/** A header with the tag that this reader looks for. */
const ownHeader = (decryptionKey: Bytes, key: Bytes): Bytes => concat(receiver(decryptionKey, key, INFO).export(DETECTION, TAG), key);

/** One whose sender counts on a product of zero. */
const ofZero = (encryptionKey: Bytes, key: Bytes): Bytes => concat(new Context(new Uint8Array(32), key, encryptionKey, INFO).export(DETECTION, TAG), key);

/** Headers of every kind that a stranger may post. */
function headers(decryptionKey: Bytes): Bytes[] {
  const from = 10_000;
  const { encryptionKey } = keysOf(decryptionKey);
  const points = Array.from({ length: 20 }, (_, i) => x25519.getPublicKey(random(from + i)));
  const twists = Array.from({ length: 20 }, (_, i) => random(from + 100 + i)); // half of them are on the twist
  const uncanonical = Array.from({ length: 17 }, (_, i) => littleEndian(P + 2n + BigInt(i)));
  const keys = [...points, ...twists, ...uncanonical].flatMap((key) => [key, withHighBit(key)]);
  const small = [...SMALL, ...SMALL.map(withHighBit)];
  return [
    ...keys.map((key) => ownHeader(decryptionKey, key)),
    ...keys.map((key, i) => concat(random(from + 200 + i).subarray(0, TAG), key)),
    ...keys.map((key) => concat(ownHeader(decryptionKey, key).subarray(0, TAG), x25519.getPublicKey(key))),
    ...keys.map((key) => ownHeader(random(from + 99), key)),
    ...small.map((key) => ofZero(encryptionKey, key)),
    ...small.map((key) => concat(new Uint8Array(TAG), key)),
    ...[0, 1, TAG, TAG + 1, HEADER - 1].map((length) => ownHeader(decryptionKey, points[0] as Bytes).subarray(0, length)),
  ];
}

const isPrivate = (args: readonly unknown[]): boolean => args[0] === 'pkcs8';

describe('the test of headers', () => {
  afterEach(() => mock.restoreAll());

  it('says what the context of the specification says, by the platform and without it', async () => {
    const decryptionKey = random(5_000);
    const all = headers(decryptionKey);
    const wanted = all.map((header) => expected(decryptionKey, header));
    assert.ok(wanted.filter((one) => one).length >= 114, 'own ones are found');
    const derive = mock.method(crypto.subtle, 'deriveBits');
    assert.deepEqual(await new Detector(keysOf(decryptionKey)).detect(all), wanted);
    assert.ok(derive.mock.callCount() > 400, 'the platform computes');
    assert.deepEqual(await new Detector(keysOf(decryptionKey), (key) => Promise.resolve(bySoftware(key))).detect(all), wanted);
  });

  it('takes no product of zero, whoever computes it', async () => {
    const { decryptionKey, encryptionKey } = keysOf(random(5_100));
    const own = ownHeader(decryptionKey, x25519.getPublicKey(random(5_101)));
    const all = [own, ...[...SMALL, ...SMALL.map(withHighBit)].map((key) => ofZero(encryptionKey, key)), own];
    assert.deepEqual(await new Detector({ decryptionKey, encryptionKey }).detect(all), all.map((header) => header === own));
    const detector = new Detector({ decryptionKey, encryptionKey });
    assert.deepEqual(await detector.detect([]), []);
  });

  it('gives the platform a key that cannot be read out of it', async () => {
    const imported = mock.method(crypto.subtle, 'importKey');
    await new Detector(keysOf(random(5_200))).detect([]);
    const [args, ...others] = imported.mock.calls.map((call) => call.arguments as readonly unknown[]).filter(isPrivate);
    assert.deepEqual([args?.[3], args?.[4], others.length], [false, ['deriveBits'], 0]);
    assert.ok((args?.[1] as Bytes).every((byte) => byte === 0), 'the copy is erased');
  });

  it('goes on without a platform that has no X25519', async () => {
    const keys = keysOf(random(5_300));
    const own = ownHeader(keys.decryptionKey, x25519.getPublicKey(random(5_301)));
    mock.method(crypto.subtle, 'importKey', () => Promise.reject(new Error('NotSupportedError')));
    assert.deepEqual(await new Detector(keys).detect([own]), [true]);
  });

  it('does not use a platform that computes otherwise', async () => {
    const keys = keysOf(random(5_400));
    const own = ownHeader(keys.decryptionKey, x25519.getPublicKey(random(5_401)));
    const derive = mock.method(crypto.subtle, 'deriveBits', () => Promise.resolve(new ArrayBuffer(32)));
    const detector = new Detector(keys);
    assert.deepEqual(await detector.detect([own, ofZero(keys.encryptionKey, SMALL[0] as Bytes)]), [true, false]);
    const asked = derive.mock.callCount();
    assert.deepEqual(await detector.detect([own]), [true]);
    assert.equal(derive.mock.callCount(), asked);
  });

  it('loses no message to a platform that fails', async () => {
    const keys = keysOf(random(5_500));
    const own = ownHeader(keys.decryptionKey, x25519.getPublicKey(random(5_501)));
    const other = ownHeader(random(5_502), x25519.getPublicKey(random(5_503)));
    const detector = new Detector(keys);
    assert.deepEqual(await detector.detect([own, other]), [true, false]);
    mock.method(crypto.subtle, 'deriveBits', () => Promise.reject(new Error('OperationError')));
    assert.deepEqual(await detector.detect([other, own, other]), [false, true, false]);
  });
});
