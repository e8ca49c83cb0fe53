import { ed25519 } from '@noble/curves/ed25519.js';
import { bech32m } from '@scure/base';
import { checkEncryptionKey, decodeAddress, type Address } from './address.js';
import { ascii, concat, equal, sized, toHex, toInteger, u64, u8, type Bytes } from './bytes.js';
import { decodeApk, encodeField } from './field.js';
import type { Network } from './network.js';
import { demand, wellFormed } from './refusal.js';
import { fromUtf8, mailboxName, utf8 } from './text.js';

/** What a payee asks for (F-37). */
export interface PaymentRequest {
  readonly payee: Address;
  /** In minor units, with its currency. */
  readonly price?: { readonly amount: bigint; readonly currency: string };
  /** Milliseconds since 1970. */
  readonly expires?: bigint;
  /** 16 bytes. */
  readonly id?: Bytes;
  /** 16 bytes. */
  readonly tag?: Bytes;
  readonly label?: string;
  readonly refund?: Address;
}

/** A request that was read, and the key that signed it. */
export interface ReadRequest {
  readonly request: PaymentRequest;
  /** Ed25519, 32 bytes. */
  readonly signer?: Bytes;
}

const SCHEME = 'sld:';
const PREFIX = 'sldr';
const ADDRESS_PREFIX = 'sld';
const TEXT_LIMIT = 1023;
const VERSION = 1;
const TOKEN_BYTES = 16;
const KEYS_BYTES = 64;
const LABEL_LIMIT = 100;
const NUMBER_LIMIT = 1n << 63n;
const SIGNATURE = 255;

/** A reader passes over types from here on that it does not know. */
const OPTIONAL_FROM = 128;

/** Characters that a label does not have (F-37). */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

const signedBytes = (network: Network, content: Bytes): Bytes => concat(ascii('solidus/payment-request/v1\n'), network.digest, content);

function addressField(address: Address): Bytes {
  const mailbox = ascii(address.mailbox);
  mailboxName(mailbox);
  return concat(encodeField(address.apk), checkEncryptionKey(address.encryptionKey), mailbox);
}

function readAddressField(value: Bytes): Address {
  demand(value.length >= KEYS_BYTES, 'malformed-request', 'an address is cut short');
  return wellFormed(() => ({
    apk: decodeApk(value.subarray(0, 32)),
    encryptionKey: checkEncryptionKey(value.slice(32, KEYS_BYTES)),
    mailbox: mailboxName(value.subarray(KEYS_BYTES)),
  }));
}

function checkLabel(label: string): string {
  const length = utf8(label).length;
  demand(length >= 1 && length <= LABEL_LIMIT, 'malformed-request', `a label has 1 to ${LABEL_LIMIT} bytes`);
  demand(!HIDDEN.test(label) && !label.startsWith(' ') && !label.endsWith(' '), 'malformed-request', 'a label with a character that is not shown');
  return label;
}

function checkCurrency(currency: string): string {
  demand(/^[A-Z]{3}$/.test(currency) && currency.length === 3, 'malformed-request', 'not a currency');
  return currency;
}

/** The bytes of a request without a signature (F-37). */
export function requestContent(network: Network, request: PaymentRequest): Bytes {
  const fields: Bytes[] = [];
  const field = (type: number, value: Bytes): void => {
    fields.push(u8(type), u8(value.length), value);
  };
  field(1, addressField(request.payee));
  if (request.price !== undefined) {
    demand(request.price.amount > 0n && request.price.amount < NUMBER_LIMIT, 'OUT_OF_RANGE', 'an amount of a request');
    field(2, u64(request.price.amount));
    field(3, ascii(checkCurrency(request.price.currency)));
  }
  if (request.expires !== undefined) field(4, u64(request.expires));
  if (request.id !== undefined) field(5, sized(request.id, TOKEN_BYTES, 'an id'));
  if (request.tag !== undefined) field(6, sized(request.tag, TOKEN_BYTES, 'a tag'));
  if (request.label !== undefined) field(7, utf8(checkLabel(request.label)));
  if (request.refund !== undefined) field(8, addressField(request.refund));
  return concat(u8(VERSION), network.tagBytes, ...fields);
}

/** The content of a request with its signature. The private key is the seed of RFC 8032, 32 bytes. */
export function signedRequest(network: Network, content: Bytes, privateKey: Bytes): Bytes {
  const signature = ed25519.sign(signedBytes(network, content), privateKey);
  return concat(content, u8(SIGNATURE), u8(32 + 64), ed25519.getPublicKey(privateKey), signature);
}

