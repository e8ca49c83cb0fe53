import { strict as assert } from 'node:assert';
import { constants, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { base64urlnopad } from '@scure/base';
import { at, concat, equal, fromHex, fromInteger, toHex, toInteger, type Bytes } from '../src/bytes.js';
import { askedTokens, readBody, signedTokens, writeBody } from '../src/messages.js';
import { writeText } from '../src/notes.js';
import type { Person } from '../src/registering.js';
import { demand } from '../src/refusal.js';
import { challengeDigest, tokenKey, type TokenKey } from '../src/tokens.js';
import { network, type TokenIssuer } from './fake.js';

const vectors = (file: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../../lib/protocol-wire/src/test/resources/${file}`, import.meta.url)), 'utf8'));

export const MODULUS_AT = 81;
export const DAY = 86_400_000;
export const BATCH = 3;
export const ADA: Person = { givenName: 'Ada', familyName: 'Exampleson', birthDate: '1980-05-17', nationality: 'DE', documentNumber: 'C01X0006H' };

function power(base: bigint, exponent: bigint, n: bigint): bigint {
  let [result, square] = [1n, base % n];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % n;
    square = (square * square) % n;
  }
  return result;
}

/** The key of a modulus, with the fixed bytes of another one. */
const keyOfModulus = (like: Bytes, n: Bytes): TokenKey => tokenKey(concat(like.subarray(0, MODULUS_AT), n, like.subarray(MODULUS_AT + 256)));

interface Issued {
  readonly token_challenge: string;
  readonly nonce: string;
  readonly blind: string;
  readonly salt: string;
  readonly token_request: string;
  readonly token_response: string;
  readonly token: string;
}

export const ISSUED = vectors('rfc9578-blind-rsa.json') as { readonly pkS: string; readonly vectors: readonly Issued[] };
export const FIRST = at(ISSUED.vectors, 0);
export const SPKI = fromHex(ISSUED.pkS);

/** A registration service that signs a batch of a case and day once, and a gateway that looks at tokens as node:crypto does. */
export class Issuer implements TokenIssuer {
  readonly #pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #jwk = this.#pair.privateKey.export({ format: 'jwk' });
  readonly n = base64urlnopad.decode(this.#jwk.n as string);
  readonly key = keyOfModulus(SPKI, this.n);
  readonly batches = new Map<string, string>();
  firstDay: bigint;
  wrong = false;

  constructor(now: number) {
    this.firstDay = BigInt(Math.floor(now / DAY));
  }

  keys(): string {
    return writeText(network, 'token-keys', { issuer: 'office.example', batch: BATCH, 'first-day': this.firstDay, keys: [toHex(this.key.spki)] });
  }

  sign(caseId: string, body: string): string {
    const { day, requests } = readBody(askedTokens, body);
    demand(day === this.firstDay && requests.length === BATCH, 'malformed-request', 'another batch');
    demand((this.batches.get(`${caseId} ${day}`) ?? body) === body, 'idempotency-mismatch', 'another batch');
    this.batches.set(`${caseId} ${day}`, body);
    const [n, d] = [toInteger(this.n), toInteger(base64urlnopad.decode(this.#jwk.d as string))];
    const responses = requests.map((request) => {
      assert.ok(equal(request.subarray(0, 3), concat(fromInteger(2n, 2), this.key.id.subarray(31))));
      return fromInteger(power(toInteger(request.subarray(3)) + (this.wrong ? 1n : 0n), d, n), 256);
    });
    return writeBody(signedTokens, { responses });
  }

  /** Whether a header holds a token for this gateway. */
  takes(header: string): boolean {
    const [, text = ''] = /^PrivateToken token="([A-Za-z0-9_-]{472})"$/.exec(header) ?? [];
    const token = base64urlnopad.decode(text);
    const challenge = challengeDigest({ issuer: 'office.example', context: new Uint8Array(0), origin: 'pay.example' });
    assert.deepEqual(toHex(token.subarray(34, 66)), toHex(challenge));
    assert.deepEqual(toHex(token.subarray(66, 98)), toHex(this.key.id));
    const key = createPublicKey({ key: { kty: 'RSA', n: this.#jwk.n as string, e: 'AQAB' }, format: 'jwk' });
    return verify('sha384', token.subarray(0, 98), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }, token.subarray(98));
  }
}
