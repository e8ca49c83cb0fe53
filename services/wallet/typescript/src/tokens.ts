import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { base64urlnopad } from '@scure/base';
import { ascii, at, concat, equal, fromHex, fromInteger, sized, toInteger, u32, u64, u8, type Bytes } from './bytes.js';
import type { Gateway, TokenSource } from './gateway.js';
import { ask, type Transport } from './http.js';
import type { WalletKeys } from './keys.js';
import { askedTokens, signedTokens, writeBody } from './messages.js';
import type { Network } from './network.js';
import { countersigned, readText, type NoteKey, type TextOf } from './notes.js';
import { randomBelow } from './random.js';
import { demand, Refusal, refusedAs, wellFormed } from './refusal.js';
import type { SpendableToken, State, Store } from './store.js';

// Blind tokens (page 10): RFC 9578 with RSABSSA-SHA384-PSS-Deterministic of RFC 9474. They say that a registered wallet asks, and not which.

const TYPE = fromInteger(2n, 2);
const EXPONENT = 65_537n;
const SIZE = 256;
const HASH = 48;
const SALT = 48;
const FACTOR = 288;

/** DER up to the modulus, and behind it. */
const BEFORE = fromHex(
  '30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d010108300b0609608648016503040202a2030201300382010f003082010a0282010100',
);
const AFTER = fromHex('0203010001');

/** The key of a day's tokens. */
export interface TokenKey {
  /** 342 bytes. */
  readonly spki: Bytes;
  /** 32 bytes. */
  readonly id: Bytes;
  readonly n: bigint;
}

/** A key from its only encoding. */
export function tokenKey(spki: Bytes): TokenKey {
  return wellFormed(() => {
    sized(spki, BEFORE.length + SIZE + AFTER.length, 'a key of tokens');
    const fixed = equal(spki.subarray(0, BEFORE.length), BEFORE) && equal(spki.subarray(-AFTER.length), AFTER);
    const n = toInteger(spki.subarray(BEFORE.length, BEFORE.length + SIZE));
    demand(fixed && n >> 2047n === 1n && n % 2n === 1n, 'malformed-request', 'not RSA with 2048 bits for RSASSA-PSS');
    return { spki, id: sha256(spki), n };
  });
}

/** What a token is good for. */
export interface Challenge {
  readonly issuer: string;
  /** None or 32 bytes. */
  readonly context: Bytes;
  readonly origin: string;
}

/** The digest of a challenge, 32 bytes. */
export function challengeDigest({ issuer, context, origin }: Challenge): Bytes {
  const isName = (text: string): boolean => /^[\x21-\x7e]{0,253}$/.test(text);
  const fits = issuer !== '' && isName(issuer) && isName(origin) && (context.length === 0 || context.length === 32);
  demand(fits, 'malformed-request', 'a challenge names an issuer and an origin');
  const counted = (text: string): Bytes => concat(fromInteger(BigInt(text.length), 2), ascii(text));
  return sha256(concat(TYPE, counted(issuer), u8(context.length), context, counted(origin)));
}

function power(base: bigint, exponent: bigint, n: bigint): bigint {
  let [result, square] = [1n, base % n];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % n;
    square = (square * square) % n;
  }
  return result;
}

/** The inverse modulo n. */
function inverseOf(value: bigint, n: bigint): bigint {
  let [a, b, x, y] = [value % n, n, 1n, 0n];
  while (b > 0n) {
    const q = a / b;
    [a, b, x, y] = [b, a - q * b, y, x - q * y];
  }
  demand(a === 1n, 'OUT_OF_RANGE', 'the factor is not prime to the modulus');
  return ((x % n) + n) % n;
}

function mask(seed: Bytes, length: number): Bytes {
  const parts = Array.from({ length: Math.ceil(length / HASH) }, (_, i) => sha384(concat(seed, u32(i))));
  return concat(...parts).subarray(0, length);
}

const digestOf = (message: Bytes, salt: Bytes): Bytes => sha384(concat(new Uint8Array(8), sha384(message), salt));