/** The URI of a request's bytes (F-36). */
export const requestUri = (content: Bytes): string => SCHEME + bech32m.encode(PREFIX, bech32m.toWords(content), TEXT_LIMIT);

/** Reads the bytes of a request, one field after the other. */
class Fields {
  readonly #bytes: Bytes;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Bytes {
    demand(this.#at + length <= this.#bytes.length, 'malformed-request', 'a request is cut short');
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  byte(): number {
    return this.take(1)[0] as number;
  }

  /** What lies before a place. */
  before(place: number): Bytes {
    return this.#bytes.slice(0, place);
  }
}

const exactly = (value: Bytes, length: number, what: string): Bytes => wellFormed(() => sized(value, length, what));

function number(value: Bytes): bigint {
  const read = toInteger(exactly(value, 8, 'a number'));
  demand(read < NUMBER_LIMIT, 'malformed-request', 'a number is not below 2^63');
  return read;
}

/** Reads a request or an address (F-36 to F-38). */
export function readRequest(network: Network, text: string): ReadRequest {
  const stripped = text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '');
  const payload = stripped.slice(0, SCHEME.length).toLowerCase() === SCHEME ? stripped.slice(SCHEME.length) : stripped;
  const { prefix, words } = wellFormed(() => bech32m.decode(payload as `${string}1${string}`, TEXT_LIMIT));
  if (prefix === ADDRESS_PREFIX) return { request: { payee: decodeAddress(network, payload) } };
  demand(prefix === PREFIX, 'malformed-request', 'not a payment request');
  return readFields(network, new Fields(wellFormed(() => bech32m.fromWords(words))));
}

function readFields(network: Network, fields: Fields): ReadRequest {
  demand(fields.byte() === VERSION, 'unknown-version', 'a request of another version');
  demand(equal(fields.take(TOKEN_BYTES), network.tagBytes), 'wrong-network', 'a request of another network');
  let last = 0;
  let payee: Address | undefined;
  let amount: bigint | undefined;
  let currency: string | undefined;
  const rest: { expires?: bigint; id?: Bytes; tag?: Bytes; label?: string; refund?: Address } = {};
  let signer: Bytes | undefined;
  while (!fields.done) {
    const start = fields.position;
    const type = fields.byte();
    demand(type > last, 'malformed-request', 'the types do not ascend');
    last = type;
    const value = fields.take(fields.byte());
    switch (type) {
      case 1:
        payee = readAddressField(value);
        break;
      case 2:
        amount = number(value);
        demand(amount > 0n, 'malformed-request', 'an amount of zero');
        break;
      case 3:
        currency = checkCurrency(String.fromCharCode(...value));
        break;
      case 4:
        rest.expires = number(value);
        break;
      case 5:
        rest.id = exactly(value, TOKEN_BYTES, 'an id');
        break;
      case 6:
        rest.tag = exactly(value, TOKEN_BYTES, 'a tag');
        break;
      case 7:
        rest.label = checkLabel(fromUtf8(value));
        break;
      case 8:
        rest.refund = readAddressField(value);
        break;
      case SIGNATURE:
        signer = checkSignature(network, fields.before(start), value);
        break;
      default:
        demand(type >= OPTIONAL_FROM, 'unknown-version', `field ${type} is not known`);
    }
  }
  demand(payee !== undefined, 'malformed-request', 'no payee');
  demand((amount === undefined) === (currency === undefined), 'malformed-request', 'an amount and a currency, or neither');
  const price = amount === undefined || currency === undefined ? {} : { price: { amount, currency } };
  return { request: { payee, ...price, ...rest }, ...(signer === undefined ? {} : { signer }) };
}

function checkSignature(network: Network, content: Bytes, value: Bytes): Bytes {
  exactly(value, 32 + 64, 'a signature');
  const key = value.slice(0, 32);
  let valid = false;
  try {
    valid = ed25519.verify(value.slice(32), signedBytes(network, content), key, { zip215: false });
  } catch {
    // a key that is no point of the curve verifies nothing
  }
  demand(valid, 'signature-invalid', 'the signature does not verify');
  return key;
}

/** Whether a payment's text says that it is the payment of the request with this id (F-39). */
export const isPaymentFor = (id: Bytes, text: string): boolean => text === toHex(id) || text.startsWith(`${toHex(id)} `);

/** The text of the payment of a request (F-39). */
export function paymentText(request: PaymentRequest): string {
  if (request.id === undefined) return request.label ?? '';
  return request.label === undefined ? toHex(request.id) : `${toHex(request.id)} ${request.label}`;
}
