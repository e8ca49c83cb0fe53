import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { ascii, concat, fromInteger, sized, toInteger, u32, u8, type Bytes } from './bytes.js';
import { encodeField, modulo, R } from './field.js';
import { Hasher } from './hash.js';
import { L, type KeyPoint } from './jubjub.js';
import { publicKey } from './keysig.js';
import type { Network } from './network.js';
import { randomBytes } from './random.js';
import { demand, refusedAs } from './refusal.js';
import { utf8 } from './text.js';

/** A new phrase of 24 words, from the platform's generator. */
export const newPhrase = (): string => entropyToMnemonic(randomBytes(32), wordlist);

/** The 64 bytes of a phrase of 24 words (F-01). */
export function seedOf(phrase: string): Bytes {
  const words = phrase.normalize('NFKD').toLowerCase().split(/[ \t\n\v\f\r]+/).filter((word) => word !== '');
  demand(words.length === 24, 'seed-phrase-invalid', 'not 24 words');
  const plain = words.join(' ');
  refusedAs('seed-phrase-invalid', () => mnemonicToEntropy(plain, wordlist));
  return mnemonicToSeedSync(plain);
}

/** What distinguishes one transfer's secrets from another's (F-04). */
export interface TransferSecretsOf {
  readonly snCc: bigint;
  readonly counter: number;
  readonly period: bigint;
  readonly context: Bytes;
}

/** What distinguishes one recover's secrets from another's (F-04). */
export interface RecoverSecretsOf {
  readonly lead: bigint;
  readonly x1: Bytes;
  readonly x2: Bytes;
  readonly credits: number;
}

export interface OutputSecrets {
  readonly s: bigint;
  readonly b: bigint;
}

/** Everything that follows from a seed in a network. */
export class WalletKeys {
  /** 64 bytes; everything else follows from it. */
  readonly prk: Bytes;
  readonly nk: bigint;
  readonly a: bigint;
  readonly pkAuth: KeyPoint;
  readonly apk: bigint;
  readonly snk: bigint;
  /** The private X25519 key for receiving, 32 bytes. */
  readonly decryptionKey: Bytes;
  /** Its public key, 32 bytes. */
  readonly encryptionKey: Bytes;
  /** 32 bytes. */
  readonly memoKey: Bytes;

  constructor(network: Network, seed: Bytes) {
    this.prk = extract(sha512, seed, concat(ascii('solidus/wallet/v1'), network.digest));
    this.nk = this.#element('nullifier-key');
    this.a = this.#keyScalar('spend-key');
    this.decryptionKey = this.derive('encryption-key', 32);
    this.encryptionKey = x25519.getPublicKey(this.decryptionKey);
    this.memoKey = this.derive('memo-key', 32);
    this.pkAuth = publicKey(this.a);
    const { apk, snk } = new Hasher(network).address(this.nk, this.pkAuth);
    this.apk = apk;
    this.snk = snk;
  }

  /** A log that is given the keys says nothing. */
  toJSON(): string {
    return 'WalletKeys[redacted]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toJSON();
  }

  /** derive(label, n; parts) (F-02). */
  derive(label: string, length: number, ...parts: readonly Bytes[]): Bytes {
    const name = ascii(label);
    const info = concat(u8(name.length), name, ...parts.flatMap((part) => [fromInteger(BigInt(part.length), 2), part]));
    return expand(sha512, this.prk, info, length);
  }

  #modulo(m: bigint, label: string, parts: readonly Bytes[]): bigint {
    return modulo(toInteger(this.derive(label, 64, ...parts)), m);
  }

  #element(label: string, ...parts: readonly Bytes[]): bigint {
    return this.#modulo(R, label, parts);
  }

  #notZero(m: bigint, label: string, parts: readonly Bytes[]): bigint {
    const value = this.#modulo(m, label, parts);
    return value === 0n ? this.#notZero(m, `${label}'`, parts) : value;
  }

  #scalar(label: string, ...parts: readonly Bytes[]): bigint {
    return this.#notZero(R, label, parts);
  }

  #keyScalar(label: string): bigint {
    return this.#notZero(L, label, []);
  }

  registration(): { seed: bigint } & OutputSecrets {
    return {
      seed: this.#element('registration/seed'),
      s: this.#element('registration/s'),
      b: this.#scalar('registration/b'),
    };
  }

  mint(mintId: Bytes): { seed: bigint } & OutputSecrets {
    sized(mintId, 32, 'a mint id');
    return {
      seed: this.#element('mint/seed', mintId),
      s: this.#element('mint/s', mintId),
      b: this.#scalar('mint/b', mintId),
    };
  }

  mintId(funding: string, ordinal: number): Bytes {
    return this.derive('mint-id', 32, utf8(funding), u32(ordinal));
  }

  /** The private key of payment requests, Ed25519, 32 bytes. */
  requestKey(): Bytes {
    return this.derive('request-key', 32);
  }

  /**
   * The secrets of a transfer: of both outputs, and rho of a dummy in the place of each input.
   *
   * @param inputs of the family: 2, or 16 of a claim of 16
   */
  transfer(of: TransferSecretsOf, inputs = 2): { seed: bigint; outputs: OutputSecrets[]; r: bigint; dummies: bigint[] } {
    const parts = [encodeField(of.snCc), u32(of.counter), u32(of.period), sized(of.context, 32, 'a context')];
    return {
      seed: this.#element('transfer/seed', ...parts),
      outputs: [0, 1].map((j) => ({
        s: this.#element('transfer/s', ...parts, u32(j)),
        b: this.#scalar('transfer/b', ...parts, u32(j)),
      })),
      r: this.#element('transfer/history', ...parts),
      dummies: Array.from({ length: inputs }, (_, j) => this.#element('transfer/dummy', ...parts, u32(j))),
    };
  }

  /** The secrets of a recover over two cores: of both outputs and its history, and its payout block. */
  recover(of: RecoverSecretsOf): { seed: bigint; outputs: OutputSecrets[]; r: bigint; payoutBlock: Bytes } {
    const parts = [encodeField(of.lead), sized(of.x1, 32, 'a core'), sized(of.x2, 32, 'a core'), u32(of.credits)];
    const payoutBlock = this.derive('recover/payout', 512, ...parts);
    payoutBlock[31] = (payoutBlock[31] as number) & 0x7f;
    return {
      seed: this.#element('recover/seed', ...parts),
      outputs: [0, 1].map((j) => ({
        s: this.#element('recover/s', ...parts, u32(j)),
        b: this.#scalar('recover/b', ...parts, u32(j)),
      })),
      r: this.#element('recover/history', ...parts),
      payoutBlock,
    };
  }

  /** The tag of a copy of a registration case, 32 bytes. */
  caseTag(caseId: string, accessToken: string): Bytes {
    return this.derive('registration-case', 32, utf8(caseId), utf8(accessToken));
  }
}
