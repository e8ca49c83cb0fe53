import { ascii, concat, equal, sized, u64, u8, type Bytes } from './bytes.js';
import { decodeField, encodeField } from './field.js';
import { decodeG1, encodeG1 } from './groups.js';
import { checkOrigin } from './hash.js';
import { receiver, sender } from './hpke.js';
import type { Network } from './network.js';
import { amount, Reader } from './reader.js';
import { demand, wellFormed } from './refusal.js';
import type { Signature } from './signatures.js';
import { fromUtf8, shownText, utf8 } from './text.js';

/** What the mailbox carries (F-09). */
export type Parcel =
  | { kind: 'payment'; origin: number; value: bigint; rho: bigint; signature: Signature; time: bigint; text: string }
  | { kind: 'minted'; value: bigint; rho: bigint; signature: Signature; time: bigint }
  | { kind: 'first-signature'; signature: Signature }
  | { kind: 'registration-case'; caseId: string; accessToken: string; tag: Bytes };

const VERSION = 2;
const KINDS = { payment: 1, minted: 2, 'first-signature': 3, 'registration-case': 4 } as const;
const CONTENT = 1150;
const BLOB = 1200;
const TEXT_LIMIT = 140;

/** Bytes of a detection tag. */
export const TAG = 2;

export const INFO = ascii('solidus/mailbox/v1');
export const DETECTION = ascii('solidus/mailbox-detection/v1');

const signatureBytes = (s: Signature): Bytes => concat(encodeG1(s.s1), encodeG1(s.s2));

const textBytes = (text: string, limit: number): Bytes => {
  const bytes = utf8(text);
  demand(bytes.length <= limit, 'OUT_OF_RANGE', 'a text is too long');
  return concat(u8(bytes.length), bytes);
};

function body(p: Parcel): Bytes {
  switch (p.kind) {
    case 'payment':
      return concat(
        u8(checkOrigin(p.origin)),
        u64(amount(p.value)),
        encodeField(p.rho),
        signatureBytes(p.signature),
        u64(amount(p.time)),
        textBytes(p.text, TEXT_LIMIT),
      );
    case 'minted':
      return concat(u64(amount(p.value)), encodeField(p.rho), signatureBytes(p.signature), u64(amount(p.time)));
    case 'first-signature':
      return signatureBytes(p.signature);
    case 'registration-case':
      return concat(textBytes(p.caseId, 255), textBytes(p.accessToken, 255), sized(p.tag, 32, 'a tag'));
  }
}

/** The 1150 bytes of a parcel. */
export function encodeParcel(parcel: Parcel): Bytes {
  const content = concat(u8(VERSION), u8(KINDS[parcel.kind]), body(parcel));
  return concat(content, new Uint8Array(CONTENT - content.length));
}

/** A parcel from its 1150 bytes. The bytes behind the body are not looked at. */
export function decodeParcel(bytes: Bytes): Parcel {
  return wellFormed(() => {
    const reader = new Reader(sized(bytes, CONTENT, 'a parcel'));
    demand(reader.small(1) === VERSION, 'malformed-request', 'a parcel of another version');
    const signature = (): Signature => ({ s1: decodeG1(reader.take(96)), s2: decodeG1(reader.take(96)) });
    const coin = () => ({ value: reader.amount(), rho: decodeField(reader.take(32)), signature: signature(), time: reader.time() });
    switch (reader.small(1)) {
      case KINDS.payment:
        return { kind: 'payment', origin: checkOrigin(reader.small(1)), ...coin(), text: shownText(reader.counted(255)) };
      case KINDS.minted:
        return { kind: 'minted', ...coin() };
      case KINDS['first-signature']:
        return { kind: 'first-signature', signature: signature() };
      case KINDS['registration-case']:
        return { kind: 'registration-case', caseId: fromUtf8(reader.counted(255)), accessToken: fromUtf8(reader.counted(255)), tag: reader.take(32) };
      default:
        return demand(false, 'malformed-request', 'a parcel of another kind') as never;
    }
  });
}

/** A blob of 1200 bytes for the payee's encryption key (F-08). */
export function sealParcel(network: Network, encryptionKey: Bytes, content: Bytes, ephemeral?: Bytes): Bytes {
  const { encapsulated, context } = sender(encryptionKey, INFO, ephemeral);
  const tag = context.export(DETECTION, TAG);
  return concat(tag, encapsulated, context.seal(sized(content, CONTENT, 'a parcel'), network.digest));
}

/** The content of a blob, if it is for this key (F-08). */
export function openParcel(network: Network, decryptionKey: Bytes, blob: Bytes): Bytes {
  wellFormed(() => sized(blob, BLOB, 'a blob'));
  const context = receiver(decryptionKey, blob.subarray(2, 34), INFO);
  demand(equal(context.export(DETECTION, TAG), blob.subarray(0, 2)), 'malformed-request', 'the detection tag is another');
  return context.open(blob.subarray(34), network.digest);
}
