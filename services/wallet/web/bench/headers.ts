import { bySoftware, fastest } from '../../typescript/src/agreement.js';
import { concat, type Bytes } from '../../typescript/src/bytes.js';
import { Detector } from '../../typescript/src/detection.js';
import { sender } from '../../typescript/src/hpke.js';
import { DETECTION, INFO, TAG } from '../../typescript/src/parcel.js';
import { randomBytes } from '../../typescript/src/random.js';

// How long the test of headers takes, which a wallet with private queries makes of every message of its bucket.

/** A run of one kind; `start` and `end` are called beside the work that is measured. */
export interface Clock {
  start(): Promise<void>;
  end(kind: string, headers: number): Promise<void>;
}

/** Tables of a day of a bucket among a million wallets: 288 with 109 headers. */
const A_TABLE = 109;

/** Of a private key: what a sender with it shows to anybody. */
const publicKey = (privateKey: Bytes): Bytes => sender(Uint8Array.of(9, ...new Uint8Array(31)), INFO, privateKey).encapsulated;

/** Keys that a stranger may post: points of the curve and of its twist, of small order, and numbers that are not below 2^255 - 19. */
function strange(): Bytes[] {
  const small = [0, 1, 0xec, 0xed, 0xee].map((low) => Uint8Array.of(low, ...new Uint8Array(30).fill(low > 1 ? 0xff : 0), low > 1 ? 0x7f : 0));
  const uncanonical = Array.from({ length: 19 }, (_, i) => Uint8Array.of(0xed + i, ...new Uint8Array(30).fill(0xff), 0x7f));
  const keys = [...small, ...uncanonical, ...Array.from({ length: 500 }, () => randomBytes(32))];
  return keys.flatMap((key) => [key, key.map((byte, i) => (i === 31 ? byte ^ 0x80 : byte))]);
}

/** Fails unless the platform gives what this program's own code gives. */
async function compare(decryptionKey: Bytes): Promise<void> {
  const keys = strange();
  const [one, other] = [await (await fastest(decryptionKey))(keys), await bySoftware(decryptionKey)(keys)];
  if (one.some((product, i) => String(product) !== String(other[i]))) throw new Error('the platform computes otherwise');
}

export async function measure(clock: Clock, rounds: { readonly platform: number; readonly software: number }): Promise<void> {
  const decryptionKey = randomBytes(32);
  await compare(decryptionKey);
  const keys = { decryptionKey, encryptionKey: publicKey(decryptionKey) };
  const own = sender(keys.encryptionKey, INFO);
  const table: Bytes[] = Array.from({ length: A_TABLE - 1 }, () => concat(randomBytes(TAG), publicKey(randomBytes(32))));
  table.push(concat(own.context.export(DETECTION, TAG), own.encapsulated));
  const kinds = [
    ['platform', new Detector(keys), rounds.platform],
    ['software', new Detector(keys, (key) => Promise.resolve(bySoftware(key))), rounds.software],
  ] as const;
  for (const [kind, detector, count] of kinds) {
    await detector.detect(table); // warm
    await clock.start();
    for (let i = 0; i < count; i++) {
      const found = await detector.detect(table);
      if (found[A_TABLE - 1] !== true) throw new Error('the own header was not found');
    }
    await clock.end(kind, count * A_TABLE);
  }
}
