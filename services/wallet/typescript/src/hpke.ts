import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { ascii, concat, fromInteger, type Bytes } from './bytes.js';
import { wellFormed } from './refusal.js';

// HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM, for one message (F-08).

const NONE = new Uint8Array(0);
const KEM_SUITE = concat(ascii('KEM'), fromInteger(0x0020n, 2));
const HPKE_SUITE = concat(ascii('HPKE'), fromInteger(0x0020n, 2), fromInteger(0x0001n, 2), fromInteger(0x0002n, 2));

const labeledExtract = (suite: Bytes, salt: Bytes, label: string, ikm: Bytes): Bytes =>
  extract(sha256, concat(ascii('HPKE-v1'), suite, ascii(label), ikm), salt);

const labeledExpand = (suite: Bytes, prk: Bytes, label: string, info: Bytes, length: number): Bytes =>
  expand(sha256, prk, concat(fromInteger(BigInt(length), 2), ascii('HPKE-v1'), suite, ascii(label), info), length);

/** The secrets that both sides have. */
export class Context {
  readonly #key: Bytes;
  readonly #nonce: Bytes;
  readonly #exporter: Bytes;

  constructor(dh: Bytes, encapsulated: Bytes, recipient: Bytes, info: Bytes) {
    const eae = labeledExtract(KEM_SUITE, NONE, 'eae_prk', dh);
    const shared = labeledExpand(KEM_SUITE, eae, 'shared_secret', concat(encapsulated, recipient), 32);
    const pskHash = labeledExtract(HPKE_SUITE, NONE, 'psk_id_hash', NONE);
    const infoHash = labeledExtract(HPKE_SUITE, NONE, 'info_hash', info);
    const schedule = concat(Uint8Array.of(0), pskHash, infoHash);
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
export const receiver = (privateKey: Bytes, encapsulated: Bytes, info: Bytes): Context =>
  receiverOf(privateKey, x25519.getPublicKey(privateKey), encapsulated, info);

/** The payee's side, who knows her public key as well: to compute it takes as long as everything else. */
export function receiverOf(privateKey: Bytes, publicKey: Bytes, encapsulated: Bytes, info: Bytes): Context {
  const dh = wellFormed(() => x25519.getSharedSecret(privateKey, encapsulated));
  return new Context(dh, encapsulated, publicKey, info);
}