/** The EMSA-PSS encoding for 2047 bits (RFC 8017, section 9.1.1). */
function encoded(message: Bytes, salt: Bytes): Bytes {
  const h = digestOf(message, sized(salt, SALT, 'a salt'));
  const db = concat(new Uint8Array(SIZE - SALT - HASH - 2), u8(1), salt);
  const masked = mask(h, db.length).map((byte, i) => byte ^ (db[i] as number));
  masked[0] = (masked[0] as number) & 0x7f;
  return concat(masked, h, u8(0xbc));
}

/** Whether a signature is the key's (RFC 8017, section 8.1.2). */
export function verifyPss({ n }: TokenKey, message: Bytes, signature: Bytes): boolean {
  const s = toInteger(signature);
  if (signature.length !== SIZE || s >= n) return false;
  const em = fromInteger(power(s, EXPONENT, n), SIZE);
  const masked = em.subarray(0, SIZE - HASH - 1);
  const h = em.subarray(masked.length, SIZE - 1);
  const db = mask(h, masked.length).map((byte, i) => byte ^ (masked[i] as number));
  const salt = db.subarray(-SALT);
  return equal(em, encoded(message, salt)) && equal(h, digestOf(message, salt));
}

/** A token that the issuer is asked for. */
export interface Blinded {
  /** 259 bytes. */
  readonly request: Bytes;
  /** The token, 354 bytes, from the issuer's answer. Refuses one that does not verify. */
  finish(answer: Bytes): Bytes;
}

/** Blinds a token of a nonce of 32 bytes, a salt of 48 and a factor below the modulus. */
export function blindToken(key: TokenKey, challenge: Bytes, nonce: Bytes, salt: Bytes, factor: bigint): Blinded {
  const { id, n } = key;
  const message = concat(TYPE, sized(nonce, 32, 'a nonce'), sized(challenge, 32, 'a digest'), id);
  const inverse = inverseOf(factor, n);
  const blinded = (toInteger(encoded(message, salt)) * power(factor, EXPONENT, n)) % n;
  return {
    request: concat(TYPE, id.subarray(31), fromInteger(blinded, SIZE)),
    finish: (answer) => {
      const authenticator = fromInteger((toInteger(answer) * inverse) % n, SIZE);
      const holds = answer.length === SIZE && verifyPss(key, message, authenticator);
      demand(holds, 'signature-invalid', 'the issuer’s signature on a token is not valid');
      return concat(message, authenticator);
    },
  };
}

/** The token with a number of a day, as the phrase draws it. */
export function drawToken(keys: WalletKeys, key: TokenKey, challenge: Bytes, day: bigint, number: number): Blinded {
  const parts = [u64(day), u32(number), key.id, challenge];
  const factor = toInteger(keys.derive('token/factor', FACTOR, ...parts)) % key.n;
  return blindToken(key, challenge, keys.derive('token/nonce', 32, ...parts), keys.derive('token/salt', SALT, ...parts), factor);
}

/** The second of a day from which a wallet fetches its tokens. */
export const tokenSecond = (keys: WalletKeys, day: bigint): bigint => toInteger(keys.derive('token/second', 4, u64(day))) % 86_400n;

/** The header that spends a token. */
export const authorization = (token: Bytes): string => `PrivateToken token="${base64urlnopad.encode(sized(token, 354, 'a token'))}"`;

/** The keys of days, with the countersignatures of 2f + 1 authorities. */
export function readTokenKeys(network: Network, authorities: readonly NoteKey[], note: string): TextOf<'token-keys'> {
  const quorum = 2 * Math.floor((authorities.length - 1) / 3) + 1;
  const text = countersigned(note, authorities, quorum);
  return refusedAs('rules-untrusted', () => readText(network, 'token-keys', text));
}

const DAY = 86_400_000;
const REST = 3_600_000;
const PAUSE = 600_000;

/** What tokens need of the wallet. */
export interface TokensOf {
  readonly network: Network;
  readonly keys: WalletKeys;
  /** The note keys of the authorities. */
  readonly authorities: readonly NoteKey[];
  readonly store: Store;
  readonly gateway: Gateway;
  /** The registration service. */
  readonly service: Transport | undefined;
  readonly now: () => number;
}

