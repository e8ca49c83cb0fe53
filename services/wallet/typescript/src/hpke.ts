import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { ascii, concat, fromInteger, type Bytes } from './bytes.js';
import { wellFormed } from './refusal.js';

// HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM, for one message (F-08).

const NONE = new Uint8Array(0);
const KEY = 32;
const KEM_SUITE = concat(ascii('KEM'), fromInteger(0x0020n, 2));
const HPKE_SUITE = concat(ascii('HPKE'), fromInteger(0x0020n, 2), fromInteger(0x0001n, 2), fromInteger(0x0002n, 2));

const labeledIkm = (suite: Bytes, label: string, ikm: Bytes): Bytes => concat(ascii('HPKE-v1'), suite, ascii(label), ikm);

const labeledInfo = (suite: Bytes, label: string, info: Bytes, length: number): Bytes =>
  concat(fromInteger(BigInt(length), 2), ascii('HPKE-v1'), suite, ascii(label), info);

const labeledExtract = (suite: Bytes, salt: Bytes, label: string, ikm: Bytes): Bytes => extract(sha256, labeledIkm(suite, label, ikm), salt);

const labeledExpand = (suite: Bytes, prk: Bytes, label: string, info: Bytes, length: number): Bytes =>
  expand(sha256, prk, labeledInfo(suite, label, info, length), length);

/** What is the same for all messages with an info. */
function scheduleOf(info: Bytes): Bytes {
  const pskHash = labeledExtract(HPKE_SUITE, NONE, 'psk_id_hash', NONE);
  return concat(Uint8Array.of(0), pskHash, labeledExtract(HPKE_SUITE, NONE, 'info_hash', info));
}

/** The secrets that both sides have. */
export class Context {
  readonly #key: Bytes;
  readonly #nonce: Bytes;
  readonly #exporter: Bytes;

  constructor(dh: Bytes, encapsulated: Bytes, recipient: Bytes, info: Bytes) {
    const eae = labeledExtract(KEM_SUITE, NONE, 'eae_prk', dh);
    const shared = labeledExpand(KEM_SUITE, eae, 'shared_secret', concat(encapsulated, recipient), 32);
    const schedule = scheduleOf(info);
    const secret = labeledExtract(HPKE_SUITE, shared, 'secret', NONE);
    this.#key = labeledExpand(HPKE_SUITE, secret, 'key', schedule, 32);
    this.#nonce = labeledExpand(HPKE_SUITE, secret, 'base_nonce', schedule, 12);
    this.#exporter = labeledExpand(HPKE_SUITE, secret, 'exp', schedule, 32);
  }

  /** The first and only message. */
  seal(plain: Bytes, aad: Bytes): Bytes {
    return gcm(this.#key, this.#nonce, aad).encrypt(plain);
  }

  open(cipher: Bytes, aad: Bytes): Bytes {
    return wellFormed(() => gcm(this.#key, this.#nonce, aad).decrypt(cipher));
  }

  export(exporterContext: Bytes, length: number): Bytes {
    return labeledExpand(HPKE_SUITE, this.#exporter, 'sec', exporterContext, length);
  }
}

/** The payer's side. The ephemeral private key is fresh for every message; a test may give one. */
export function sender(recipient: Bytes, info: Bytes, ephemeral: Bytes = x25519.utils.randomSecretKey()): { encapsulated: Bytes; context: Context } {
  const encapsulated = x25519.getPublicKey(ephemeral);
  const dh = wellFormed(() => x25519.getSharedSecret(ephemeral, recipient));
  return { encapsulated, context: new Context(dh, encapsulated, recipient, info) };
}

/** The payee's side. */
export function receiver(privateKey: Bytes, encapsulated: Bytes, info: Bytes): Context {
  const dh = wellFormed(() => x25519.getSharedSecret(privateKey, encapsulated));
  return new Context(dh, encapsulated, x25519.getPublicKey(privateKey), info);
}

/**
 * The export of many messages for one recipient, and nothing else of them: what is the same for all is computed once. It is what the
 * context's export is, in a quarter of its hashes.
 */
export class ExportAlone {
  /** Takes the shared point. */
  readonly #extract: ReturnType<typeof hmac.create>;
  readonly #shared: Bytes;
  readonly #secret: Bytes;
  readonly #exporter: Bytes;
  readonly #export: Bytes;
  readonly #length: number;

  /** @param length of the export, at most 32 */
  constructor(recipient: Bytes, info: Bytes, exporterContext: Bytes, length: number) {
    // HKDF's first block of at most 32 bytes is an HMAC over the info and 1
    const first = (suite: Bytes, label: string, content: Bytes, bytes: number): Bytes => concat(labeledInfo(suite, label, content, bytes), Uint8Array.of(1));
    this.#extract = hmac.create(sha256, NONE).update(labeledIkm(KEM_SUITE, 'eae_prk', NONE));
    this.#shared = first(KEM_SUITE, 'shared_secret', concat(new Uint8Array(KEY), recipient), 32);
    this.#secret = labeledIkm(HPKE_SUITE, 'secret', NONE);
    this.#exporter = first(HPKE_SUITE, 'exp', scheduleOf(info), 32);
    this.#export = first(HPKE_SUITE, 'sec', exporterContext, length);
    this.#length = length;
  }

  /** Of the message with this key, whose product with the recipient's is given. */
  of(dh: Bytes, encapsulated: Bytes): Bytes {
    const eae = this.#extract.clone().update(dh).digest();
    this.#shared.set(encapsulated, this.#shared.length - 2 * KEY - 1);
    const shared = hmac(sha256, eae, this.#shared);
    const exporter = hmac(sha256, hmac(sha256, shared, this.#secret), this.#exporter);
    return hmac(sha256, exporter, this.#export).subarray(0, this.#length);
  }
}