/**
 * The tokens of a registered wallet: it fetches a batch a day and spends one with each request that costs a gateway something.
 * Without a token such a request shares the little that strangers get, so nothing here stops a wallet.
 */
export class Tokens implements TokenSource {
  readonly #of: TokensOf;
  /** A failed attempt is not repeated before. */
  #next = 0;

  constructor(of: TokensOf) {
    this.#of = of;
  }

  get #today(): bigint {
    return BigInt(Math.floor(this.#of.now() / DAY));
  }

  #counting({ tokens = [] }: State): readonly SpendableToken[] {
    return tokens.filter(({ day }) => day >= this.#today - 1n);
  }

  /**
   * Takes a token of the earliest day that counts, any of them: two devices of one phrase draw the same tokens, and the same order would
   * spend each twice. It has left the file before it is shown.
   */
  async take(): Promise<string | undefined> {
    const { store, now } = this.#of;
    const usable = this.#counting(store.state).filter(({ usableFrom }) => usableFrom <= BigInt(now()));
    const earliest = usable.reduce<bigint | undefined>((least, { day }) => (least === undefined || day < least ? day : least), undefined);
    const first = usable.filter(({ day }) => day === earliest);
    if (first.length === 0) return undefined;
    const taken = at(first, randomBelow(first.length - 1));
    await store.update({ tokens: (store.state.tokens ?? []).filter((one) => one !== taken) });
    return authorization(taken.token);
  }

  /**
   * Fetches the batch of today if the wallet is registered, has none of today yet, and either its second of the day has passed or it has no
   * token left. A failure leaves it without a batch, and a call after ten minutes tries again.
   */
  async fetchIfDue(): Promise<void> {
    const { store, gateway, service, now } = this.#of;
    const { compliance, registered, tokenDay = -1n } = store.state;
    const today = this.#today;
    const { origin } = gateway;
    if (compliance === undefined || registered === undefined || service === undefined || origin === undefined) return;
    if (now() < this.#next || tokenDay >= today || !this.#isTime(today)) return;
    try {
      await this.#fetch(service, origin, today);
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      this.#next = now() + PAUSE;
    }
  }

  #isTime(today: bigint): boolean {
    const { store, keys, now } = this.#of;
    const drawn = Number(today) * DAY + Number(tokenSecond(keys, today)) * 1_000;
    return this.#counting(store.state).length === 0 || now() >= drawn;
  }

  async #fetch(service: Transport, origin: string, today: bigint): Promise<void> {
    const { network, keys, authorities, store, gateway, now } = this.#of;
    const { caseId, accessToken } = store.state.registered as NonNullable<State['registered']>;
    const list = readTokenKeys(network, authorities, await gateway.tokenKeys());
    const spki = list.keys[Number(today - list['first-day'])];
    demand(spki !== undefined, 'unavailable', 'today has no key of tokens yet');
    const key = tokenKey(fromHex(spki));
    const challenge = challengeDigest({ issuer: list.issuer, context: new Uint8Array(0), origin });
    const blinded = Array.from({ length: list.batch }, (_, number) => drawToken(keys, key, challenge, today, number));
    const body = writeBody(askedTokens, { day: today, requests: blinded.map(({ request }) => request) });
    const path = `/v1/registrations/${encodeURIComponent(caseId)}/tokens`;
    const { responses } = await ask(service, signedTokens, { method: 'POST', path, headers: { 'X-Case-Token': accessToken }, body });
    demand(responses.length === blinded.length, 'gateway-misbehaved', 'the registration service signed other tokens');
    // Spent at once, they would tell registration service and gateway together when this wallet was active.
    const usableFrom = BigInt(now() + REST);
    const fetched = blinded.map((one, i) => ({ day: today, usableFrom, token: one.finish(at(responses, i)) }));
    await store.update({ tokenDay: today, tokens: [...this.#counting(store.state), ...fetched] });
  }
}
